// The route table. Adding an endpoint is one row here and one handler in the file of its resource.
#include "api/handlers.h"

namespace sa {

std::vector<Route> route_table(Api& api) {
  const auto to = [&api](Task<Result<Response>> (*handler)(Api&, Request&)) -> Handler {
    return [&api, handler](Request& request) { return handler(api, request); };
  };
  constexpr std::string_view json = "application/json";
  constexpr std::string_view events = "text/event-stream";
  constexpr std::string_view any{};
  const std::size_t envelope = api.limits.max_envelope_bytes;
  const std::size_t small = api.limits.max_json_bytes;
  const RequestBody none = RequestBody::none;

  return {
      // method, pattern, operation, summary, access, body, body limit, produces, handler
      {"GET", "/", "getRoot", "What this server is", Access::open, none, small, any, to(get_root)},
      {"GET", "/healthz", "getHealthz", "Liveness for probes", Access::open, none, small, any, to(get_healthz)},
      {"GET", "/v1/health", "getHealth", "Health and version", Access::token, none, small, json, to(get_health)},

      {"GET", "/v1/acp", "listServers", "All instances", Access::token, none, small, json, to(list_servers)},
      {"POST", "/v1/acp/{server_id}", "postAcp", "Send one message to the agent", Access::token, RequestBody::json, envelope,
       json, to(post_acp)},
      {"GET", "/v1/acp/{server_id}", "getAcp", "The agent's messages as events", Access::token, none, small, events,
       to(get_acp)},
      {"DELETE", "/v1/acp/{server_id}", "deleteAcp", "End the instance and its process tree", Access::token, none, small, any,
       to(delete_acp)},
      {"GET", "/v1/acp/{server_id}/stderr", "getStderr", "The tail of the agent's stderr", Access::token, none, small, any,
       to(get_stderr)},

      {"GET", "/ui", "redirectToUi", "To the inspector", Access::open, none, small, any, to(redirect_to_ui)},
      {"GET", "/ui/{path…}", "getUi", "The inspector", Access::open, none, small, any, to(get_ui)},

      {"*", "/v1/rpc", "removedRpc", "Removed", Access::token, none, small, any, to(answer_removed)},
      {"*", "/v1/sessions", "removedSessions", "Removed", Access::token, none, small, any, to(answer_removed)},
      {"*", "/v1/sessions/{path…}", "removedSessionsBelow", "Removed", Access::token, none, small, any, to(answer_removed)},
  };
}

}  // namespace sa
