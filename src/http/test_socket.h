// For tests: everything that comes from a socket, and everything that goes to it.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace sa {

inline std::string read_to_end(int fd) {
  std::string all;
  char buffer[65536];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) > 0) all.append(buffer, static_cast<std::size_t>(n));
  return all;
}

// As much as the other side takes.
inline void send_to(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace sa
