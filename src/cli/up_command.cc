// `sandbox-agent up` and `ui`: the link to the inspector, and the browser it opens in.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agents/manifest.h"
#include "api/schema.h"
#include "base/shell_words.h"
#include "cli/browser.h"
#include "cli/commands.h"
#include "cli/daemon_document.h"
#include "cli/used_server.h"
#include "client/api_call.h"

namespace sa {
namespace {

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

// The program by its whole path: the daemon's working directory is another.
Outcome<AdHoc> ad_hoc_agent(const std::vector<std::string>& command) {
  std::vector<std::string> words = command;
  if (words.front().find('/') != std::string::npos) words.front() = absolute_path(words.front());
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  const std::string id = id_for(words.front());
  return AdHoc{id, id + "=" + line};
}

bool knows(const ServerAddress& server, const std::string& agent) {
  return call_api(server, {.target = "/v1/agents/" + percent_encoded(agent)}).has_value();
}

// The daemon, which knows the agent.
Outcome<UsedServer> server_with(Invocation& given, const AdHoc& agent) {
  TRY(UsedServer server, use_server(given, {agent.words}));
  const bool has_it = server.local && std::ranges::find(server.local->agents, agent.words) != server.local->agents.end();
  if (server.fresh || has_it) return server;
  if (knows(server.address, agent.id))
    return failed(
        {.what = fmt::format("the daemon has another agent named '{}'", agent.id),
         .what_to_do = fmt::format("sandbox-agent daemon stop, then again — or a link to the program under another name")});
  TRY(auto anew, start_anew(given, server, {agent.words}));
  if (anew) {
    given.console().status(fmt::format("▸ the daemon was started again, now with {}", agent.id));
    return std::move(*anew);
  }
  return failed(
      {.what = "the daemon that runs cannot take another agent now",
       .why = "agents by command are given when it starts, and it is in use or was started by somebody else",
       .what_to_do = fmt::format("sandbox-agent daemon stop, then again — or: sandbox-agent server --port 0 --agent {}",
                                 shell_quoted(agent.words))});
}

Outcome<Exit> show(Invocation& given, const UsedServer& server, const std::string& agent) {
  TRY_VOID(call_api(server.address, {.target = "/v1/health", .idle_timeout = Millis(5'000)}));
  Console& console = given.console();
  const std::string link = link_to(server.address);
  if (console.json()) {
    LinkDocument document{.url = server.address.url, .link = link, .started_now = server.fresh};
    if (!agent.empty()) document.agent = agent;
    console.document(to_json(document));
    return Exit::success;
  }
  if (!agent.empty()) console.status(fmt::format("▸ agent: {}   try: sandbox-agent run --agent {} \"hello\"", agent, agent));
  console.line(link);
  if (given.has("--no-open") || !console.status_is_terminal()) return Exit::success;
  console.status(open_in_browser(link) ? "▸ opened in your browser" : "▸ there is no browser here: open the link yourself");
  return Exit::success;
}

Outcome<Exit> up(Invocation& given) {
  if (given.rest().empty()) {
    TRY(const UsedServer server, use_server(given));
    return show(given, server, "");
  }
  TRY(const AdHoc agent, ad_hoc_agent(given.rest()));
  TRY(const UsedServer server, server_with(given, agent));
  return show(given, server, agent.id);
}

Outcome<Exit> ui(Invocation& given) {
  TRY(const ChosenServer server, choose_server(given));
  return show(given, {server.address, server.local, false}, "");
}

constexpr Option no_open{"--no-open", "", "", "only print the link"};
constexpr Option up_options[] = {no_open, idle_exit_option};
constexpr Option ui_options[] = {no_open};

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
