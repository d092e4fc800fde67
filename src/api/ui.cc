// /ui/: the inspector, a web page that lies in the binary. It is a client like any other; nothing here needs the token.
#include "api/handlers.h"
#include "api/ui_answer.h"

namespace sa {

Task<Result<Response>> redirect_to_ui(Api&, Request&) { co_return ui_redirect(); }

Task<Result<Response>> get_ui(Api&, Request& request) {
  co_return ui_answer(ui_files(), request.path_parameters.front(), request);
}

}  // namespace sa
