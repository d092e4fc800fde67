#include "http/body.h"

#include <fmt/format.h>

namespace sa {

Error client_left() { return {ErrorCode::invalid_request, "The client hung up before the whole body arrived.", {}}; }

Error body_too_slow() { return {ErrorCode::request_timeout, "The body stopped arriving. Send it without long pauses.", {}}; }

Error body_too_large(std::uint64_t limit) {
  return Error{ErrorCode::payload_too_large,
               fmt::format("The body is larger than the {} bytes this route takes. Send less, or raise the limit with "
                           "the server's flags.",
                           limit),
               {}}
      .with_number("limit", static_cast<long long>(limit));
}

}  // namespace sa
