#include "base/utc_time.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("times are written as RFC 3339 has them, before 1970, too") {
  CHECK(rfc3339({.tv_sec = 0, .tv_nsec = 0}) == "1970-01-01T00:00:00.000Z");
  CHECK(rfc3339({.tv_sec = 1'794'739'720, .tv_nsec = 123'999'999}) == "2026-11-15T10:48:40.123Z");
  CHECK(rfc3339({.tv_sec = -1, .tv_nsec = 500'000'000}) == "1969-12-31T23:59:59.500Z");
}

}  // namespace sa
