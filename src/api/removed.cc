#include "api/handlers.h"

namespace sa {

Task<Result<Response>> answer_removed(Api&, Request&) {
  co_return fail(
      Error{ErrorCode::removed, "This interface was removed. Talk to agents through /v1/acp/{server_id}.", {}}.with_text(
          "replacement", "/v1/acp/{server_id}"));
}

}  // namespace sa
