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
#include <string_view>

#include "base/unique_fd.h"

namespace sa {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

// The error, or 0.
int read_whole(const char* path, std::string& out) {
  out.clear();
  const UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!fd) return errno;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(fd.get(), buffer, sizeof buffer)) > 0) out.append(buffer, static_cast<std::size_t>(n));
  return n < 0 ? errno : 0;
}

// There is no such process any more: that is an answer. Every other error is none.
bool says_gone(int error) { return error == ENOENT || error == ESRCH; }

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
int stat_field(pid_t pid, int field, unsigned long long& out) {
  out = 0;
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  std::string stat;
  if (const int error = read_whole(path, stat); error != 0) return error;
  std::size_t at = stat.rfind(')');
  for (int skipped = 2; at != std::string::npos && skipped < field; ++skipped) at = stat.find(' ', at + 1);
  if (at != std::string::npos) out = std::strtoull(stat.c_str() + at, nullptr, 10);
  return 0;
}

// For kernels without /proc/<pid>/task/<tid>/children.
Look children_by_scan(pid_t parent) {
  Look look;
  Directory proc(::opendir("/proc"));
  if (!proc) return {.pids = {}, .complete = false};
  while (const dirent* entry = ::readdir(proc.get())) {
    const pid_t pid = number(entry->d_name);
    if (pid <= 0) continue;
    unsigned long long its_parent = 0;
    const int error = stat_field(pid, 4, its_parent);
    if (error != 0 && !says_gone(error)) look.complete = false;
    if (its_parent == static_cast<unsigned long long>(parent)) look.pids.push_back(pid);
  }
  return look;
}

bool has_no_children_file(pid_t parent, const char* thread) {
  char path[96];
  std::snprintf(path, sizeof path, "/proc/%d/task/%s/stat", parent, thread);
  return ::access("/proc/self/task", F_OK) == 0 && ::access(path, F_OK) == 0;
}

void append(Look& look, Look more) {
  look.pids.insert(look.pids.end(), more.pids.begin(), more.pids.end());
  look.complete = look.complete && more.complete;
}

}  // namespace

unsigned long long start_ticks(pid_t pid) {
  unsigned long long ticks = 0;
  stat_field(pid, 22, ticks);
  return ticks;
}

unsigned long long now_ticks() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto per_second = static_cast<unsigned long long>(::sysconf(_SC_CLK_TCK));
  return static_cast<unsigned long long>(now.tv_sec) * per_second +
         static_cast<unsigned long long>(now.tv_nsec) * per_second / 1'000'000'000;
}

Look children_of(pid_t parent) {
  char path[96];
  std::snprintf(path, sizeof path, "/proc/%d/task", parent);
  Directory tasks(::opendir(path));
  Look look;
  look.complete = tasks || says_gone(errno);
  if (!tasks) return look;
  std::string text;
  while (const dirent* entry = ::readdir(tasks.get())) {
    if (number(entry->d_name) == 0) continue;
    std::snprintf(path, sizeof path, "/proc/%d/task/%s/children", parent, entry->d_name);
    const int error = read_whole(path, text);
    if (error == ENOENT && has_no_children_file(parent, entry->d_name)) return children_by_scan(parent);
    if (error != 0 && !says_gone(error)) look.complete = false;
    append_numbers(text, look.pids);
  }
  return look;
}

Look below(std::span<const pid_t> roots, std::size_t most_asked) {
  Look look;
  std::size_t asked = 0;
  for (; asked < roots.size() && asked < most_asked; ++asked) append(look, children_of(roots[asked]));
  for (std::size_t at = 0; at < look.pids.size() && asked < most_asked; ++at, ++asked) append(look, children_of(look.pids[at]));
  return look;
}

Look descendants_of(pid_t root, std::size_t most_asked) { return below({&root, 1}, most_asked); }

std::optional<std::string> environment_of(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/environ", pid);
  std::string environment;
  const int error = read_whole(path, environment);
  if (error != 0 && !says_gone(error) && error != EACCES) return std::nullopt;
  return environment;
}

}  // namespace sa
