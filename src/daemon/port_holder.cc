#include "daemon/port_holder.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::string_view listening = "0A";

constexpr std::size_t longest_version = 64;
constexpr std::size_t longest_answer = 8192;
constexpr std::chrono::microseconds asking_time{500'000};  // together, whatever it is that answers

std::string inode_from(const char* path, std::uint16_t port) {
  std::ifstream table(path);
  return listening_inode(table, port);
}

// A process may be called anything.
std::string name_of(int pid) {
  std::string name;
  std::getline(std::ifstream(fmt::format("/proc/{}/comm", pid)), name);
  return is_printable_utf8(name) ? name : "a program";
}

bool holds(const std::string& descriptors, const std::string& socket) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(descriptors.c_str()), ::closedir);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    char target[64];
    const ssize_t length = ::readlink((descriptors + "/" + entry->d_name).c_str(), target, sizeof target);
    if (length > 0 && socket == std::string_view(target, static_cast<std::size_t>(length))) return true;
  }
  return false;
}

int process_with_socket(const std::string& inode) {
  const std::string socket = "socket:[" + inode + "]";
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(::opendir("/proc"), ::closedir);
  while (const dirent* entry = processes ? ::readdir(processes.get()) : nullptr) {
    const int pid = std::atoi(entry->d_name);
    if (pid > 0 && holds(fmt::format("/proc/{}/fd", pid), socket)) return pid;
  }
  return 0;
}

// What GET / of the holder says, if it speaks HTTP.
std::string ask_root(std::uint16_t port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const TimePoint deadline = Clock::now() + asking_time;
  const auto may_wait = [&](int option) {  // for the rest of the time; false when there is none
    const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
    const timeval patience{0, std::max(rest.count(), 1L)};
    return rest.count() > 0 && ::setsockopt(socket.get(), SOL_SOCKET, option, &patience, sizeof patience) == 0;
  };
  if (!may_wait(SO_SNDTIMEO)) return {};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return {};
  const std::string request = fmt::format("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", port);
  if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  std::string answer;
  char buffer[1024];
  while (answer.size() < longest_answer && may_wait(SO_RCVTIMEO)) {
    const ssize_t n = ::recv(socket.get(), buffer, sizeof buffer, 0);
    if (n <= 0) break;
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  return answer;
}

}  // namespace

std::string listening_inode(std::istream& table, std::uint16_t port) {
  const std::string wanted = fmt::format(":{:04X}", port);
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    fields >> number >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode;
    if (state == listening && local.ends_with(wanted)) return inode;
  }
  return {};
}

std::string_view version_in_answer(std::string_view answer) {
  constexpr std::string_view mark = R"("name":"Sandbox Agent","version":")";
  const std::size_t at = answer.find(mark);
  if (at == std::string_view::npos) return {};
  answer.remove_prefix(at + mark.size());
  const std::string_view found = answer.substr(0, answer.find('"'));
  return found.size() < answer.size() && found.size() <= longest_version && is_printable_utf8(found) ? found : "";
}

PortHolder find_port_holder(std::uint16_t port) {
  std::string inode = inode_from("/proc/net/tcp", port);
  if (inode.empty()) inode = inode_from("/proc/net/tcp6", port);
  const int pid = inode.empty() ? 0 : process_with_socket(inode);
  const std::string who = pid > 0 ? fmt::format("pid {}", pid) : "pid unknown";

  const std::string answer = ask_root(port);
  if (const std::string_view found = version_in_answer(answer); !found.empty())
    return {fmt::format("sandbox-agent {} ({}), healthy", found, who), true};
  if (pid == 0) return {};
  return {fmt::format("{} ({})", name_of(pid), who), false};
}

}  // namespace sa
