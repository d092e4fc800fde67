#include "files/hidden_name.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cstdint>

namespace sa {

std::string hidden_name() {
  std::uint64_t number = 0;
  while (::getrandom(&number, sizeof number, 0) < 0) {  // a signal came
  }
  return fmt::format(".sandbox-agent-{:016x}", number);
}

}  // namespace sa
