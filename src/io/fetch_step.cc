#include "io/fetch_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/version.h"
#include "io/basic_credentials.h"
#include "io/fetch_patience.h"
#include "io/lower_case.h"

namespace sa {
namespace {

using Kind = FetchError::Kind;

template <class Range, class Value>
bool is_one_of(const Range& all, const Value& value) {
  return std::ranges::find(all, value) != all.end();
}

bool has_header(const FetchHeaders& headers, std::string_view name) {
  return std::ranges::any_of(headers, [&](const auto& header) { return lower_case(header.first) == name; });
}

template <std::size_t Count>
void drop_headers(FetchHeaders& headers, const std::array<std::string_view, Count>& names) {
  std::erase_if(headers, [&](const auto& header) { return is_one_of(names, lower_case(header.first)); });
}

constexpr std::array<std::string_view, 7> framing_headers{"connection", "content-length",    "expect", "host",
                                                          "te",         "transfer-encoding", "upgrade"};
constexpr std::array<std::string_view, 3> credential_headers{"authorization", "cookie", "proxy-authorization"};
constexpr std::array<std::string_view, 4> body_headers{"content-type", "content-encoding", "content-language",
                                                       "content-location"};

std::expected<void, FetchError> check_headers(const FetchHeaders& headers) {
  for (const auto& [name, value] : headers) {
    if (!is_header_name(name) || !is_header_value(value))
      return fail_fetch(Kind::protocol, "A header of the request has characters that cannot be sent.");
    if (is_one_of(framing_headers, lower_case(name)))
      return fail_fetch(Kind::protocol, fmt::format("The header {} cannot be chosen; leave it out.", name));
  }
  return {};
}

}  // namespace

std::expected<FetchStep, FetchError> first_step(const FetchRequest& request) {
  auto url = parse_url(request.url);
  if (!url) return fail_fetch(Kind::bad_url, fmt::format("The URL cannot be used: {}.", url.error()));
  if (!is_header_name(request.method)) return fail_fetch(Kind::protocol, "The method of the request cannot be sent.");
  if (auto checked = check_headers(request.headers); !checked) return std::unexpected(std::move(checked).error());
  FetchStep step{std::move(*url),    request.method, request.headers, request.body, static_cast<bool>(request.more_body),
                 request.body_length};
  if (!step.url.userinfo.empty() && !has_header(step.headers, "authorization")) {
    auto credentials = basic_credentials(step.url.userinfo);
    if (!credentials)
      return fail_fetch(Kind::bad_url, "The URL cannot be used: its user name or password has a broken escape.");
    step.headers.emplace_back("Authorization", std::move(*credentials));
  }
  step.url.userinfo.clear();
  return step;
}

bool is_redirect(const ResponseHead& head) {
  constexpr std::array statuses{301, 302, 303, 307, 308};
  return is_one_of(statuses, head.status) && !head.header("location").empty();
}

std::expected<FetchStep, FetchError> next_step(const FetchStep& step, const ResponseHead& head) {
  auto url = resolve_url(step.url, head.header("location"));
  if (!url)
    return fail_fetch(Kind::bad_url,
                      fmt::format("{} redirects to a URL that cannot be used: {}.", step.url.endpoint(), url.error()));
  if (step.url.secure && !url->secure)
    return fail_fetch(Kind::insecure, fmt::format("{} redirects from https to http at {}, which is refused.",
                                                  step.url.endpoint(), url->endpoint()));
  FetchStep next{std::move(*url), step.method, step.headers, step.body};
  next.url.userinfo.clear();  // a redirect does not choose who we are
  if (!next.url.same_origin(step.url)) drop_headers(next.headers, credential_headers);
  constexpr int temporary = 307;
  constexpr int permanent = 308;
  if (head.status != temporary && head.status != permanent && step.method != "HEAD" && step.method != "GET") {
    next.method = "GET";
    next.body = {};
    drop_headers(next.headers, body_headers);
  }
  return next;
}

std::expected<void, FetchError> check_security(const FetchRequest& request, const UrlParts& url) {
  if (url.secure || !request.secure_only || is_loopback(url.host)) return {};
  return fail_fetch(Kind::insecure, fmt::format("http to {} is refused; use https.", url.endpoint()));
}

std::string request_head(const FetchStep& step, bool names_whole_url, std::string_view proxy_authorization) {
  std::string head = fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", step.method,
                                 names_whole_url ? step.url.text() : step.url.target, step.url.authority());
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  if (!has_header(step.headers, "user-agent")) add("User-Agent", std::string("sandbox-agent/") + version);
  if (!has_header(step.headers, "accept")) add("Accept", "*/*");
  if (!has_header(step.headers, "accept-encoding")) add("Accept-Encoding", "identity");
  if (!proxy_authorization.empty()) add("Proxy-Authorization", proxy_authorization);
  constexpr std::array<std::string_view, 3> with_body{"POST", "PUT", "PATCH"};
  if (step.has_source && !step.source_length) {
    add("Transfer-Encoding", "chunked");
  } else if (step.has_source) {
    add("Content-Length", std::to_string(*step.source_length));
  } else if (!step.body.empty() || is_one_of(with_body, step.method)) {
    add("Content-Length", std::to_string(step.body.size()));
  }
  for (const auto& [name, value] : step.headers) add(name, value);
  return head + "\r\n";
}

}  // namespace sa
