#include "cli/used_server.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "base/json_members.h"
#include "client/api_call.h"
#include "client/message.h"

namespace sa {
namespace {

constexpr Millis replace_patience{5'000};

// A token that was given is the new daemon's: by a file or by the environment, never by words that a process list shows.
std::vector<std::string> setting_words(const Invocation& given, const std::vector<std::string>& agents) {
  std::vector<std::string> words;
  words.reserve(agents.size() + 1);
  for (const std::string& agent : agents) words.push_back("--agent=" + agent);
  if (const std::string file = given.value("--token-file"); !file.empty()) {
    words.push_back("--token-file=" + file);
  } else if (const std::string token = given.value("--token"); !token.empty()) {
    ::setenv("SANDBOX_AGENT_TOKEN", token.c_str(), 1);
  }
  return words;
}

Outcome<UsedServer> start(Invocation& given, const std::vector<std::string>& agents) {
  TRY(const Millis idle_exit, seconds_of(given, "--idle-exit", default_idle_exit));
  BackgroundStart wish{
      .setting_words = setting_words(given, agents), .idle_exit = idle_exit, .port = PortChoice::free_when_taken};
  TRY(const StartedServer started, start_background(wish));
  TRY(const ServerAddress address, address_of(started.state));
  return UsedServer{address, started.state, started.fresh};
}

void say_started(Console& console, const ServerState& daemon) {
  console.status(fmt::format("▸ daemon started on {}{}   inspect: sandbox-agent ui", daemon.url.substr(7),
                             daemon.idle_exit_ms > 0 ? " (stops when idle)" : ""));
}

// One that was there a moment ago may be ending because nobody used it.
bool has_just_ended(const ChosenServer& server) {
  const auto answer = call_api(server.address, {.target = "/v1/health", .idle_timeout = Millis(2'000)});
  return !answer && answer.error().exit == Exit::unreachable && server.local && !is_running(*server.local);
}

// Whether it runs nothing. One that cannot be asked is not idle.
bool is_idle(const ServerAddress& server) {
  const auto answer = call_api(server, {.target = "/v1/acp", .idle_timeout = Millis(2'000)});
  const auto document = answer ? read_json(answer->body) : std::nullopt;
  return document && document->is_object() && array_member(document->get_object(), "servers").empty();
}

}  // namespace

Outcome<Millis> seconds_of(const Invocation& given, std::string_view option, Millis otherwise) {
  if (!given.has(option)) return otherwise;
  constexpr double longest = 2e6;
  const std::string text = given.value(option);
  double seconds = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || !(seconds >= 0) || seconds > longest)
    return failed({.exit = Exit::usage, .what = fmt::format("'{}' is not a number of seconds for {}", text, option)});
  return Millis(static_cast<std::int64_t>(seconds * 1e3));
}

Outcome<UsedServer> use_server(Invocation& given, const std::vector<std::string>& agents) {
  auto chosen = choose_server(given);
  const bool named = names_server(given);
  if (chosen && (named || !has_just_ended(*chosen))) return UsedServer{chosen->address, chosen->local, false};
  if (!chosen && (named || chosen.error().exit != Exit::unreachable)) return failed(chosen.error());
  TRY(UsedServer server, start(given, agents));
  if (server.fresh) say_started(given.console(), *server.local);
  return server;
}

Outcome<std::optional<UsedServer>> start_anew(Invocation& given, const UsedServer& server,
                                              const std::vector<std::string>& agents) {
  const bool ours = server.local && server.local->background && server.local->idle_exit_ms > 0;
  if (!ours || !is_idle(server.address)) return std::optional<UsedServer>();
  std::vector<std::string> all = server.local->agents;
  all.insert(all.end(), agents.begin(), agents.end());
  TRY_VOID(stop_background(replace_patience));
  TRY(UsedServer anew, start(given, all));
  return std::optional(std::move(anew));
}

std::string link_to(const ServerAddress& server) {
  return server.url + "/ui/" + (server.token.empty() ? "" : "#token=" + server.token);
}

}  // namespace sa
