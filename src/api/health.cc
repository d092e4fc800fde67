#include "api/handlers.h"
#include "api/health_documents.h"
#include "base/version.h"
#include "http/media_type.h"

namespace sa {

Task<Result<Response>> get_root(Api&, Request& request) {
  const std::string accept = request.list_header("accept");
  if (!accept.empty() && quality(accept, "text/html") > quality(accept, "application/json")) {
    Response response = Response::empty(302);
    response.header("location", "/ui/").header("vary", "Accept");
    co_return response;
  }
  Response response = Response::json(to_json(RootDocument{"Sandbox Agent", version, "/v1/openapi.json", "/ui/"}));
  response.header("vary", "Accept");
  co_return response;
}

Task<Result<Response>> get_health(Api& api, Request&) {
  const auto uptime = std::chrono::duration_cast<Millis>(Clock::now() - api.started).count();
  co_return Response::json(to_json(HealthDocument{HealthStatus::ok, version, uptime}));
}

Task<Result<Response>> get_healthz(Api&, Request&) { co_return Response::text("ok"); }

}  // namespace sa
