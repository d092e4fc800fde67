// `sandbox-agent trace export` and `trace check`: the messages of an instance, both ways, and whether they keep to the
// protocol.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "api/schema.h"
#include "cli/commands.h"
#include "cli/instance_feed.h"
#include "cli/instance_list.h"
#include "cli/interrupt.h"
#include "cli/output_file.h"
#include "cli/plain_text.h"
#include "cli/server_choice.h"
#include "cli/trace_document.h"
#include "cli/trace_lines.h"
#include "cli/turn_view.h"
#include "client/trace_check.h"

namespace sa {

struct TraceDocument {
  std::uint64_t messages = 0;
  std::uint64_t errors = 0;
  std::vector<Finding> findings;
};

template <>
struct Shape<TraceDocument> {
  using D = TraceDocument;
  static constexpr std::string_view name = "TraceReport";
  static constexpr std::string_view help = "What a check of a trace found.";
  static constexpr std::tuple fields{
      Field{"messages", &D::messages, "How many messages were looked at."},
      Field{"errors", &D::errors, "How many findings are errors."},
      Field{"findings", &D::findings, "What was found."},
  };
};

namespace {

Outcome<Exit> export_trace(Invocation& given) {
  TRY(const ChosenServer server, choose_server(given));
  TRY(const ServerDocument instance, find_instance(server.address, given.argument()));
  const std::string output = given.value("--output");
  std::optional<OutputFile> file;
  if (!output.empty()) {
    const InterruptFlag interrupt;
    TRY(OutputFile opened, OutputFile::begin(output));
    if (interrupt.flag()) return Exit::interrupted;
    file.emplace(std::move(opened));
  }
  std::size_t messages = 0;
  Result<void> written;
  TRY(const Exit exit, read_instance(server.address, instance, ReadUntil::caught_up, [&](const FeedItem& item) {
        const std::string line = trace_line(item);
        if (line.empty()) return true;
        ++messages;
        if (!file) return given.console().print(line);
        written = file->write(line);
        return written.has_value();
      }));
  if (exit != Exit::success) return exit;
  if (!written) return failed(failure_of(written.error()));
  if (file) {
    if (const auto put = file->commit(); !put) return failed(failure_of(put.error()));
  }
  given.console().status(
      fmt::format("▸ {} messages of {}{}", messages, instance.server_id, output.empty() ? "" : " in " + output));
  return exit;
}

// Some sentences begin with the line, which is told before them.
std::string without_place(const Finding& finding) {
  const std::string place = fmt::format("Line {}", finding.line);
  const std::string_view rest = std::string_view(finding.sentence).substr(std::min(place.size(), finding.sentence.size()));
  if (!finding.sentence.starts_with(place) || rest.empty()) return finding.sentence;
  if (rest.starts_with(": ")) return std::string(rest.substr(2));
  return rest.starts_with(' ') ? fmt::format("it{}", rest) : finding.sentence;
}

void show(Console& console, const Finding& finding) {
  const Ink ink = finding.level == FindingLevel::error     ? Ink::red
                  : finding.level == FindingLevel::warning ? Ink::yellow
                                                           : Ink::dim;
  std::string place = fmt::format("line {}", finding.line);
  if (finding.seq) place += fmt::format(", event {}", *finding.seq);
  if (finding.method) place += fmt::format(", {}", one_line(*finding.method, 80));
  console.line(fmt::format("{} {}: {}{}{}", console.paint_result(ink, word_of(finding.level)), place, finding.path,
                           finding.path.empty() ? "" : ": ", without_place(finding)));
}

// Not a single line of it is one of a trace: that is all there is to say of it.
bool is_no_trace(const TraceDocument& report) {
  return report.messages == 0 && report.errors > 0 && report.errors == report.findings.size();
}

// The lines of a file, of stdin, or of an instance.
Outcome<void> feed_all(Invocation& given, const std::function<void(std::string_view)>& feed) {
  const std::string what = given.argument();
  const auto feed_stream = [&feed](std::istream& input) {
    for (std::string line; std::getline(input, line);) feed(line);
  };
  if (what == "-") return feed_stream(std::cin), Outcome<void>();
  if (std::ifstream file = open_trace(what)) return feed_stream(file), Outcome<void>();
  auto server = choose_server(given);
  if (!server && server.error().exit == Exit::unreachable)
    return failed({.what = fmt::format("there is no file '{}'", what),
                   .why = "and no daemon runs that could have an instance of this name",
                   .what_to_do = "sandbox-agent trace check FILE"});
  if (!server) return failed(server.error());
  const auto instance = find_instance(server->address, what);
  if (!instance && instance.error().what.starts_with("there is no instance"))
    return failed({.what = fmt::format("there is neither a file nor an instance '{}'", what),
                   .why = instance.error().why,
                   .what_to_do = instance.error().what_to_do,
                   .code = instance.error().code});
  if (!instance) return failed(instance.error());
  TRY_VOID(read_instance(server->address, *instance, ReadUntil::caught_up, [&feed](const FeedItem& item) {
    const std::string line = trace_line(item);
    if (!line.empty()) feed(std::string_view(line).substr(0, line.size() - 1));
    return true;
  }));
  return {};
}

Outcome<Exit> check_trace(Invocation& given) {
  TraceChecker checker;
  TraceDocument report;
  const auto add = [&report](std::vector<Finding> found) {
    for (Finding& finding : found) {
      if (finding.level == FindingLevel::error) ++report.errors;
      report.findings.push_back(std::move(finding));
    }
  };
  TRY_VOID(feed_all(given, [&](std::string_view line) { add(checker.feed(line)); }));
  add(checker.end());
  report.messages = checker.messages();
  if (is_no_trace(report))
    return failed({.what = fmt::format("'{}' is no trace", given.argument()),
                   .why = fmt::format("line {}: {}", report.findings.front().line, without_place(report.findings.front())),
                   .what_to_do = "sandbox-agent trace export ID -o FILE, which writes one"});
  Console& console = given.console();
  if (console.json()) {
    console.document(to_json(report));
  } else {
    for (const Finding& finding : report.findings) show(console, finding);
  }
  console.status(fmt::format("{} {} messages, {} errors, {} other findings",
                             report.errors == 0 ? console.paint(Ink::green, "✓") : console.paint(Ink::red, "✗"),
                             report.messages, report.errors, report.findings.size() - report.errors));
  return report.errors == 0 ? Exit::success : Exit::failure;
}

constexpr Argument export_arguments[] = {instance_argument};
constexpr Option export_options[] = {{"--output", "-o", "FILE", "write there instead of stdout", Completes::file}};
constexpr Argument trace_check_arguments[] = {
    {"FILE|ID", "a trace file, '-' for stdin, or an instance", Argument::Count::one, Completes::file}};

}  // namespace

extern const Command trace_export_command{
    .name = "trace export",
    .section = Section::instances,
    .summary = "The messages of an instance, both directions, one JSON line each",
    .help = "From what the daemon keeps; what it no longer has appears as a gap. The messages' own bytes are not changed.",
    .arguments = export_arguments,
    .options = export_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::lines, "The same: a trace is JSON lines.", schema_of<TraceLineDocument>},
    .run = export_trace,
    .example = "sandbox-agent trace export ID -o trace.ndjson"};

extern const Command trace_check_command{.name = "trace check",
                                         .section = Section::instances,
                                         .summary = "Whether the messages of a trace keep to JSON-RPC and ACP",
                                         .help = "Exit code 1 when an error was found.",
                                         .arguments = trace_check_arguments,
                                         .shared = Shared::server,
                                         .json = {JsonOutput::Kind::document, "What was found.", schema_of<TraceDocument>},
                                         .run = check_trace,
                                         .example = "sandbox-agent trace check trace.ndjson"};

}  // namespace sa
