#include "base/log.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <string>

#include "base/utc_time.h"

namespace sa::log {
namespace {

std::atomic<Level> threshold{Level::info};
std::atomic<int> descriptor{STDERR_FILENO};
std::atomic<unsigned> dropped{0};

constexpr std::size_t longest_line = 4000;  // below PIPE_BUF: a pipe that polls writable takes it whole

const char* word(Level level) {
  switch (level) {
    case Level::debug: return "debug";
    case Level::info: return "info ";
    case Level::warn: return "warn ";
    default: return "error";
  }
}

std::string stamp() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return rfc3339(now);
}

bool try_write(std::string_view text) {
  pollfd ready{descriptor.load(), POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) return false;
  return ::write(ready.fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

void set_level(Level level) { threshold = level; }
bool enabled(Level level) { return level >= threshold.load(std::memory_order_relaxed); }

bool set_file(const char* path) {
  int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  descriptor = fd;
  return true;
}

void write(Level level, std::string_view text) {
  std::string out = fmt::format("{} {} {}", stamp(), word(level), text.substr(0, longest_line));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  const unsigned lost = dropped.exchange(0);
  if (lost > 0) out += fmt::format(" ({} earlier lines dropped)", lost);
  out += '\n';
  if (!try_write(out)) dropped += lost + 1;
}

void give_up(std::string_view why) {
  write(Level::error, why);
  std::_Exit(1);
}

}  // namespace sa::log
