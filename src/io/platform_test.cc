#include "io/platform.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/prctl.h>

namespace sa {

TEST_CASE("the platform is found by trying, and looking leaves no descriptor open") {
  const Platform platform = look_at_platform();
  CHECK(platform.system == "Linux");
  CHECK_FALSE(platform.kernel.empty());
  CHECK(platform.processors > 0);
  CHECK(platform.descriptor_limit > 0);
  CHECK(platform.features.at("pidfd"));
  CHECK(platform.features.at("childSubreaper"));
}

TEST_CASE("memory use grows by what is allocated and touched") {
  constexpr std::size_t size = 16u << 20;
  const MemoryUse before = memory_use();
  void* block = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  const MemoryUse after = memory_use();
  ::munmap(block, size);
  CHECK(after.resident >= before.resident + size * 3 / 4);
  CHECK(after.peak >= after.resident);
  CHECK(after.threads >= 1);
}

TEST_CASE("memory use is read behind the process's name, whatever that is") {
  char before[16] = {};
  ::prctl(PR_GET_NAME, before);
  for (const char* name : {"VmRSS: x", "Threads: -", "VmHWM: 1 kB"}) {
    CAPTURE(name);
    ::prctl(PR_SET_NAME, name);
    const MemoryUse use = memory_use();
    CHECK(use.resident > 1024);
    CHECK(use.peak >= use.resident);
    CHECK(use.threads >= 1);
  }
  ::prctl(PR_SET_NAME, before);
}

}  // namespace sa
