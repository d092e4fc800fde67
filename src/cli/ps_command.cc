// `sandbox-agent ps` and `stop`: the instances of the daemon.
#include <fmt/format.h>

#include <algorithm>

#include "api/schema.h"
#include "base/percent.h"
#include "cli/commands.h"
#include "cli/instance_list.h"
#include "cli/interrupt.h"
#include "cli/plain_text.h"
#include "cli/server_choice.h"
#include "cli/text_table.h"
#include "cli/turn_view.h"
#include "client/api_call.h"

namespace sa {

struct StoppedDocument {
  std::vector<std::string> stopped;
};

template <>
struct Shape<StoppedDocument> {
  static constexpr std::string_view name = "Stopped";
  static constexpr std::string_view help = "Instances that were ended.";
  static constexpr std::tuple fields{Field{"stopped", &StoppedDocument::stopped, "Their ids."}};
};

namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string state_text(const ServerDocument& instance) {
  switch (instance.status) {
    case ServerStatus::starting: return instance.phase ? fmt::format("starting: {}", *instance.phase) : "starting";
    case ServerStatus::running:
      if (instance.open_agent_requests > 0) return "waits for you";
      return instance.pending_requests > 0 ? "working" : "idle";
    case ServerStatus::exited:
      if (instance.signal) return fmt::format("exited {}", *instance.signal);
      return fmt::format("exited {}", instance.exit_code.value_or(0));
  }
  return "";
}

std::string memory_text(const ServerDocument& instance) {
  constexpr double mega = 1e6;
  return instance.rss_bytes ? fmt::format("{:.0f} MB", static_cast<double>(*instance.rss_bytes) / mega) : "-";
}

TableRow instance_row(const ServerDocument& instance) {
  return {{one_line(instance.server_id, 48), Ink::bold},
          {instance.agent},
          {instance.pid ? std::to_string(*instance.pid) : "-"},
          {state_text(instance)},
          {duration_text(Millis(std::max<std::int64_t>(0, now_ms() - instance.created_at_ms)))},
          {std::to_string(instance.pending_requests)},
          {std::to_string(instance.open_agent_requests)},
          {std::to_string(instance.readers)},
          {memory_text(instance)}};
}

Outcome<Exit> list(Invocation& given) {
  TRY(const ChosenServer server, choose_server(given));
  TRY(const ServerList list, list_instances(server.address));
  Console& console = given.console();
  if (console.json()) return console.document(to_json(list)), Exit::success;
  if (list.servers.empty()) return console.status("no instances are running"), Exit::success;
  constexpr std::string_view head[] = {"ID", "AGENT", "PID", "STATE", "AGE", "PENDING", "ASKING", "READERS", "MEMORY"};
  std::vector<TableRow> rows;
  std::ranges::transform(list.servers, std::back_inserter(rows), instance_row);
  print_table(console, head, rows);
  return Exit::success;
}

Outcome<Exit> stop(Invocation& given) {
  if (given.has("--all") == !given.arguments().empty())
    return failed({.exit = Exit::usage, .what = "name the instances to end, or give --all", .what_to_do = "sandbox-agent ps"});
  TRY(const ChosenServer server, choose_server(given));
  std::vector<std::string> ids;
  for (const std::string& id : given.arguments()) {
    TRY(const ServerDocument instance, find_instance(server.address, id));
    ids.push_back(instance.server_id);
  }
  if (given.has("--all")) {
    TRY(const ServerList list, list_instances(server.address));
    for (const ServerDocument& instance : list.servers) ids.push_back(instance.server_id);
  }
  // The daemon's own limits end it, but not that of one that stands still.
  constexpr Millis beyond_grace{300'000};
  const Millis grace{server.local ? server.local->stop_grace_ms : 0};
  const InterruptFlag interrupt;
  for (const std::string& id : ids) {
    const auto ended = call_api(server.address, {.method = "DELETE",
                                                 .target = "/v1/acp/" + percent_encoded(id),
                                                 .idle_timeout = Millis(0),
                                                 .total_timeout = grace + beyond_grace,
                                                 .stop = &interrupt.flag()});
    if (interrupt.flag()) return Exit::interrupted;
    if (!ended) return failed(ended.error());
    given.console().status(fmt::format("▸ {} has ended, with everything it started", one_line(id, 80)));
  }
  if (given.console().json()) given.console().document(to_json(StoppedDocument{ids}));
  return Exit::success;
}

constexpr Argument stop_arguments[] = {
    {"ID", "an instance, as 'ps' lists it; its first letters will do", Argument::Count::any, Completes::instance}};
constexpr Option stop_options[] = {{"--all", "", "", "every instance of the daemon"}};

}  // namespace

extern const Command ps_command{
    .name = "ps",
    .section = Section::instances,
    .summary = "The instances of the daemon: agent, process, state, age, open requests, memory",
    .shared = Shared::server,
    .json = {JsonOutput::Kind::document, "The instances, as GET /v1/acp answers.", schema_of<ServerList>},
    .run = list,
    .example = "sandbox-agent ps"};

extern const Command stop_command{.name = "stop",
                                  .section = Section::instances,
                                  .summary = "End instances and everything they started",
                                  .arguments = stop_arguments,
                                  .options = stop_options,
                                  .shared = Shared::server,
                                  .json = {JsonOutput::Kind::document, "What was ended.", schema_of<StoppedDocument>},
                                  .run = stop,
                                  .example = "sandbox-agent stop --all"};

}  // namespace sa
