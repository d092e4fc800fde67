// What is asked of one server: the request as it was given, or as a redirect left it. A value; the body belongs to the request.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "io/fetch.h"
#include "io/response_head.h"
#include "io/url_parts.h"

namespace sa {

struct FetchStep {
  UrlParts url;
  std::string method;
  FetchHeaders headers;
  std::string_view body;
  bool has_source = false;                       // the body comes from the request's source
  std::optional<std::uint64_t> source_length{};  // where that is known
};

// Refuses what cannot be sent: a URL, method or header that is malformed, and headers that frame the message. A URL's userinfo
// becomes an Authorization header. `request` outlives the step.
std::expected<FetchStep, FetchError> first_step(const FetchRequest& request);

bool is_redirect(const ResponseHead& head);

// Where a redirect leads. Never from https to http; credentials do not leave their origin; 303, 301 and 302 turn what is not a
// HEAD into a GET without a body.
std::expected<FetchStep, FetchError> next_step(const FetchStep& step, const ResponseHead& head);

// http to another machine where `secure_only` forbids it.
std::expected<void, FetchError> check_security(const FetchRequest& request, const UrlParts& url);

// The head that is sent. A proxy is told the whole URL.
std::string request_head(const FetchStep& step, bool names_whole_url, std::string_view proxy_authorization);

}  // namespace sa
