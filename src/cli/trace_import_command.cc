// `sandbox-agent trace import`: a trace file, replayed in the inspector. The page reads the file through the daemon, which
// keeps nothing of it.
#include <fmt/format.h>

#include <filesystem>

#include "api/fs_documents.h"
#include "api/schema.h"
#include "base/percent.h"
#include "base/shape_read.h"
#include "cli/commands.h"
#include "cli/daemon_document.h"
#include "cli/inspector_link.h"
#include "cli/trace_lines.h"
#include "client/api_call.h"
#include "client/trace_check.h"
#include "daemon/places.h"

namespace sa {
namespace {

// How many messages the file has.
Outcome<std::uint64_t> messages_in(const std::string& path) {
  std::ifstream file = open_trace(path);
  if (!file)
    return failed(
        {.what = fmt::format("'{}' is no file that can be read", path), .what_to_do = "sandbox-agent trace export ID -o FILE"});
  TraceChecker checker;
  for (std::string line; std::getline(file, line);) checker.feed(line);
  if (checker.messages() == 0)
    return failed({.what = fmt::format("'{}' is no trace: it has no messages", path),
                   .what_to_do = fmt::format("sandbox-agent trace check {}", path)});
  return checker.messages();
}

// The page sees what the daemon sees, which may run elsewhere.
Outcome<void> expect_seen(const ServerAddress& server, const std::string& path) {
  std::string why = "it has another file there";
  if (const auto answer = call_api(server, {.target = "/v1/fs/stat?path=" + percent_encoded(path)})) {
    const auto document = parse_json(answer->body);
    const auto seen = document ? from_json<StatDocument>(*document) : fail(document.error());
    std::error_code none;
    if (seen && seen->size == std::filesystem::file_size(path, none)) return {};
  } else if (answer.error().exit != Exit::failure) {
    return failed(answer.error());
  } else {
    why = answer.error().what;
  }
  return failed({.what = fmt::format("the daemon at {} does not see '{}'", server.url, path),
                 .why = why,
                 .what_to_do = "sandbox-agent ui, and drop the file on its Trace — or copy it to where the daemon runs"});
}

Outcome<Exit> import_trace(Invocation& given) {
  const std::string path = absolute_path(given.argument());
  TRY(const std::uint64_t messages, messages_in(path));
  TRY(const UsedServer server, use_server(given));
  TRY_VOID(expect_seen(server.address, path));
  given.console().status(fmt::format("▸ {} messages of {}", messages, given.argument()));
  return show_link(given, server, {.page = "replay?file=" + percent_encoded(path, "/")});
}

constexpr Argument import_arguments[] = {
    {"FILE", "what 'trace export' or the inspector wrote", Argument::Count::one, Completes::file}};
constexpr Option import_options[] = {no_open_option, idle_exit_option};

}  // namespace

extern const Command trace_import_command{
    .name = "trace import",
    .section = Section::instances,
    .summary = "Replay a trace file in the inspector: print and open the link",
    .help = "The inspector shows the conversation and its messages as they were, read-only. Starts the daemon unless it runs.",
    .arguments = import_arguments,
    .options = import_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::document, "The link.", schema_of<LinkDocument>},
    .run = import_trace,
    .example = "sandbox-agent trace import trace.ndjson"};

}  // namespace sa
