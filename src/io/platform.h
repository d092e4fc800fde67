// What this machine offers, found by trying. Each call asks anew; all of it together takes microseconds.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace sa {

struct Platform {
  std::string system;   // "Linux"
  std::string kernel;   // "6.1.0-…"
  std::string machine;  // "x86_64"
  unsigned processors = 0;
  std::uint64_t descriptor_limit = 0;
  std::map<std::string, bool> features;
};

Platform look_at_platform();

struct MemoryUse {
  std::uint64_t resident = 0;  // bytes
  std::uint64_t peak = 0;
  unsigned threads = 0;
};

MemoryUse memory_use();  // of this process

std::optional<std::uint64_t> resident_bytes(pid_t pid);  // of another; none when it is gone

}  // namespace sa
