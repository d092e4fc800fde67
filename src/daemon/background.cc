#include "daemon/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/write_all.h"
#include "daemon/background_lock.h"
#include "daemon/background_words.h"
#include "daemon/detached_server.h"
#include "daemon/private_file.h"
#include "daemon/running_settings.h"
#include "daemon/startup_text.h"
#include "daemon/world.h"
#include "io/process_tree.h"

namespace sa {
namespace {

constexpr Millis between_looks{10};
constexpr Millis kill_time{2'000};       // for the kernel to end a process that was killed
constexpr Millis end_time{10'000};       // for a daemon that gives way: nothing runs there
constexpr Millis between_requests{400};  // to give way, which takes it a moment
constexpr Millis beyond_grace{2'000};    // for a daemon to end once its agents have

void write_pid_file(const std::string& folder, pid_t pid) {
  const UniqueFd file(::open(background_pid_file(folder).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file) write_all(file.get(), fmt::format("{}\n", pid));
}

std::vector<std::string> server_words(const BackgroundStart& start) {
  std::vector<std::string> words;
  if (start.idle_exit > Millis(0)) words = {"--idle-exit-ms", std::to_string(start.idle_exit.count())};
  for (std::string& word : from_anywhere(start.setting_words)) words.push_back(std::move(word));
  words.emplace_back("--background");
  if (start.for_command) words.emplace_back("--for-command");
  return words;
}

// With the lock, so there is no other and nobody else starts one.
Outcome<StartedServer> start_locked(const BackgroundStart& start, const std::vector<std::string>& words, int lock,
                                    TimePoint deadline) {
  ::unlink(background_pid_file(start.folder).c_str());
  ::unlink(kept_token_file(start.folder).c_str());  // of a start that was cut short
  if (!start.kept_token.empty())
    if (const auto kept = write_private_file(kept_token_file(start.folder), start.kept_token + "\n"); !kept)
      return failed({.exit = Exit::failure, .what = "the background daemon cannot be started", .why = kept.error().detail});
  auto server = DetachedServer::start(start.program, words, background_log(start.folder), lock);
  if (server) write_pid_file(start.folder, server->pid());
  const auto ready = server ? server->wait_until_ready(deadline) : failed(server.error());
  ::unlink(kept_token_file(start.folder).c_str());
  if (!ready) {
    ::unlink(background_pid_file(start.folder).c_str());
    return failed(ready.error());
  }
  if (auto state = background_server(start.folder)) return StartedServer{std::move(*state), true};
  return failed({.exit = Exit::failure,
                 .what = "the background daemon ended right after its start",
                 .why = "what it said is in " + background_log(start.folder)});
}

Outcome<StartedServer> start_on_some_port(const BackgroundStart& start, int lock, TimePoint deadline) {
  std::vector<std::string> words = server_words(start);
  if (start.kept_port != 0) {
    std::vector<std::string> same_port = words;
    same_port.insert(same_port.end(), {"--port", std::to_string(start.kept_port)});
    auto started = start_locked(start, same_port, lock, deadline);
    if (started || started.error().what != port_taken_sentence(start.kept_port)) return started;
  }
  auto started = start_locked(start, words, lock, deadline);
  const bool any_port = start.port == PortChoice::free_when_taken || start.kept_port != 0;  // a successor must not fail by that
  if (started || !any_port || name_a_port(start.setting_words)) return started;
  if (started.error().what != port_taken_sentence(Settings{}.port)) return started;
  words.insert(words.end(), {"--port", "0"});
  return start_locked(start, words, lock, deadline);
}

// The process to end: by its state, or by its pid file while it has not written that yet, has dropped it already, or lost it:
// then its settings say what else we must know.
std::optional<ServerState> find_target(const std::string& folder) {
  if (auto state = background_server(folder)) return state;
  pid_t pid = 0;
  std::ifstream(background_pid_file(folder)) >> pid;
  if (pid <= 0) return std::nullopt;
  ServerState target{.pid = pid, .start_ticks = start_ticks(pid)};
  if (!has_background_lock_open(pid, folder)) return std::nullopt;
  if (const auto settings = settings_of(pid)) target.stop_grace_ms = settings->instances.stop_grace.count();
  return target;
}

// Queued: to a daemon that is ending already this is nobody's second signal.
bool signal_target(const ServerState& target, int number) {
  return is_process_running(target) && ::sigqueue(static_cast<pid_t>(target.pid), number, {}) == 0;
}

// With its agents; nothing where it does not say.
Millis time_to_end(const ServerState& target) {
  return target.stop_grace_ms > 0 ? Millis(target.stop_grace_ms) + beyond_grace : Millis(0);
}

Failure does_not_end(std::string why) {
  return {.exit = Exit::failure, .what = "the background daemon does not end", .why = std::move(why)};
}

Outcome<bool> is_locked(const std::string& folder) {
  TRY(const auto lock, try_background_lock(folder));
  if (lock) ::unlink(background_pid_file(folder).c_str());  // of one that is no more
  return !lock;
}

}  // namespace

std::string background_log(const std::string& folder) { return folder + "/daemon.log"; }
std::string background_pid_file(const std::string& folder) { return folder + "/daemon" + world_suffix() + ".pid"; }

std::string kept_token_file(const std::string& folder) { return folder + "/kept-token" + world_suffix(); }

std::string take_kept_token(const std::string& folder) {
  const std::string path = kept_token_file(folder);
  if (::access(path.c_str(), F_OK) != 0) return "";
  auto token = read_token_file(path);
  ::unlink(path.c_str());
  return token ? std::move(*token) : "";
}

Outcome<StartedServer> start_background(const BackgroundStart& start) {
  if (auto made = make_state_folder(start.folder); !made)
    return failed({.exit = Exit::failure,
                   .what = fmt::format("the folder {} cannot be used", start.folder),
                   .why = made.error().detail,
                   .what_to_do = "set XDG_DATA_HOME to a folder of yours"});
  const TimePoint deadline = Clock::now() + start.patience;
  for (;;) {
    if (auto running = background_server(start.folder)) return StartedServer{std::move(*running), false};
    TRY(const auto lock, try_background_lock(start.folder));
    if (lock) return start_on_some_port(start, lock->get(), deadline);
    if (Clock::now() >= deadline)
      return failed({.exit = Exit::failure,
                     .what = "another background daemon starts or ends, and does not come to an end with it",
                     .why = "what it said is in " + background_log(start.folder),
                     .what_to_do = "sandbox-agent daemon stop"});
    std::this_thread::sleep_for(between_looks);
  }
}

Outcome<bool> make_give_way(const ServerState& daemon, Millis patience, const std::string& folder) {
  const TimePoint deadline = Clock::now() + patience;
  const auto serves = [&] {  // one that ends drops its state first
    const auto running = background_server(folder);
    return running && running->pid == daemon.pid && running->start_ticks == daemon.start_ticks;
  };
  while (serves()) {
    signal_target(daemon, give_way_signal);
    const TimePoint look_again = Clock::now() + between_requests;
    while (serves() && Clock::now() < look_again) std::this_thread::sleep_for(between_looks);
    if (Clock::now() >= deadline && serves()) return false;
  }
  if (is_gone_by(daemon, Clock::now() + end_time)) return true;
  return failed(does_not_end(fmt::format("process {} is still there", daemon.pid)));
}

Outcome<bool> stop_background(Millis patience, const std::string& folder) {
  if (::access(folder.c_str(), F_OK) != 0) return false;
  const TimePoint asked_at = Clock::now();
  bool was_locked = false;
  auto target = find_target(folder);
  for (; !target; target = find_target(folder)) {
    TRY(const bool locked, is_locked(folder));
    if (!locked) return was_locked;
    was_locked = true;
    if (Clock::now() >= asked_at + patience)
      return failed(does_not_end("another one is being started, and it does not say its process"));
    std::this_thread::sleep_for(between_looks);
  }
  signal_target(*target, SIGTERM);
  if (!is_gone_by(*target, std::max(asked_at + patience, Clock::now() + time_to_end(*target)))) {
    signal_target(*target, SIGKILL);
    if (!is_gone_by(*target, Clock::now() + kill_time))
      return failed(does_not_end(fmt::format("process {} was killed, and is still there", target->pid)));
  }
  known_servers(folder);  // which repairs
  TRY_VOID(is_locked(folder));
  return true;
}

}  // namespace sa
