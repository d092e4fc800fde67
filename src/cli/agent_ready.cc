#include "cli/agent_ready.h"

#include <fmt/format.h>

#include <set>

#include "agents/credentials.h"
#include "base/percent.h"
#include "cli/environment.h"
#include "cli/progress_line.h"
#include "client/api_call.h"
#include "client/event_parser.h"
#include "daemon/agent_parts.h"
#include "daemon/places.h"

namespace sa {
namespace {

Outcome<std::vector<OfferedAgent>> list_agents(const ServerAddress& server, Millis patience = ApiRequest().idle_timeout) {
  TRY(const ApiAnswer answer, call_api(server, {.target = "/v1/agents", .idle_timeout = patience}));
  return read_agents(answer.body);
}

CredentialState credentials_here(const Agent& agent) {
  return find_credentials(agent.manifest, from_environment, home_directory());
}

// A key this command has and the daemon has not; empty when there is none.
std::string key_only_here(const std::vector<OfferedAgent>& offered) {
  for (const Agent& agent : builtin_agents()) {
    const OfferedAgent* there = find_agent(offered, agent.manifest.id);
    if (!there || there->has_key) continue;
    const CredentialState here = credentials_here(agent);
    if (here.state == CredentialStatus::found && here.place->kind == CredentialKind::env) return here.place->name;
  }
  return "";
}

// A daemon that another command puts in this one's place just now is as good.
Outcome<std::vector<OfferedAgent>> list_of_some_server(Invocation& given, UsedServer& server) {
  auto agents = list_agents(server.address);
  if (agents || agents.error().exit != Exit::unreachable || names_server(given)) return agents;
  TRY(server, use_server(given));
  return list_agents(server.address);
}

Outcome<std::vector<OfferedAgent>> list_with_our_keys(Invocation& given, UsedServer& server) {
  TRY(auto agents, list_of_some_server(given, server));
  for (;;) {
    const std::string key = server.local && !server.fresh ? key_only_here(agents) : "";
    if (key.empty()) return agents;
    TRY(auto anew, start_anew(given, server));
    if (!anew) {
      given.console().warn(
          fmt::format("{} is set here, but not where the daemon was started, so its agents do not have it; sandbox-agent "
                      "daemon stop, then again",
                      key));
      return agents;
    }
    if (anew->fresh) given.console().status(fmt::format("▸ the daemon was started again, now with {}", key));
    server = std::move(*anew);
    TRY(agents, list_agents(server.address));
  }
}

void say_choice(Console& console, const AgentChoice& choice) {
  if (!choice.is_demo)
    return console.status(fmt::format("▸ agent: {}  ({}){}", choice.agent, choice.reason,
                                      choice.reason == by_option ? "" : "   change with --agent"));
  console.status(
      fmt::format("▸ {} → using the built-in demo agent (no AI, no network)\n"
                  "  set ANTHROPIC_API_KEY or OPENAI_API_KEY, or run: sandbox-agent credentials status",
                  choice.reason));
}

// One that the daemon's list does not have.
Failure unlisted_agent(const ServerAddress& server, const std::string& name, const std::vector<OfferedAgent>& listed) {
  const auto answer = call_api(server, {.target = "/v1/agents/" + percent_encoded(name)});
  if (answer) return {.exit = Exit::agent, .what = fmt::format("the agent '{}' cannot be used", name)};
  if (answer.error().code != error_row(ErrorCode::not_found).word) return answer.error();
  std::vector<std::string> ids;
  ids.reserve(listed.size());
  for (const OfferedAgent& agent : listed) ids.push_back(agent.id);
  return unknown_agent(name, ids);
}

Outcome<void> install(Invocation& given, const ServerAddress& server, const std::string& agent) {
  ProgressLine line(given.console(), agent);
  std::optional<Failure> problem;
  EventParser parser;
  const auto take = [&](const ServerEvent& event) {
    if (event.event == "problem")
      problem = failure_of_problem(event.data).value_or(Failure{.exit = Exit::agent, .what = "the install failed"});
    const auto progress = event.event == "progress" ? read_progress(event.data) : std::nullopt;
    if (progress) line.show(progress->phase, progress->bytes, progress->total);
  };
  const ApiRequest request{.method = "POST",
                           .target = fmt::format("/v1/agents/{}/install", percent_encoded(agent)),
                           .headers = {{"Accept", "text/event-stream"}},
                           .idle_timeout = Millis(0)};
  auto answer = call_api(server, request, [&](std::string_view bytes) -> Result<void> {
    parser.feed(bytes, take);
    return {};
  });
  line.end();
  if (!answer) return failed(std::move(answer).error());
  if (problem) return failed(std::move(*problem));
  return {};
}

}  // namespace

void tell_other_keys(Console& console) {
  constexpr Millis patience{1'000};
  const auto daemon = local_server();
  const auto address = daemon ? address_of(*daemon) : failed(daemon.error());
  const auto offered = address ? list_agents(*address, patience) : failed(address.error());
  if (!offered) return;  // none runs, or it cannot be asked
  std::set<std::string> only_there, only_here;
  for (const Agent& agent : builtin_agents()) {
    const OfferedAgent* there = find_agent(*offered, agent.manifest.id);
    const CredentialState here = credentials_here(agent);
    const bool has_key = here.state == CredentialStatus::found;
    if (there && there->has_key && !has_key) only_there.insert(there->key_place);
    if (there && !there->has_key && has_key) only_here.insert(here.place->name);
  }
  std::vector<std::string> words;
  if (!only_there.empty()) words.push_back(fmt::format("has {}", fmt::join(only_there, ", ")));
  if (!only_here.empty()) words.push_back(fmt::format("lacks {}", fmt::join(only_here, ", ")));
  if (!words.empty())
    console.status(fmt::format("▸ the daemon that runs was started with other keys: it {}", fmt::join(words, " and ")));
}

Outcome<ReadyAgent> ready_agent(Invocation& given, UsedServer& server) {
  TRY(auto agents, list_with_our_keys(given, server));
  const AgentChoice choice = choose_agent(agents, given.value("--agent"), from_environment("SANDBOX_AGENT_AGENT").value_or(""));
  if (choice.agent.empty()) return failed({.exit = Exit::authentication, .what = choice.reason});
  const OfferedAgent* agent = find_agent(agents, choice.agent);
  if (!agent) return failed(unlisted_agent(server.address, choice.agent, agents));
  say_choice(given.console(), choice);
  if (!agent->installed) TRY_VOID(install(given, server.address, agent->id));
  return ReadyAgent{agent->id, agent->key_place, agent->built_in};
}

}  // namespace sa
