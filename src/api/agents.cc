// /v1/agents: which agents there are and what is known of each.
#include <algorithm>

#include "agents/start.h"
#include "api/agent_description.h"
#include "api/handlers.h"
#include "base/utf8.h"

namespace sa {
namespace {

using Row = AgentDescription;

void add_server(const Api& api, AgentDocument& document) {
  for (const Instances::Row& row : api.instances.list()) {
    if (row.agent != document.id || !row.instance || row.instance->exited()) continue;
    const long long uptime = unix_millis() - row.instance->created_at();
    if (!document.server_status || document.server_status->uptime_ms < uptime)
      document.server_status = AgentServerDocument{AgentServerStatus::running, uptime};
  }
}

// Asks installed agents at the same time and waits for all of them.
struct Questioning {
  explicit Questioning(Loop& loop) : done(loop) {}
  std::size_t open = 0;
  Signal done;
};

Task<> ask(Api& api, Row& row, bool fresh, Questioning& all) {
  auto child =
      co_await api.agents.pool.run([&] { return how_to_start(*row.agent, api.agents.store, api.agents.surroundings); });
  if (child) {
    const ProbeResult result = co_await api.offers.ask(row.document.id, row.version, std::move(*child), fresh);
    add_offer(row, &result, true);
  }
  --all.open;
  all.done.notify();
}

Task<> complete(Api& api, std::vector<Row>& rows, bool with_config, bool fresh) {
  Questioning all(api.agents.loop);
  for (Row& row : rows) {
    add_server(api, row.document);
    add_offer(row, api.offers.known(row.document.id, row.version), with_config);
    if (!with_config || !row.document.installed) continue;
    ++all.open;
    spawn(ask(api, row, fresh, all));
  }
  while (all.open > 0) co_await all.done.wait();
}

// One question at a time, on one thread, whoever asks: who comes while it is under way gets the same answer.
Task<Result<Registry::Document>> ask_registry(Api& api) {
  if (const auto question = api.registry_question) {
    Signal answered(api.agents.loop);
    question->waiting.push_back(&answered);
    while (!question->answer) co_await answered.wait();
    co_return *question->answer;
  }
  const auto question = api.registry_question = std::make_shared<RegistryQuestion>();
  question->answer = co_await api.slow_pool.run([&] { return api.registry.get(api.stopping); });
  api.registry_question.reset();
  for (Signal* waiting : question->waiting) waiting->notify();
  co_return *question->answer;
}

// What is known of it already, unless the newest is wanted and something may come from there.
Task<Result<Registry::Document>> registry_for(Api& api, const std::vector<AgentPtr>& agents, bool fresh) {
  const bool matters = std::ranges::any_of(agents, [](const AgentPtr& agent) { return !agent->manifest.registry.empty(); });
  if (fresh && matters && !api.agents.require_preinstall) co_return co_await ask_registry(api);
  co_return co_await api.agents.pool.run([&] { return api.registry.known(); });
}

Task<Result<std::vector<Row>>> describe_all(Api& api, Request& request, std::vector<AgentPtr> agents) {
  CO_TRY(const bool with_config, request.query_flag("config"));
  CO_TRY(const bool fresh, request.query_flag("no_cache"));
  const auto registry = co_await registry_for(api, agents, fresh);
  auto rows = co_await api.agents.pool.run([&] {
    std::vector<Row> found;
    found.reserve(agents.size());
    for (const AgentPtr& agent : agents) found.push_back(describe_agent(api.agents, agent, registry));
    return found;
  });
  co_await complete(api, rows, with_config, fresh);
  co_return rows;
}

Task<Result<AgentPtr>> agent_of(Api& api, const Request& request) {
  const std::string& name = request.path_parameters.at(0);
  const auto agent = co_await find_agent(api.agents, name);
  if (agent) co_return agent;
  co_return fail(Error{ErrorCode::not_found, agent.error().detail, {}}
                     .with_text("resource", "agent")
                     .with_text("id", repair_utf8(name, 64))
                     .with_json("suggestions", agent.error().extra("suggestions")));
}

}  // namespace

Task<Result<Response>> list_agents(Api& api, Request& request) {
  std::vector<AgentPtr> agents = co_await api.agents.pool.run([&] { return api.agents.catalog.agents(); });
  CO_TRY(auto rows, co_await describe_all(api, request, std::move(agents)));
  AgentList list;
  for (Row& row : rows) list.agents.push_back(std::move(row.document));
  co_return Response::json(to_json(list));
}

Task<Result<Response>> get_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, co_await agent_of(api, request));
  CO_TRY(const auto rows, co_await describe_all(api, request, {agent}));
  co_return Response::json(to_json(rows.front().document));
}

}  // namespace sa
