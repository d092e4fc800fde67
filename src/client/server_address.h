// Where a daemon is and what lets us in. A value.
#pragma once

#include <string>

namespace sa {

struct ServerAddress {
  std::string url;    // http://host:port, without a slash at the end
  std::string token;  // empty: none
};

}  // namespace sa
