// How work that may last is told to end: it looks at the flag now and then. Set once, at shutdown; any thread.
#pragma once

#include <atomic>

#include "base/result.h"

namespace sa {

using StopFlag = std::atomic<bool>;

// overloaded: what was begun is not finished.
inline std::unexpected<Error> fail_stopped() {
  return fail(ErrorCode::overloaded,
              "The daemon is shutting down. This was stopped in the middle; do it again when it is back.");
}

}  // namespace sa
