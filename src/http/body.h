// The body of a request, read on demand: a handler that does not ask makes the client wait (back-pressure), one that never
// asks costs nothing. Lives as long as the request. Loop thread only, but for pull().
#pragma once

#include <cstdint>
#include <functional>
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

  // For bodies of any size. Hands every piece to `sink` on worker threads; a client that pauses holds none of them. Ends with
  // the first error, of the body or the sink.
  using Sink = std::function<Result<void>(std::string_view piece)>;
  virtual Task<Result<void>> pour(Sink sink) = 0;

  // For a worker thread of the handler's own, while the handler waits for it: the next piece as next() gives it, waited for on
  // that thread. begin() comes first, on the loop, and waits for the first bytes.
  virtual Task<Result<void>> begin() = 0;
  virtual Result<std::string_view> pull() = 0;
};

// What goes wrong with bodies.
Error client_left();
Error body_too_slow();
Error body_too_large(std::uint64_t limit);

}  // namespace sa
