#include "http/gate.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sa {
namespace {

constexpr std::string_view default_cors_methods = "GET, HEAD, POST, PUT, DELETE, OPTIONS";
constexpr std::string_view usual_cors_headers =
    "Authorization, Content-Type, Last-Event-ID, Accept, Prefer, If-Match, If-None-Match, Range, Acp-Instance-Id";
constexpr std::string_view exposed_headers =
    "Acp-Event-Id, Acp-Instance-Id, Preference-Applied, Retry-After, ETag, Content-Range";

struct Authority {
  std::string_view host;  // without brackets
  std::string_view port;  // may be empty
};

Authority split_host_and_port(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return {};
    const std::string_view rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') return {};
    return {text.substr(1, close - 1), rest.starts_with(':') ? rest.substr(1) : std::string_view{}};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// Nothing at all when the port is not a number: such a value is not what it seems.
Authority split_authority(std::string_view text) {
  const Authority authority = split_host_and_port(text);
  return std::ranges::all_of(authority.port, [](char c) { return c >= '0' && c <= '9'; }) ? authority : Authority{};
}

// Two values that name no host do not name the same one.
bool same_host(const Authority& a, const Authority& b) { return !a.host.empty() && equals_ignoring_case(a.host, b.host); }

bool is_same_origin(std::string_view origin, std::string_view host) {
  const std::size_t scheme_end = origin.find("://");
  if (scheme_end == std::string_view::npos) return false;
  const std::string_view default_port = equals_ignoring_case(origin.substr(0, scheme_end), "https") ? "443" : "80";
  Authority from = split_authority(origin.substr(scheme_end + 3));
  Authority to = split_authority(host);
  if (from.port.empty()) from.port = default_port;
  if (to.port.empty()) to.port = default_port;
  return same_host(from, to) && from.port == to.port;
}

// Takes the same time wherever the first difference is.
bool equal_in_constant_time(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t at = 0; at < given.size(); ++at)
    difference |= static_cast<unsigned>(given[at] ^ secret[at % secret.size()]) & 0xffu;
  return difference == 0;
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  if (equals_ignoring_case(host, "localhost") || host == "::1") return true;
  constexpr std::string_view suffix = ".localhost";
  if (host.size() > suffix.size() && equals_ignoring_case(host.substr(host.size() - suffix.size()), suffix)) return true;
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

Gate::Gate(GateSettings settings)
    : settings_(std::move(settings)), checks_host_(is_loopback_host(settings_.bind_host) || !settings_.allow_hosts.empty()) {}

Result<void> Gate::check_source(const Request& request) const {
  const std::string_view host = request.header("host");
  if (checks_host_) {
    const Authority given = split_authority(host);
    const auto is_given = [&](const std::string& allowed) { return same_host(given, split_authority(allowed)); };
    const bool known = is_loopback_host(given.host) || equals_ignoring_case(given.host, settings_.bind_host) ||
                       std::ranges::any_of(settings_.allow_hosts, is_given);
    if (!known)
      return fail(
          ErrorCode::forbidden,
          "The Host header names a host this server does not answer for. Use its address, or start it with --allow-host.");
  }
  const std::string_view origin = request.header("origin");
  const std::size_t origins = request.header_count("origin");
  if (origins > 1 || (origins == 1 && !is_same_origin(origin, host) && !allows_origin(origin)))
    return fail(ErrorCode::forbidden,
                "Requests from this web origin are not allowed. Start the server with --cors-allow-origin to allow it.");
  return {};
}

bool Gate::allows_origin(std::string_view origin) const {
  if (origin.empty() || origin == "null") return false;
  return std::ranges::any_of(settings_.cors_origins, [&](const std::string& allowed) {
    return allowed == "*" || equals_ignoring_case(allowed, origin);
  });
}

bool Gate::is_of_unnamed_page(const Request& request) const {
  if (request.header_count("origin") > 0) return false;
  if (std::ranges::find(settings_.cors_origins, "*") != settings_.cors_origins.end()) return false;
  const std::string_view site = request.header("sec-fetch-site");  // a browser's word; no page can change it
  return site == "cross-site" || site == "same-site";
}

Result<void> Gate::check_token(const Request& request) const {
  if (settings_.token.empty()) {
    if (is_of_unnamed_page(request))
      return fail(ErrorCode::forbidden,
                  "Pictures, frames and links of another web page get nothing here. Open the address by itself, or use fetch() "
                  "and --cors-allow-origin.");
    return {};
  }
  const std::string_view value = request.header("authorization");
  const std::size_t blank = value.find_first_of(" \t");
  const std::string_view scheme = value.substr(0, blank);
  if (blank == std::string_view::npos || (!equals_ignoring_case(scheme, "Bearer") && !equals_ignoring_case(scheme, "Token")))
    return fail(ErrorCode::token_missing, "This server needs its token. Send it as 'Authorization: Bearer <token>'.");
  if (!equal_in_constant_time(trimmed(value.substr(blank)), settings_.token))
    return fail(ErrorCode::token_invalid, "The token is wrong. Use the one this server was started with.");
  return {};
}

bool Gate::is_preflight(const Request& request) const {
  return !request.header("access-control-request-method").empty() && allows_origin(request.header("origin"));
}

Response Gate::preflight(const Request& request, std::string_view allow) const {
  Response response = Response::empty(204);
  response.header("allow", allow);
  if (is_preflight(request)) {
    const std::vector<std::string>& methods = settings_.cors_methods;
    const std::vector<std::string>& headers = settings_.cors_headers;
    response.header("access-control-allow-methods",
                    methods.empty() ? std::string(default_cors_methods) : fmt::format("{}", fmt::join(methods, ", ")));
    response.header("access-control-allow-headers",
                    fmt::format("{}{}{}", usual_cors_headers, headers.empty() ? "" : ", ", fmt::join(headers, ", ")));
    response.header("access-control-max-age", "600");
  }
  return response;
}

void Gate::add_cors(const Request& request, Response& response) const {
  if (settings_.cors_origins.empty()) return;
  response.header("vary", "Origin");
  const std::string_view origin = request.header("origin");
  if (!allows_origin(origin)) return;
  response.header("access-control-allow-origin", origin);
  response.header("access-control-expose-headers", exposed_headers);
  if (settings_.cors_credentials) response.header("access-control-allow-credentials", "true");
}

}  // namespace sa
