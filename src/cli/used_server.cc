#include "cli/used_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/json_members.h"
#include "client/api_call.h"
#include "client/message.h"
#include "daemon/background_lock.h"
#include "io/url_parts.h"

namespace sa {
namespace {

constexpr Millis replacing_takes{30'000};  // at most, for whom we wait
constexpr Millis idle_within{2'000};       // else it is in use

// By a file or by the environment, never by words that a process list shows.
void give_token(BackgroundStart& wish, const std::string& file, const std::string& token) {
  if (!file.empty()) {
    wish.setting_words.push_back("--token-file=" + file);
  } else if (!token.empty()) {
    ::setenv("SANDBOX_AGENT_TOKEN", token.c_str(), 1);
  }
}

// The same token from the same place. Whoever knows it goes on without noticing.
void inherit_token(const ServerAddress& address, const ServerState& former, BackgroundStart& wish) {
  if (former.no_token) {
    wish.setting_words.emplace_back("--no-token");
  } else if (former.token) {
    ::unsetenv("SANDBOX_AGENT_TOKEN");  // or it would be one that was given, and those are not stored
    wish.kept_token = *former.token;
  } else {
    give_token(wish, former.token_file.value_or(""), address.token);
  }
}

// Of an id that is wished for the new command counts.
void inherit_agents(const ServerState& former, BackgroundStart& wish) {
  for (const std::string& agent : former.agents) {
    const std::string beginning = "--agent=" + agent.substr(0, agent.find('=') + 1);
    const auto is_it = [&](const std::string& word) { return word.starts_with(beginning); };
    if (std::ranges::none_of(wish.setting_words, is_it)) wish.setting_words.push_back("--agent=" + agent);
  }
}

Outcome<BackgroundStart> wish_of(Invocation& given, const std::vector<std::string>& agents) {
  TRY(const Millis idle_exit, seconds_of(given, "--idle-exit", default_idle_exit));
  BackgroundStart wish{.setting_words = {}, .idle_exit = idle_exit, .port = PortChoice::free_when_taken, .for_command = true};
  for (const std::string& agent : agents) wish.setting_words.push_back("--agent=" + agent);
  return wish;
}

Outcome<UsedServer> start(Invocation& given, const std::vector<std::string>& agents) {
  TRY(BackgroundStart wish, wish_of(given, agents));
  give_token(wish, given.value("--token-file"), given.value("--token"));
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
  const TimePoint answers_by = Clock::now() + health_patience;
  const auto answer = call_api(server.address, {.target = "/v1/health", .idle_timeout = health_patience});
  return !answer && answer.error().exit == Exit::unreachable && server.local && is_gone_by(*server.local, answers_by);
}

// Whether it runs nothing. One that cannot be asked is not idle.
bool is_idle(const ServerAddress& server) {
  const auto answer = call_api(server, {.target = "/v1/acp", .idle_timeout = Millis(2'000)});
  const auto document = answer ? read_json(answer->body) : std::nullopt;
  return document && document->is_object() && array_member(document->get_object(), "servers").empty();
}

// As it was: its links and pages stay good, though nothing came of its successor. False when that fails, too.
bool bring_back(const ServerAddress& address, const ServerState& former) {
  BackgroundStart again{
      .setting_words = {}, .idle_exit = Millis(former.idle_exit_ms), .port = PortChoice::free_when_taken, .for_command = true};
  inherit_agents(former, again);
  inherit_token(address, former, again);
  if (const auto url = parse_url(former.url)) again.kept_port = url->port;
  return start_background(again).has_value();
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

bool may_be_replaced(const ServerState& daemon) { return daemon.background && daemon.for_command && daemon.idle_exit_ms > 0; }

Outcome<std::optional<StartedServer>> replace_idle(const ServerAddress& address, const ServerState& former,
                                                   BackgroundStart wish, Inheritance inherits) {
  if (!may_be_replaced(former)) return std::optional<StartedServer>();
  TRY(const UniqueFd turn, replacement_lock(replacing_takes, state_directory()));
  auto running = background_server();
  if (running && running->pid != former.pid)
    return std::optional(StartedServer{std::move(*running), false});  // somebody was quicker
  if (running && !is_idle(address)) return std::optional<StartedServer>();
  inherit_agents(former, wish);
  if (inherits.token) inherit_token(address, former, wish);
  if (const auto url = parse_url(former.url); url && inherits.port) wish.kept_port = url->port;
  TRY(const bool ended, make_give_way(former, idle_within));
  if (!ended) return std::optional<StartedServer>();
  auto anew = start_background(wish);
  if (anew) return std::optional(std::move(*anew));
  Failure failure = anew.error();
  if (!bring_back(address, former)) failure.why += "; nor could the daemon before it be started again";
  return failed(std::move(failure));
}

Outcome<std::optional<UsedServer>> start_anew(Invocation& given, const UsedServer& server,
                                              const std::vector<std::string>& agents) {
  if (!server.local) return std::optional<UsedServer>();
  TRY(BackgroundStart wish, wish_of(given, agents));
  if (!given.has("--idle-exit")) wish.idle_exit = Millis(server.local->idle_exit_ms);
  TRY(const auto started, replace_idle(server.address, *server.local, std::move(wish)));
  if (!started) return std::optional<UsedServer>();
  TRY(const ServerAddress address, address_of(started->state));
  return std::optional(UsedServer{address, started->state, started->fresh});
}

}  // namespace sa
