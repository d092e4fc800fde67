#include "http/application.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/log.h"
#include "base/utf8.h"
#include "http/media_type.h"

namespace sa {
namespace {

constexpr std::size_t longest_echo = 256;  // of a path, in problems about it

Error unknown_path(const Request& request) {
  return Error{ErrorCode::not_found, "There is nothing at this path. GET / says what this server is.", {}}
      .with_text("resource", "route")
      .with_text("id", request.path.substr(0, longest_echo));
}

// A tar, packed or not: what is in it is told by its content, so the names are many. Nothing at all is fine, too.
bool may_be_tar(std::string_view content_type) {
  constexpr std::string_view names[] = {"application/x-tar",  "application/tar",  "application/x-gtar",      "application/gzip",
                                        "application/x-gzip", "application/zstd", "application/octet-stream"};
  return content_type.empty() || std::ranges::any_of(names, [&](auto name) { return is_media_type(content_type, name); });
}

bool has_body(const Request& request) {
  const std::string_view length = request.header("content-length");
  return !request.header("transfer-encoding").empty() || (!length.empty() && length != "0");
}

bool takes_json(const Request& request, const Route& route) {
  return route.body == RequestBody::json || (route.body == RequestBody::optional_json && has_body(request));
}

Result<void> check_types(const Request& request, const Route& route) {
  if (takes_json(request, route) && !is_media_type(request.header("content-type"), "application/json"))
    return fail(ErrorCode::unsupported_media_type, "Send the body as JSON, with 'Content-Type: application/json'.");
  if (route.body == RequestBody::tar && !may_be_tar(request.header("content-type")))
    return fail(ErrorCode::unsupported_media_type, "Send a tar archive, with 'Content-Type: application/x-tar'.");
  if (!route.produces.empty() && !accepts(request.list_header("accept"), route.produces))
    return fail(ErrorCode::not_acceptable,
                fmt::format("This route answers with {}; let the Accept header allow that.", route.produces));
  return {};
}

Result<void> check_query(const Request& request, const Route& route) {
  for (const QueryParameter& parameter : route.query) {
    TRY(const auto value, request.query_parameter(parameter.name));
    if (parameter.kind == QueryParameter::Kind::flag) {
      if (auto flag = request.query_flag(parameter.name); !flag) return std::unexpected(flag.error());
    }
    if (value && !parameter.words.empty() && std::ranges::find(parameter.words, *value) == parameter.words.end())
      return fail(Error{
          ErrorCode::invalid_request,
          fmt::format("The query parameter '{}' takes '{}' only.", parameter.name, fmt::join(parameter.words, "' or '")),
          {}}.with_text("field", parameter.name));
    const bool is_missing = !value || (parameter.may_be_blank ? value->empty() : is_blank(*value));
    if (parameter.required && is_missing)
      return fail(Error{
          ErrorCode::invalid_request,
          fmt::format("The query parameter '{}' is missing; this route needs it.", parameter.name),
          {}}.with_text("field", parameter.name));
  }
  return {};
}

}  // namespace

Response answer_to_failure(const Request& request, const Error& error) {
  Response response = problem(error, request.path.substr(0, longest_echo));
  if (response.status >= 500 && !error.logged) {
    const bool ordinary = error.code == ErrorCode::agent_process_exited;  // agents end; that is not our trouble
    log::line(ordinary ? log::Level::info : log::Level::warn, "{} {} -> {} {}", request.method, request.path, response.status,
              error.detail);
  }
  return response;
}

Task<Response> Application::answer(Request& request, std::uint64_t& limit) {
  Result<Response> result = co_await dispatch(request, limit);
  Response response = result ? std::move(*result) : answer_to_failure(request, result.error());
  gate_.add_cors(request, response);
  co_return response;
}

Task<Result<Response>> Application::dispatch(Request& request, std::uint64_t& limit) {
  if (auto allowed = gate_.check_source(request); !allowed) co_return std::unexpected(allowed.error());
  const Router::Match match = router_.find(request);
  if (request.method == "OPTIONS" && (match.any_method || gate_.is_preflight(request)))  // so that scripts can read the 404
    co_return gate_.preflight(request, match.allow + (match.allow.empty() ? "OPTIONS" : ", OPTIONS"));
  if (!match.any_method) co_return fail(unknown_path(request));
  if (match.any_method->access == Access::token) {
    if (auto allowed = gate_.check_token(request); !allowed) co_return std::unexpected(allowed.error());
    ++uses_;
  }
  if (!match.route) {
    Response response = problem({ErrorCode::method_not_allowed, fmt::format("This path answers to {} only.", match.allow), {}},
                                request.path.substr(0, longest_echo));
    response.header("allow", match.allow + ", OPTIONS");
    co_return response;
  }
  if (auto decoded = match.decode_parameters(request); !decoded) co_return std::unexpected(decoded.error());
  if (auto right = check_types(request, *match.route); !right) co_return std::unexpected(right.error());
  if (auto right = check_query(request, *match.route); !right) co_return std::unexpected(right.error());
  limit = match.route->body_limit;
  co_return co_await match.route->handler(request);
}

}  // namespace sa
