// `sandbox-agent up` and `ui`: the link to the inspector of a daemon, which `up` starts and gives agents by command.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "agents/manifest.h"
#include "agents/store.h"
#include "api/schema.h"
#include "base/clock.h"
#include "base/percent.h"
#include "base/shell_words.h"
#include "cli/commands.h"
#include "cli/daemon_document.h"
#include "cli/environment.h"
#include "cli/inspector_link.h"
#include "client/api_call.h"

namespace sa {
namespace {

constexpr Millis use_of_a_moment{3'000};  // a longer one is somebody's work
constexpr Millis between_tries{100};

// A name for a command line: that of its program, as far as an id may have it.
std::string id_for(const std::string& program) {
  std::string id;
  for (const char c : std::filesystem::path(program).filename().string())
    id += is_agent_id(std::string(1, c)) || ((c == '-' || c == '.' || c == '_') && !id.empty()) ? c : '-';
  return is_agent_id(id) ? id : "agent";
}

struct AdHoc {
  std::string id;
  std::string words;  // "id=command line"
};

// Whether it can be started at all; else the first turn would tell.
Outcome<void> check_program(const std::string& program) {
  if (!find_program(program, from_environment("PATH").value_or("")).empty()) return {};
  const bool is_path = program.find('/') != std::string::npos;
  const bool is_there = is_path && ::access(program.c_str(), F_OK) == 0;
  return failed({.exit = Exit::agent,
                 .what = is_there ? fmt::format("'{}' is not a program that can be started", program)
                                  : fmt::format("there is no program '{}'", program),
                 .why = is_there  ? "it is not a file, or you may not execute it"
                        : is_path ? ""
                                  : "no folder of PATH has it",
                 .what_to_do = "sandbox-agent up -- COMMAND, where COMMAND starts an agent that speaks ACP"});
}

// What a word of a command names in our folder.
bool is_here(const std::string& word) {
  std::error_code none;
  return !word.empty() && !word.starts_with('/') && std::filesystem::exists(word, none);
}

// The program by its whole path: the daemon's working directory is another. What is named among the words behind it is found
// only from ours.
Outcome<AdHoc> ad_hoc_agent(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  TRY_VOID(check_program(words.front()));
  if (words.front().find('/') != std::string::npos) words.front() = absolute_path(words.front());
  const std::string id = id_for(words.front());
  if (std::any_of(words.begin() + 1, words.end(), is_here)) {
    const std::string here = std::filesystem::current_path();
    words.insert(words.begin(), {"/bin/sh", "-c", R"(cd -- "$0" && exec "$@")", here});
  }
  return AdHoc{id, id + "=" + shell_line(words)};
}

bool knows(const ServerAddress& server, const std::string& agent) {
  return call_api(server, {.target = "/v1/agents/" + percent_encoded(agent)}).has_value();
}

// Why it is not replaced by one that has the agent.
std::string_view why_it_stays(const std::optional<ServerState>& daemon) {
  if (!daemon) return "this one was named, and runs elsewhere";
  if (!daemon->background) return "this one was started with 'sandbox-agent server', which nobody else ends";
  return may_be_replaced(*daemon) ? "this one is in use" : "this one was started to stay, with 'sandbox-agent daemon start'";
}

Failure cannot_take(const AdHoc& agent, const std::optional<ServerState>& daemon) {
  const std::string beside = fmt::format("sandbox-agent server --port 0 --agent {}", shell_quoted(agent.words));
  const bool may_be_stopped = daemon && daemon->background;
  return {.what = "the daemon that runs cannot take another agent now",
          .why = fmt::format("agents by command are given when a daemon starts, and {}", why_it_stays(daemon)),
          .what_to_do = may_be_stopped ? fmt::format("sandbox-agent daemon stop, then again — or another beside it: {}", beside)
                                       : beside};
}

// The daemon, which knows the agent. One that is in use for a moment, by a command beside this one, is waited for.
Outcome<UsedServer> server_with(Invocation& given, const AdHoc& agent) {
  const TimePoint deadline = Clock::now() + use_of_a_moment;
  TRY(UsedServer server, use_server(given, {agent.words}));
  const auto has_it = [&] {
    return server.fresh || (server.local && std::ranges::find(server.local->agents, agent.words) != server.local->agents.end());
  };
  while (!has_it()) {
    if (knows(server.address, agent.id))
      return failed(
          {.what = fmt::format("the daemon has another agent named '{}'", agent.id),
           .what_to_do = fmt::format("sandbox-agent daemon stop, then again — or a link to the program under another name")});
    TRY(auto anew, start_anew(given, server, {agent.words}));
    if (!anew) {
      if (!server.local || !may_be_replaced(*server.local) || Clock::now() >= deadline)
        return failed(cannot_take(agent, server.local));
      std::this_thread::sleep_for(between_tries);
      continue;
    }
    if (anew->fresh) given.console().status(fmt::format("▸ the daemon was started again, now with {}", agent.id));
    server = std::move(*anew);
  }
  return server;
}

Outcome<Exit> up(Invocation& given) {
  if (given.rest().empty()) {
    TRY(const UsedServer server, use_server(given));
    return show_link(given, server);
  }
  TRY(const AdHoc agent, ad_hoc_agent(given.rest()));
  TRY(const UsedServer server, server_with(given, agent));
  return show_link(given, server, {.agent = agent.id});
}

Outcome<Exit> ui(Invocation& given) {
  TRY(const ChosenServer server, choose_server(given));
  return show_link(given, {server.address, server.local, false});
}

constexpr Option up_options[] = {no_open_option, idle_exit_option};
constexpr Option ui_options[] = {no_open_option};

}  // namespace

extern const Command up_command{
    .name = "up",
    .section = Section::first,
    .summary = "Start the daemon unless it runs, and print and open the inspector's link",
    .help = "What follows '--' is the command line of any agent that speaks ACP: it is offered under its program's name.",
    .options = up_options,
    .shared = Shared::server,
    .json = {JsonOutput::Kind::document, "The link.", schema_of<LinkDocument>},
    .run = up,
    .takes_rest = true,
    .example = "sandbox-agent up"};

extern const Command ui_command{.name = "ui",
                                .section = Section::first,
                                .summary = "Print and open the inspector's link of the daemon that runs",
                                .options = ui_options,
                                .shared = Shared::server,
                                .json = {JsonOutput::Kind::document, "The link.", schema_of<LinkDocument>},
                                .run = ui,
                                .example = "sandbox-agent ui --no-open"};

}  // namespace sa
