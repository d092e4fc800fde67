// The body of a request, read on demand: a handler that does not ask makes the client wait (back-pressure), one that never
// asks costs nothing. Lives as long as the request. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/task.h"

namespace sa {

class BodyReader {
 public:
  virtual ~BodyReader() = default;
  // The next piece, valid until the next call; empty at the end. Errors: payload_too_large, request_timeout,
  // invalid_request (broken chunk, client gone).
  virtual Task<Result<std::string_view>> next() = 0;
  // The whole body in one string.
  virtual Task<Result<std::string>> all() = 0;
};

}  // namespace sa
