#include "files/hidden_name.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace sa {

std::string random_word() {
  static std::atomic<std::uint64_t> count = 0;
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)  // which some sandboxes forbid
    number = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) + (++count << 48);
  return fmt::format("{:016x}", number);
}

std::string hidden_name() { return ".sandbox-agent-" + random_word(); }

}  // namespace sa
