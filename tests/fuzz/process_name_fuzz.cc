// The first byte chooses what is read; the rest is the name of a process, which the kernel puts into /proc as it is. Held:
// whatever a process is called, when it was started, how much memory it has and whether it runs is read the same.
// Inputs: at most 16 bytes.
#include <sys/prctl.h>
#include <unistd.h>

#include <string>

#include "daemon/server_state.h"
#include "fuzz_input.h"
#include "io/platform.h"
#include "io/process_tree.h"

namespace sa::fuzz {
namespace {

struct Truth {
  unsigned long long ticks = start_ticks(::getpid());
  ServerState state = own_state(Settings(), Token{}, "http://127.0.0.1:1");
};

void check_memory(const MemoryUse& use) {
  hold(use.threads >= 1 && use.resident > 0 && use.peak >= use.resident, "its memory is read");
}

void check(std::string_view input) {
  static const Truth truth;
  if (input.empty()) return;
  const std::string name(input.substr(1, 15));
  hold(::prctl(PR_SET_NAME, name.c_str()) == 0, "a process has any name");
  switch (static_cast<std::uint8_t>(input[0]) % 4) {
    case 0:
      hold(truth.ticks != 0 && start_ticks(::getpid()) == truth.ticks, "its start is read behind its name");
      return hold(truth.ticks <= now_ticks(), "it was started before now");
    case 1: return hold(is_running(truth.state), "a name makes nobody dead");
    case 2: return check_memory(memory_use());
    default: return hold(resident_bytes(::getpid()).value_or(0) > 0, "in both ways");
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
