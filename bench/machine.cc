#include "machine.h"

#include <fstream>
#include <string_view>

namespace bench {
namespace {

std::string text_after_colon(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
  return begin == std::string_view::npos ? "" : std::string(line.substr(begin));
}

}  // namespace

Machine this_machine() {
  Machine machine{.processor = "unknown", .cores = 0, .memory_mib = 0, .kernel = "unknown"};
  std::string line;
  for (std::ifstream file("/proc/cpuinfo"); std::getline(file, line);) {
    if (line.starts_with("processor")) ++machine.cores;
    if (line.starts_with("model name")) machine.processor = text_after_colon(line);
  }
  for (std::ifstream file("/proc/meminfo"); std::getline(file, line);)
    if (line.starts_with("MemTotal:")) machine.memory_mib = std::stoll(text_after_colon(line)) / 1024;
  if (std::ifstream file("/proc/sys/kernel/osrelease"); std::getline(file, line)) machine.kernel = line;
  return machine;
}

}  // namespace bench
