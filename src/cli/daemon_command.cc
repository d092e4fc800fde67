// `sandbox-agent daemon start|stop|status`: the background daemon.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "api/schema.h"
#include "cli/commands.h"
#include "cli/daemon_document.h"
#include "cli/environment.h"
#include "cli/used_server.h"
#include "client/api_call.h"
#include "daemon/background_words.h"
#include "daemon/running_settings.h"

namespace sa {
namespace {

constexpr Millis stop_patience{10'000};

DaemonDocument document_of(const ServerState& state) {
  DaemonDocument document{.running = true,
                          .url = state.url,
                          .pid = state.pid,
                          .version = state.version,
                          .started_at_ms = state.started_at_ms,
                          .background = state.background,
                          .idle_exit_ms = state.idle_exit_ms};
  if (state.background) document.log_file = background_log();
  return document;
}

// The daemon's own words stay in the process list; its environment does not.
std::vector<std::string> words_without_token(Invocation& given) {
  std::vector<std::string> words = given.setting_words();
  if (!given.has("--token")) return words;
  given.console().warn("--token is visible in process lists; --token-file and SANDBOX_AGENT_TOKEN are not");
  std::erase_if(words, [](const std::string& word) { return word.starts_with("--token="); });
  ::setenv("SANDBOX_AGENT_TOKEN", given.value("--token").c_str(), 1);
  return words;
}

bool is_healthy(const ServerState& state) {
  return call_api({state.url, ""}, {.target = "/healthz", .idle_timeout = health_patience}).has_value();
}

// One that runs already may be about to end, or answer nobody.
Outcome<StartedServer> start_or_find(const BackgroundStart& start) {
  for (;;) {
    TRY(StartedServer started, start_background(start));
    const TimePoint answers_by = Clock::now() + health_patience;
    if (started.fresh || is_healthy(started.state)) return started;
    if (!is_gone_by(started.state, answers_by))
      return failed({.exit = Exit::unreachable,
                     .what = fmt::format("the daemon runs (pid {}), but it does not answer", started.state.pid),
                     .what_to_do = "sandbox-agent daemon stop, then start"});
  }
}

// Whether it refuses the token that was chosen for it. One that was not chosen cannot be wrong.
bool has_other_token(const ServerState& running, const Settings& settings) {
  const auto token = choose_token(settings);
  if (!token || token->generated || token->value.empty()) return false;
  const auto answer = call_api({running.url, token->value}, {.target = "/v1/acp", .idle_timeout = health_patience});
  return !answer && answer.error().exit == Exit::token;
}

// Whether a variable is set here to something else than what it has. Of tokens and of ports that were picked others know.
bool has_other_variables(const ServerState& running, const Settings& wanted) {
  const auto settings = settings_of(static_cast<pid_t>(running.pid));
  return settings && std::ranges::any_of(setting_rows(), [&](const SettingRow& row) {
           const bool counts = !row.environment.empty() && row.flag != "--token" && is_set(row.environment);
           const bool is_there = row.flag == "--port" && running.url.ends_with(fmt::format(":{}", wanted.port));
           return counts && !is_there && !is_same_setting(row, *settings, wanted);
         });
}

bool has_other_settings(const Invocation& given, const ServerState& running, const Settings& wanted) {
  return !given.setting_words().empty() || has_other_token(running, wanted) || has_other_variables(running, wanted);
}

// Whether somebody said what the token or the port is to be; then that holds, not what was.
Inheritance unsaid(const Settings& wanted, const std::vector<std::string>& words, const ServerAddress& former) {
  const bool other_variable = !wanted.environment_token.empty() && without_blanks(wanted.environment_token) != former.token;
  const bool token = wanted.no_token || !wanted.token_file.empty() || !wanted.token.empty() || other_variable;
  return {.token = !token, .port = !name_a_port(words)};
}

// The daemon that stays. One that was started for a command would end when nobody uses it: it gives way when it runs nothing.
Outcome<StartedServer> start_staying(const Settings& wanted, const BackgroundStart& start) {
  for (;;) {
    TRY(StartedServer found, start_or_find(start));
    const bool stays = found.fresh || !found.state.for_command || wanted.daemon.idle_exit > Millis(0);
    const auto address = stays ? failed({}) : address_of(found.state);
    if (!address) return found;
    TRY(auto anew, replace_idle(*address, found.state, start, unsaid(wanted, start.setting_words, *address)));
    if (!anew) return found;
    if (anew->fresh) return std::move(*anew);
  }
}

// It can be asked whether it runs nothing, which is before it is replaced.
bool can_be_asked(const ServerState& running) {
  const auto address = address_of(running);
  if (!address) return false;
  const auto answer = call_api(*address, {.target = "/v1/acp", .idle_timeout = health_patience});
  return answer || answer.error().exit != Exit::token;
}

// How to get one that stays without ending what runs.
std::string_view gentler_way(const ServerState& running) {
  if (!running.for_command) return "";
  return can_be_asked(running) ? " — or only start, when nothing runs any more"
                               : " — or only start with its token in SANDBOX_AGENT_TOKEN, when nothing runs any more";
}

void say_start(Console& console, const StartedServer& started, bool replaced, const Settings& wanted) {
  const std::int64_t pid = started.state.pid;
  if (started.fresh)
    return console.status(
        fmt::format("▸ daemon started{} (pid {})   inspect: sandbox-agent ui", replaced ? " again: this one stays" : "", pid));
  console.status(fmt::format("▸ the daemon runs already (pid {})", pid));
  if (started.state.idle_exit_ms > 0 && wanted.daemon.idle_exit == Millis(0))
    console.warn(
        fmt::format("it ends after {} s without use; for one that stays: sandbox-agent daemon stop, which ends what runs, then "
                    "start{}",
                    started.state.idle_exit_ms / 1000, gentler_way(started.state)));
}

Outcome<Exit> start_daemon(Invocation& given) {
  TRY(const Settings settings, given.settings());  // what is wrong is said here, not in a log
  const bool any_ran = background_server().has_value();
  TRY(const StartedServer started, start_staying(settings, {.setting_words = words_without_token(given)}));
  Console& console = given.console();
  if (console.json()) {
    DaemonDocument document = document_of(started.state);
    document.started_now = started.fresh;
    console.document(to_json(document));
    return Exit::success;
  }
  say_start(console, started, any_ran, settings);
  if (!started.fresh && has_other_settings(given, started.state, settings))
    console.warn(
        "it keeps the settings and the token it was started with; to change them: sandbox-agent daemon stop, then start");
  console.line(started.state.url);
  return Exit::success;
}

Outcome<Exit> stop_daemon(Invocation& given) {
  TRY(const bool stopped, stop_background(stop_patience));
  Console& console = given.console();
  const auto left = stopped ? local_server() : choose_local(console);
  if (stopped || !left) {
    if (console.json()) console.document(to_json(DaemonDocument{}));
    console.status(stopped ? "▸ the daemon has ended, and every agent with it" : "▸ no daemon was running");
    if (left) console.status(fmt::format("▸ another one goes on in the foreground: {} (pid {})", left->url, left->pid));
    return Exit::success;
  }
  return failed({.what = fmt::format("the daemon at {} runs in the foreground", left->url),
                 .why = fmt::format("its pid is {}", left->pid),
                 .what_to_do = "Ctrl-C where it runs"});
}

Outcome<Exit> tell_daemon(Invocation& given) {
  Console& console = given.console();
  const auto state = choose_local(console);
  DaemonDocument document = state ? document_of(*state) : DaemonDocument{};
  if (state) document.healthy = is_healthy(*state);
  if (console.json()) console.document(to_json(document));
  if (!state) {
    if (!console.json()) console.line("stopped");
    console.status("  try: sandbox-agent daemon start");
    return Exit::unreachable;
  }
  if (!console.json()) {
    console.line(
        fmt::format("running\n  url         {}\n  pid         {}\n  version     {}", state->url, state->pid, state->version));
    console.line(
        fmt::format("  kind        {}{}", state->background ? "background" : "foreground",
                    state->idle_exit_ms > 0 ? fmt::format(", ends after {} s unused", state->idle_exit_ms / 1000) : ""));
    if (document.log_file) console.line(fmt::format("  log         {}", *document.log_file));
    console.line(fmt::format("  healthy     {}", *document.healthy ? "yes" : "no"));
  }
  return *document.healthy ? Exit::success : Exit::unreachable;
}

}  // namespace

extern const Command daemon_start_command{
    .name = "daemon start",
    .section = Section::daemon,
    .summary = "Start the daemon in the background, unless it runs",
    .help =
        "Takes every setting of 'server'. It stays until 'daemon stop'. One that 'run' or 'up' started gives way to it, with "
        "its token and port, unless it is in use. Its log, pid, lock and token are kept under <DATA>/sandbox-agent/daemon, for "
        "this user only.",
    .shared = Shared::settings,
    .json = {JsonOutput::Kind::document, "The daemon.", schema_of<DaemonDocument>},
    .run = start_daemon,
    .example = "sandbox-agent daemon start"};

extern const Command daemon_stop_command{.name = "daemon stop",
                                         .section = Section::daemon,
                                         .summary = "End the background daemon and every agent it runs",
                                         .json = {JsonOutput::Kind::document, "The daemon: none.", schema_of<DaemonDocument>},
                                         .run = stop_daemon,
                                         .example = "sandbox-agent daemon stop"};

extern const Command daemon_status_command{.name = "daemon status",
                                           .section = Section::daemon,
                                           .summary = "Whether a daemon runs here: exit code 0 when it answers, 3 when not",
                                           .json = {JsonOutput::Kind::document, "The daemon.", schema_of<DaemonDocument>},
                                           .run = tell_daemon,
                                           .example = "sandbox-agent daemon status --json"};

}  // namespace sa
