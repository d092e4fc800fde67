// The value of an Authorization or Proxy-Authorization header from a URL's userinfo.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sa {

// "Basic …". nullopt when the userinfo is malformed: a broken escape.
std::optional<std::string> basic_credentials(std::string_view userinfo);

}  // namespace sa
