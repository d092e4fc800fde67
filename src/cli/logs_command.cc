// `sandbox-agent logs`: what an instance wrote to stderr, or what it and its clients said.
#include <fmt/format.h>
#include <signal.h>

#include <thread>

#include "api/schema.h"
#include "base/percent.h"
#include "cli/commands.h"
#include "cli/grown_text.h"
#include "cli/instance_feed.h"
#include "cli/instance_list.h"
#include "cli/interrupt.h"
#include "cli/plain_text.h"
#include "cli/server_choice.h"
#include "cli/trace_document.h"
#include "cli/trace_lines.h"
#include "client/api_call.h"

namespace sa {

struct LogLine {
  std::string stderr_text;
};

template <>
struct Shape<LogLine> {
  static constexpr std::string_view name = "LogText";
  static constexpr std::string_view help = "What an agent wrote to stderr.";
  static constexpr std::tuple fields{Field{"stderr", &LogLine::stderr_text, "The text, as it was kept or came."}};
};

struct LogLoss {
  bool lost = true;
};

template <>
struct Shape<LogLoss> {
  static constexpr std::string_view name = "LogLoss";
  static constexpr std::string_view help = "Between the text before it and the next some was lost.";
  static constexpr std::tuple fields{Field{"lost", &LogLoss::lost, "Always true: the agent wrote more than is kept."}};
};

struct LogsLine {};

template <>
struct SchemaOfType<LogsLine> {
  static boost::json::object make(SchemaBook& book) {
    return {
        {"oneOf", boost::json::array{schema_of<LogLine>(book), schema_of<LogLoss>(book), schema_of<TraceLineDocument>(book)}}};
  }
};

namespace {

constexpr Millis look_again{250};

void show(Console& console, std::string_view text) {
  if (text.empty()) return;
  if (console.json()) {
    console.document(to_json(LogLine{std::string(text)}));
  } else {
    console.print(console.result_is_terminal() ? harmless(text) : std::string(text));
  }
}

void show_loss(Console& console) {
  if (console.json()) console.document(to_json(LogLoss{}));
  console.warn("some of its stderr was lost: it wrote more than is kept");
}

// Whether it is the instance's end that kept us from reading on, whoever ended it; its daemon's end is that too. A daemon that
// is ending takes no connections any more, and ends a little later.
bool has_ended(const Failure& failure, const std::optional<ServerState>& daemon, const InterruptFlag& interrupt) {
  if (failure.code == "not_found") return true;
  if (failure.exit != Exit::unreachable || !daemon) return false;
  const TimePoint until = Clock::now() + Millis(daemon->stop_grace_ms) + Millis(1'000);
  while (is_running(*daemon) && Clock::now() < until && !interrupt.flag()) std::this_thread::sleep_for(look_again);
  return !is_running(*daemon);
}

Outcome<Exit> show_stderr(Invocation& given, const ChosenServer& chosen, const ServerDocument& instance) {
  const ServerAddress& server = chosen.address;
  const InterruptFlag interrupt;
  const std::string target = fmt::format("/v1/acp/{}/stderr", percent_encoded(instance.server_id));
  std::string shown;
  bool is_last = !given.has("--follow") || instance.status == ServerStatus::exited;
  for (;;) {
    const auto answer = call_api(server, {.target = target, .stop = &interrupt.flag()});
    if (interrupt.flag()) return Exit::interrupted;
    if (!answer && given.has("--follow")) {
      if (answer.error().code == "overloaded") {  // it is ending, or has no room for a moment
        std::this_thread::sleep_for(look_again);
        continue;
      }
      if (has_ended(answer.error(), chosen.local, interrupt)) return Exit::success;
      if (interrupt.flag()) return Exit::interrupted;
    }
    if (!answer) return failed(answer.error());
    if (answer->body.empty() && shown.empty() && !given.has("--follow"))
      given.console().status("▸ it has written nothing to stderr so far");
    const Gain more = gained(shown, answer->body);
    if (!more.follows) show_loss(given.console());
    show(given.console(), more.text);
    shown = answer->body;
    if (is_last || given.console().reader_left()) return Exit::success;
    std::this_thread::sleep_for(look_again);
    if (interrupt.flag()) return Exit::interrupted;
    // Before the text is asked for: of an agent that has ended by then it has the last words.
    const auto now = find_instance(server, instance.server_id);
    if (now && now->instance_id != instance.instance_id) return Exit::success;
    is_last = now && now->status == ServerStatus::exited;
  }
}

Outcome<Exit> show_trace(Invocation& given, const ServerAddress& server, const ServerDocument& instance) {
  Console& console = given.console();
  const ReadUntil until = given.has("--follow") ? ReadUntil::ended : ReadUntil::caught_up;
  return read_instance(server, instance, until, [&console](const FeedItem& item) {
    if (console.json()) return console.print(trace_line(item));
    const std::string line = message_line(item);
    return line.empty() || console.line(line);
  });
}

Outcome<Exit> logs(Invocation& given) {
  TRY(const ChosenServer server, choose_server(given));
  TRY(const ServerDocument instance, find_instance(server.address, given.argument()));
  if (given.has("--trace")) return show_trace(given, server.address, instance);
  return show_stderr(given, server, instance);
}

constexpr Argument logs_arguments[] = {instance_argument};
constexpr Option logs_options[] = {
    {"--follow", "-f", "", "go on with what comes, until the instance ends or Ctrl-C"},
    {"--trace", "-t", "", "instead of stderr: a line for every message, in both directions"},
};

}  // namespace

extern const Command logs_command{
    .name = "logs",
    .section = Section::instances,
    .summary = "What an instance wrote to stderr, or with --trace what it and its clients said",
    .arguments = logs_arguments,
    .options = logs_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::lines, "Text of stderr; with --trace the lines of 'trace export'.", schema_of<LogsLine>},
    .run = logs,
    .example = "sandbox-agent logs --trace --follow ID"};

}  // namespace sa
