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
  const std::string accept = request.list_header("accept");
  return !accept.empty() && quality(accept, "text/event-stream") > quality(accept, "application/json");
}

// Until it is known what became of the job. False when the client hung up first; the install goes on.
Task<bool> wait_with(Loop& loop, InstallJob& job, Client& client) {
  Signal changed(loop);
  job.watch(changed);
  while (!job.outcome() && !client.gone(changed)) co_await changed.wait();
  job.unwatch(changed);
  co_return job.outcome().has_value();
}

}  // namespace

Task<Result<Response>> install_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, co_await find_agent(api.agents, request.path_parameters.at(0)));
  CO_TRY(const std::string body, co_await request.body->all());
  CO_TRY(const InstallWishes wishes, read_install_request(body));
  const auto job = co_await begin_install(api.agents, agent, wishes);
  if (wants_events(request)) co_return Response::events(std::make_unique<InstallEvents>(job));
  if (!co_await wait_with(api.agents.loop, *job, *request.client)) co_return Response::client_gone();
  CO_TRY(const InstallOutcome outcome, *job->outcome());
  co_return Response::json(to_json(installed_document(outcome)));
}

Task<Result<Response>> remove_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, co_await find_agent(api.agents, request.path_parameters.at(0)));
  CO_TRY_VOID(co_await api.agents.installer.remove(agent));
  co_return Response::empty(204);
}

}  // namespace sa
