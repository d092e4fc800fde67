// Which proxy a URL is fetched through, as the environment says. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "io/url_parts.h"

namespace sa {

struct Proxy {
  std::string host;
  std::uint16_t port = 0;
  std::string authorization;  // of a Proxy-Authorization header; empty for none
};

// https_proxy or http_proxy, then all_proxy; lower case before upper case, an empty one counts as none. HTTP_PROXY is not heard
// inside a CGI program, where a client could set it. Loopback and what no_proxy names is reached directly.
// The error is a sentence that names the variable and not its value.
std::expected<std::optional<Proxy>, std::string> choose_proxy(const UrlParts& url, const Environment& environment);

// Entries between commas or blanks: "*", a name (and all below it), a name with a port, an address, an IPv4 range
// as 10.0.0.0/8.
bool is_exempt(const UrlParts& url, std::string_view no_proxy);

}  // namespace sa
