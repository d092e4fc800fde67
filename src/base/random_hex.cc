#include "base/random_hex.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace sa {
namespace {

// Every bit of the result depends on every bit of the number (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

// The process, its place in memory, the time and a count: different for every call in every process.
std::vector<unsigned char> made_up(std::size_t bytes) {
  static std::atomic<std::uint64_t> count = 0;
  const auto time = std::chrono::system_clock::now().time_since_epoch().count();
  std::uint64_t state = mixed(static_cast<std::uint64_t>(time)) ^ mixed(reinterpret_cast<std::uintptr_t>(&bytes)) ^
                        mixed(static_cast<std::uint64_t>(::getpid()) << 32 | ++count);
  std::vector<unsigned char> made(bytes);
  for (unsigned char& byte : made) byte = static_cast<unsigned char>(mixed(state += 0x9e3779b97f4a7c15));
  return made;
}

}  // namespace

std::string random_hex(std::size_t bytes) {
  std::vector<unsigned char> random(bytes);
  if (::getrandom(random.data(), bytes, GRND_NONBLOCK) != static_cast<ssize_t>(bytes))  // which some sandboxes forbid
    random = made_up(bytes);
  std::string text;
  for (unsigned char byte : random) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace sa
