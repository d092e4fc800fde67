// The input is the name of a process, which the kernel puts into /proc as it is. Held: whatever a process is called, when it
// was started, how much memory it has and whether it runs is read the same.
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

void check(std::string_view input) {
  static const Truth truth;
  const std::string name(input.substr(0, 15));
  hold(::prctl(PR_SET_NAME, name.c_str()) == 0, "a process has any name");
  hold(truth.ticks != 0 && start_ticks(::getpid()) == truth.ticks, "its start is read behind its name");
  hold(truth.ticks <= now_ticks(), "it was started before now");
  hold(is_running(truth.state), "a name makes nobody dead");
  const MemoryUse use = memory_use();
  hold(use.threads >= 1 && use.resident > 0 && use.peak >= use.resident, "its memory is read");
  const auto resident = resident_bytes(::getpid());
  hold(resident && *resident > 0, "in both ways");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
