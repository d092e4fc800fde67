#include "http_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "process.h"
#include "requests.h"

namespace bench {
namespace {

constexpr std::size_t receive_at_once = 256 * 1024;
constexpr std::string_view length_name = "\r\ncontent-length:";
constexpr std::string_view chunked_line = "\r\ntransfer-encoding: chunked";
constexpr std::string_view last_chunk = "\r\n0\r\n\r\n";

thread_local char scratch[receive_at_once];

bool line_starts_with(std::string_view bytes, std::size_t at, std::string_view wanted) {
  return ::strncasecmp(bytes.data() + at, wanted.data(), wanted.size()) == 0;
}

}  // namespace

AnswerSpan find_answer(std::string_view bytes) {
  AnswerSpan span;
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return span;
  if (!bytes.starts_with("HTTP/1.1 200 ")) {
    errno = 0;
    give_up(("unexpected answer: " + std::string(bytes)).c_str());
  }
  span.head_size = end + 4;
  for (std::size_t at = bytes.find('\r'); at < end; at = bytes.find('\r', at + 2)) {
    if (line_starts_with(bytes, at, length_name))
      span.body_size = std::strtoull(bytes.data() + at + length_name.size(), nullptr, 10);
    if (line_starts_with(bytes, at, chunked_line)) {
      span.complete = bytes.substr(end).ends_with(last_chunk);
      span.body_size = bytes.size() - span.head_size;
      return span;
    }
  }
  span.complete = bytes.size() >= span.head_size + span.body_size;
  return span;
}

namespace {

// -1: nobody listens there.
int try_to_connect(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0) give_up("socket");
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    return -1;
  }
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

}  // namespace

int connect_to(int port) {
  const int fd = try_to_connect(port);
  if (fd < 0) give_up("connect");
  return fd;
}

void wait_until_healthy(int port) {
  constexpr int step_us = 100;
  constexpr int longest_us = 10'000'000;
  for (int waited_us = 0; waited_us < longest_us; waited_us += step_us) {
    const int fd = try_to_connect(port);
    if (fd >= 0) {
      HttpClient(fd, HttpClient::Connected{}).exchange(get(port, "/v1/health"));
      errno = 0;
      return;
    }
    ::usleep(step_us);
  }
  give_up("a server that does not start");
}

HttpClient::~HttpClient() {
  if (fd_ >= 0) ::close(fd_);
}

std::string_view HttpClient::exchange(std::string_view request) {
  send(request);
  return receive();
}

void HttpClient::send(std::string_view request) {
  while (!request.empty()) {
    const ssize_t n = ::send(fd_, request.data(), request.size(), MSG_NOSIGNAL);
    if (n <= 0) give_up("send");
    request.remove_prefix(static_cast<std::size_t>(n));
  }
}

void HttpClient::receive_some() {
  const ssize_t n = ::recv(fd_, scratch, sizeof scratch, 0);
  if (n <= 0) give_up("receive");
  in_.append(scratch, static_cast<std::size_t>(n));
}

std::string_view HttpClient::receive() {
  receive_head();
  AnswerSpan span;
  while (!(span = find_answer(in_)).complete) receive_some();
  used_ = span.head_size + span.body_size;
  return std::string_view(in_).substr(span.head_size, span.body_size);
}

void HttpClient::receive_head() {
  in_.erase(0, used_);
  used_ = 0;
  while (find_answer(in_).head_size == 0) receive_some();
}

std::size_t HttpClient::receive_away() {
  receive_head();
  const AnswerSpan span = find_answer(in_);
  std::size_t missing = span.head_size + span.body_size - in_.size();
  while (missing > 0) {
    const ssize_t n = ::recv(fd_, scratch, std::min(sizeof scratch, missing), 0);
    if (n <= 0) give_up("receive");
    missing -= static_cast<std::size_t>(n);
  }
  in_.clear();
  return span.body_size;
}

void HttpClient::send_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) give_up(path.c_str());
  ssize_t n = 0;
  while ((n = ::sendfile(fd_, file, nullptr, receive_at_once)) > 0) continue;
  if (n < 0) give_up("sendfile");
  ::close(file);
}

}  // namespace bench
