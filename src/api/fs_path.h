// The paths of file requests. Loop thread: words only, nothing is opened.
#pragma once

#include "api/api.h"

namespace sa {

// The query parameter `path`; without one, or with an empty one, the root.
inline Result<GuardedPath> path_parameter(const Api& api, const Request& request) {
  TRY(const auto path, request.query_parameter("path"));
  return path && !path->empty() ? api.files.guard(*path) : api.files.top();
}

}  // namespace sa
