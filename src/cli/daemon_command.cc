// `sandbox-agent daemon start|stop|status`: the background daemon.
#include <fmt/format.h>

#include <cstdlib>

#include "api/schema.h"
#include "cli/commands.h"
#include "cli/daemon_document.h"
#include "client/api_call.h"
#include "daemon/background.h"

namespace sa {
namespace {

constexpr Millis stop_patience{10'000};
constexpr Millis health_patience{2'000};

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
    if (started.fresh || is_healthy(started.state)) return started;
    if (is_running(started.state))
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

Outcome<Exit> start_daemon(Invocation& given) {
  TRY(const Settings settings, given.settings());  // what is wrong is said here, not in a log
  TRY(const StartedServer started, start_or_find({.setting_words = words_without_token(given)}));
  Console& console = given.console();
  if (console.json()) {
    DaemonDocument document = document_of(started.state);
    document.started_now = started.fresh;
    console.document(to_json(document));
    return Exit::success;
  }
  console.status(started.fresh ? fmt::format("▸ daemon started (pid {})   inspect: sandbox-agent ui", started.state.pid)
                               : fmt::format("▸ the daemon runs already (pid {})", started.state.pid));
  if (!started.fresh && (!given.setting_words().empty() || has_other_token(started.state, settings)))
    console.warn(
        "it keeps the settings and the token it was started with; to change them: sandbox-agent daemon stop, then start");
  console.line(started.state.url);
  return Exit::success;
}

Outcome<Exit> stop_daemon(Invocation& given) {
  TRY(const bool stopped, stop_background(stop_patience));
  Console& console = given.console();
  const auto servers = known_servers();
  if (stopped || servers.empty()) {
    if (console.json()) console.document(to_json(DaemonDocument{}));
    console.status(stopped ? "▸ the daemon has ended, and every agent with it" : "▸ no daemon was running");
    return Exit::success;
  }
  return failed({.what = fmt::format("the daemon at {} runs in the foreground", servers.front().url),
                 .why = fmt::format("its pid is {}", servers.front().pid),
                 .what_to_do = "Ctrl-C where it runs"});
}

Outcome<Exit> tell_daemon(Invocation& given) {
  Console& console = given.console();
  const auto state = local_server();
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
        "Takes every setting of 'server'. It stays until 'daemon stop'. Its log, pid, lock and token are kept under "
        "<DATA>/sandbox-agent/daemon, for this user only.",
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
