#include "base/failure.h"

namespace sa {

Failure failure_of(const Error& error) {
  return {.exit = error_row(error.code).exit, .what = error.detail, .more = error.extra("stderr")};
}

}  // namespace sa
