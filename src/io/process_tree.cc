#include "io/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

namespace sa {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

bool read_whole(const char* path, std::string& out) {
  out.clear();
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) > 0) out.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return true;
}

pid_t number(const char* text) {
  pid_t value = 0;
  const char* end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc{} && stop == end ? value : 0;
}

void append_numbers(std::string_view text, std::vector<pid_t>& out) {
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    pid_t value = 0;
    auto [stop, error] = std::from_chars(at, end, value);
    if (error == std::errc{}) out.push_back(value);
    at = stop == at ? at + 1 : stop;
  }
}

// A number in /proc/<pid>/stat, counted as in proc(5) from 4 on. The fields are found behind the command name, which may itself
// hold blanks and parentheses.
unsigned long long stat_field(pid_t pid, int field) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::string stat;
  if (!read_whole(path, stat)) return 0;
  std::size_t at = stat.rfind(')');
  for (int skipped = 2; at != std::string::npos && skipped < field; ++skipped) at = stat.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoull(stat.c_str() + at, nullptr, 10);
}

pid_t parent_of(pid_t pid) { return static_cast<pid_t>(stat_field(pid, 4)); }

// For kernels without /proc/<pid>/task/<tid>/children.
std::vector<pid_t> children_by_scan(pid_t parent) {
  std::vector<pid_t> found;
  Directory proc(::opendir("/proc"));
  if (!proc) return found;
  while (const dirent* entry = ::readdir(proc.get())) {
    const pid_t pid = number(entry->d_name);
    if (pid > 0 && parent_of(pid) == parent) found.push_back(pid);
  }
  return found;
}

}  // namespace

unsigned long long start_ticks(pid_t pid) { return stat_field(pid, 22); }

unsigned long long now_ticks() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto per_second = static_cast<unsigned long long>(::sysconf(_SC_CLK_TCK));
  return static_cast<unsigned long long>(now.tv_sec) * per_second +
         static_cast<unsigned long long>(now.tv_nsec) * per_second / 1'000'000'000;
}

std::vector<pid_t> children_of(pid_t parent) {
  char path[96];
  std::snprintf(path, sizeof path, "/proc/%d/task", parent);
  Directory tasks(::opendir(path));
  if (!tasks) return {};
  std::vector<pid_t> found;
  std::string text;
  while (const dirent* entry = ::readdir(tasks.get())) {
    if (number(entry->d_name) == 0) continue;
    std::snprintf(path, sizeof path, "/proc/%d/task/%s/children", parent, entry->d_name);
    if (read_whole(path, text)) {
      append_numbers(text, found);
    } else if (errno == ENOENT && ::access("/proc/self/task", F_OK) == 0) {
      std::snprintf(path, sizeof path, "/proc/%d/task/%s/stat", parent, entry->d_name);
      if (::access(path, F_OK) == 0) return children_by_scan(parent);
    }
  }
  return found;
}

std::vector<pid_t> descendants_of(pid_t root) {
  std::vector<pid_t> found = children_of(root);
  for (std::size_t at = 0; at < found.size(); ++at)
    for (pid_t child : children_of(found[at])) found.push_back(child);
  return found;
}

}  // namespace sa
