// The place of the inspector. This build carries none, and says so instead of being blank.
#include "api/handlers.h"

namespace sa {
namespace {

constexpr std::string_view page = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox Agent</title>
<h1>Sandbox Agent is running</h1>
<p>This build has no inspector page. The API is at <code>/v1</code>; try:</p>
<pre>curl -H "Authorization: Bearer $TOKEN" &lt;this address&gt;/v1/health</pre>
</html>
)";

}  // namespace

Task<Result<Response>> redirect_to_ui(Api&, Request&) {
  Response response = Response::empty(308);
  response.header("location", "/ui/");
  co_return response;
}

Task<Result<Response>> get_ui(Api&, Request&) {
  Response response;
  response.content_type = "text/html; charset=utf-8";
  response.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
  response.header("referrer-policy", "no-referrer").header("x-content-type-options", "nosniff");
  response.body = std::string(page);
  co_return response;
}

}  // namespace sa
