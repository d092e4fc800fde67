#include "http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "process.h"

namespace bench {
namespace {

constexpr std::size_t receive_at_once = 256 * 1024;
constexpr std::string_view length_name = "\r\ncontent-length:";

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
    if (::strncasecmp(bytes.data() + at, length_name.data(), length_name.size()) == 0)
      span.body_size = std::strtoull(bytes.data() + at + length_name.size(), nullptr, 10);
  }
  span.complete = bytes.size() >= span.head_size + span.body_size;
  return span;
}

int connect_to(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) give_up("connect");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
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
  static char scratch[receive_at_once];
  const ssize_t n = ::recv(fd_, scratch, sizeof scratch, 0);
  if (n <= 0) give_up("receive");
  in_.append(scratch, static_cast<std::size_t>(n));
}

std::string_view HttpClient::receive() {
  in_.erase(0, used_);
  AnswerSpan span;
  while (!(span = find_answer(in_)).complete) receive_some();
  used_ = span.head_size + span.body_size;
  return std::string_view(in_).substr(span.head_size, span.body_size);
}

void HttpClient::receive_head() {
  while (find_answer(in_).head_size == 0) receive_some();
}

}  // namespace bench
