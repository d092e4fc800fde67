#include "daemon/server_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/shape_read.h"
#include "base/version.h"
#include "daemon/private_file.h"
#include "daemon/token.h"
#include "daemon/world.h"
#include "files/directory_lock.h"
#include "files/names_in.h"
#include "files/read_up_to.h"
#include "io/process_tree.h"

namespace sa {
namespace {

constexpr std::size_t largest_state = 1u << 20;
constexpr Millis between_signs_of_life{10};

// Held until it is destroyed.
Result<DirectoryLock> lock_folder(const std::string& folder) {
  const UniqueFd directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) return fail(ErrorCode::internal, errno_text(errno));
  const StopFlag never = false;
  return DirectoryLock::take(directory.get(), folder, {}, never);
}

Result<ServerState> read_state(const std::string& path) {
  TRY(const std::string text, read_file(path, largest_state));
  TRY(const auto document, parse_json(text));
  return from_json<ServerState>(document);
}

std::optional<ServerState> running_state(const std::string& path) {
  auto state = read_state(path);
  if (!state || !is_running(*state)) return std::nullopt;
  return std::move(*state);
}

// Pids of another boot or another namespace say nothing here. A state that does not say where it counts is taken to count here.
bool is_of_this_world(const ServerState& state) { return state.world.empty() || state.world == this_world(); }

// Of this machine, which was started anew since.
bool is_of_past_boot(const ServerState& state) {
  return !is_of_this_world(state) && state.machine == machine_name() && !is_same_boot(state.world, this_world());
}

// Processes of a container or a machine beside us cannot be seen from here.
bool may_be_running(const ServerState& state) { return is_of_this_world(state) ? is_running(state) : !is_of_past_boot(state); }

// Looks again when nobody else can write. What cannot be read is none of our business.
void repair(const std::string& folder, const std::string& path) {
  const auto lock = lock_folder(folder);
  const auto state = read_state(path);
  if (lock && state && !may_be_running(*state)) ::unlink(path.c_str());
}

bool is_zombie(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string stat(std::istreambuf_iterator<char>(file), {});  // not by lines: a process may be called anything
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] == 'Z';
}

std::string_view port_of(std::string_view url) { return url.substr(url.rfind(':') + 1); }

bool is_on_default_port(const ServerState& state) { return port_of(state.url) == std::to_string(Settings{}.port); }

std::string place_for(const ServerState& state, const std::string& folder) {
  std::string path = fmt::format("{}/server-{}.json", folder, port_of(state.url));
  const auto holder = read_state(path);
  const bool is_ours = holder && is_of_this_world(*holder) && holder->pid == state.pid;
  if (holder && !is_ours && may_be_running(*holder))
    return fmt::format("{}/server-{}-{}{}.json", folder, port_of(state.url), state.pid, world_suffix());
  return path;
}

}  // namespace

ServerState own_state(const Settings& settings, const Token& token, const std::string& url) {
  ServerState state{.url = url,
                    .pid = ::getpid(),
                    .machine = machine_name(),
                    .world = this_world(),
                    .start_ticks = start_ticks(::getpid()),
                    .version = version,
                    .started_at_ms = unix_millis(),
                    .background = settings.background,
                    .for_command = settings.for_command,
                    .no_token = token.value.empty(),
                    .agents = settings.agents,
                    .idle_exit_ms = settings.daemon.idle_exit.count(),
                    .stop_grace_ms = settings.instances.stop_grace.count()};
  if (token.generated) state.token = token.value;
  if (!settings.token_file.empty()) state.token_file = absolute_path(settings.token_file);
  return state;
}

Result<void> make_state_folder(const std::string& folder) {
  TRY_VOID(make_private_folder(folder));
  if (::chmod(folder.c_str(), 0700) != 0) return fail(ErrorCode::internal, errno_text(errno));
  return {};
}

Result<std::string> store_state(const ServerState& state, const std::string& folder) {
  TRY_VOID(make_state_folder(folder));
  TRY(const DirectoryLock lock, lock_folder(folder));
  std::string path = place_for(state, folder);
  TRY_VOID(write_private_file(path, to_json(state) + "\n"));
  return path;
}

void drop_state(const std::string& path) {
  const auto state = read_state(path);
  const pid_t us = ::getpid();
  if (state && state->pid == us && is_of_this_world(*state) && state->start_ticks == start_ticks(us)) ::unlink(path.c_str());
}

bool is_process_running(const ServerState& state) {
  if (state.pid <= 0 || state.start_ticks == 0 || !is_of_this_world(state)) return false;
  const auto pid = static_cast<pid_t>(state.pid);
  return start_ticks(pid) == state.start_ticks && !is_zombie(pid);
}

bool is_gone_by(const ServerState& state, TimePoint deadline) {
  while (is_process_running(state)) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(between_signs_of_life);
  }
  return true;
}

bool is_running(const ServerState& state) { return !state.url.empty() && is_process_running(state); }

std::vector<ServerState> known_servers(const std::string& folder) {
  std::vector<ServerState> servers;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with("server-") || !name.ends_with(".json")) continue;
    const std::string path = fmt::format("{}/{}", folder, name);
    if (auto state = running_state(path)) {
      servers.push_back(std::move(*state));
    } else {
      repair(folder, path);
    }
  }
  std::ranges::sort(servers, {}, &ServerState::started_at_ms);
  return servers;
}

std::optional<ServerState> background_server(const std::string& folder) {
  for (ServerState& state : known_servers(folder))
    if (state.background) return std::move(state);
  return std::nullopt;
}

Outcome<ServerState> local_server(const std::string& folder) {
  const std::vector<ServerState> servers = known_servers(folder);
  if (servers.empty())
    return failed({.exit = Exit::unreachable,
                   .what = "no sandbox-agent daemon is running",
                   .what_to_do = "sandbox-agent up   — or, for one that stays: sandbox-agent daemon start"});
  auto chosen = std::ranges::find_if(servers, &ServerState::background);
  if (chosen == servers.end()) chosen = std::ranges::find_if(servers, is_on_default_port);
  return chosen == servers.end() ? servers.back() : *chosen;
}

Outcome<ServerAddress> address_of(const ServerState& state) {
  if (state.no_token) return ServerAddress{state.url, ""};
  if (state.token) return ServerAddress{state.url, *state.token};
  std::string why = "its token was given by hand, and those are not stored";
  if (state.token_file) {
    auto token = read_token_file(*state.token_file);
    if (token) return ServerAddress{state.url, std::move(*token)};
    why = token.error().detail;
  }
  const char* given = std::getenv("SANDBOX_AGENT_TOKEN");
  if (given && *given) return ServerAddress{state.url, without_blanks(given)};
  const std::string_view beside = state.background ? "" : " — or start one beside it: sandbox-agent daemon start --port 0";
  return failed({.exit = Exit::token,
                 .what = fmt::format("the token of {} is not known here", state.url),
                 .why = std::move(why),
                 .what_to_do = fmt::format("set SANDBOX_AGENT_TOKEN, or give --token-file{}", beside)});
}

}  // namespace sa
