#include "base/failure.h"

namespace sa {

Failure failure_of(const Error& error) {
  return {.exit = error_row(error.code).exit, .what = error.detail, .code = std::string(error_row(error.code).word)};
}

}  // namespace sa
