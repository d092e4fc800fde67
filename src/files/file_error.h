// The one funnel from errno to a problem about a path. Pure functions.
#pragma once

#include <string_view>

#include "base/result.h"

namespace sa {

// What to tell somebody who asked for `path` when a system call said `error_number`.
Error file_error(int error_number, std::string_view path);

inline std::unexpected<Error> fail_file(int error_number, std::string_view path) {
  return fail(file_error(error_number, path));
}

}  // namespace sa
