#include "base/utc_time.h"

#include <fmt/format.h>

namespace sa {

std::string rfc3339(const timespec& time) {
  std::tm parts{};
  gmtime_r(&time.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, time.tv_nsec / 1'000'000);
}

}  // namespace sa
