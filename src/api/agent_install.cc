// /v1/agents/{agent}/install: putting an agent on this machine and taking it off again.
#include "api/agents_documents.h"
#include "api/handlers.h"
#include "api/install_events.h"
#include "base/shape_read.h"
#include "base/utf8.h"
#include "http/media_type.h"

namespace sa {
namespace {

Result<std::string> version_wish(const std::optional<std::string>& version, std::string_view field) {
  if (!version || version->empty()) return "";
  const JsonPlace top;
  if (!is_version(*version)) return fail(misshapen(top.at(field), "be an exact version or a tag, such as 1.2.3"));
  return *version;
}

Result<InstallWishes> read_wishes(const std::string& body) {
  if (is_blank(body)) return InstallWishes{};
  TRY(const auto value, parse_json(body));
  TRY(const InstallRequest request, from_json<InstallRequest>(value));
  InstallWishes wishes{.reinstall = request.reinstall.value_or(false)};
  TRY(wishes.agent_version, version_wish(request.agent_version, "agentVersion"));
  TRY(wishes.process_version, version_wish(request.agent_process_version, "agentProcessVersion"));
  return wishes;
}

// Server-sent events when they are liked better than JSON.
bool wants_events(const Request& request) {
  const std::string_view accept = request.header("accept");
  return !accept.empty() && quality(accept, "text/event-stream") > quality(accept, "application/json");
}

}  // namespace

Task<Result<Response>> install_agent(Api& api, Request& request) {
  CO_TRY(const AgentPtr agent, api.agents.catalog.find(request.path_parameters.at(0)));
  CO_TRY(const std::string body, co_await request.body->all());
  CO_TRY(const InstallWishes wishes, read_wishes(body));
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
