// The body of a request as the command line names it: a text, a file or stdin. Blocking.
#pragma once

#include <optional>
#include <string>

#include "base/failure.h"
#include "base/stop_flag.h"
#include "io/fetch.h"

namespace sa {

// TEXT itself, @FILE or "-" for stdin, as a whole. Failure: interrupted when `stop` is set meanwhile.
Outcome<std::string> body_text(const std::string& text, const StopFlag& stop);

// A file, or stdin for "-", piece by piece. `stop` outlives it; when it is set the source fails within 100 ms.
struct BodySource {
  FetchSource more;
  std::optional<std::uint64_t> length;  // of a regular file
};
Outcome<BodySource> open_body(const std::string& name, const StopFlag& stop);

}  // namespace sa
