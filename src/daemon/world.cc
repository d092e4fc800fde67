#include "daemon/world.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <fstream>

namespace sa {
namespace {

constexpr std::string_view of_machine = "pid:[4026531836]";  // PROC_PID_INIT_INO of the kernel

// Empty where it cannot be seen.
std::string process_namespace() {
  std::array<char, 64> name{};
  const ssize_t length = ::readlink("/proc/self/ns/pid", name.data(), name.size());
  return {name.data(), length > 0 ? static_cast<std::size_t>(length) : 0};
}

bool may_stand_in_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
}

}  // namespace

std::string this_world() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return boot + " " + process_namespace();
}

bool is_same_boot(const std::string& one, const std::string& other) {
  return one.substr(0, one.find(' ')) == other.substr(0, other.find(' '));
}

std::string machine_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), HOST_NAME_MAX);
  std::string machine = name.data();
  std::ranges::replace_if(machine, [](char c) { return !may_stand_in_a_name(c); }, '-');
  return machine;
}

std::string world_suffix() {
  std::string suffix = "-" + machine_name();
  const std::string space = process_namespace();
  if (space.empty() || space == of_machine) return suffix;
  const std::size_t begin = space.find('[') + 1;
  return suffix + "-" + space.substr(begin, space.find(']') - begin);
}

}  // namespace sa
