// A http or https URL in its parts. A value and pure functions.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sa {

struct UrlParts {
  bool secure = false;
  std::string host;  // lower case; an IPv6 address without its brackets
  std::uint16_t port = 0;
  std::string target = "/";  // path and query
  std::string userinfo;      // still encoded

  std::string authority() const;  // as in a Host header: the port only where it is not the scheme's
  std::string endpoint() const;   // host and port
  std::string text() const;       // without the userinfo
  bool same_origin(const UrlParts& other) const;
};

// The error is the reason and repeats nothing of the URL, which may hold credentials.
using ParsedUrl = std::expected<UrlParts, std::string>;
ParsedUrl parse_url(std::string_view text);

// A redirect's Location as seen from `base`: a URL, or a reference relative to it.
ParsedUrl resolve_url(const UrlParts& base, std::string_view reference);

bool is_ip_address(std::string_view host);
bool is_loopback(std::string_view host);  // 127.0.0.0/8, ::1 or localhost

}  // namespace sa
