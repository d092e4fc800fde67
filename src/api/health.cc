#include "api/handlers.h"
#include "api/health_documents.h"
#include "base/version.h"
#include "http/media_type.h"

namespace sa {

Task<Result<Response>> get_root(Api&, Request& request) {
  const std::string_view accept = request.header("accept");
  if (!accept.empty() && quality(accept, "text/html") > quality(accept, "application/json")) {
    Response response = Response::empty(302);
    response.header("location", "/ui/");
    co_return response;
  }
  co_return Response::json(to_json(RootDocument{"Sandbox Agent", version, "/v1/openapi.json", "/ui/"}));
}

Task<Result<Response>> get_health(Api& api, Request&) {
  const auto uptime = std::chrono::duration_cast<Millis>(Clock::now() - api.started).count();
  co_return Response::json(to_json(HealthDocument{"ok", version, uptime}));
}

Task<Result<Response>> get_healthz(Api&, Request&) { co_return Response::text("ok"); }

}  // namespace sa
