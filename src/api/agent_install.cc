// /v1/agents/{agent}/install: putting an agent on this machine and taking it off again.
#include "api/agents_documents.h"
#include "api/handlers.h"
#include "api/install_events.h"
#include "api/request_bodies.h"
#include "http/media_type.h"

namespace sa {
namespace {

// Server-sent events when they are liked better than JSON.
bool wants_events(const Request& request) {
  const std::string_view accept = request.header("accept");
  return !accept.empty() && quality(accept, "text/event-stream") > quality(accept, "application/json");
}

}  // namespace

Task<Result<Response>> install_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, api.agents.catalog.find(request.path_parameters.at(0)));
  CO_TRY(const std::string body, co_await request.body->all());
  CO_TRY(const InstallWishes wishes, read_install_request(body));
  const auto job = begin_install(api.agents, agent, wishes);
  if (wants_events(request)) co_return Response::events(std::make_unique<InstallEvents>(job));
  CO_TRY(const InstallOutcome outcome, co_await wait_for(api.agents.loop, job, {}));
  co_return Response::json(to_json(InstalledDocument{outcome.already_installed, outcome.record.artifacts}));
}

Task<Result<Response>> remove_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, api.agents.catalog.find(request.path_parameters.at(0)));
  CO_TRY_VOID(co_await api.agents.installer.remove(agent));
  co_return Response::empty(204);
}

}  // namespace sa
