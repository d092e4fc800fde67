// Where a daemon is and what lets us in. A value.
#pragma once

#include <string>

namespace sa {

struct ServerAddress {
  std::string url;       // http://host:port, without a slash at the end
  std::string token;     // empty: none
  std::string origin{};  // who named it, when that was not a daemon's own state: for words
};

}  // namespace sa
