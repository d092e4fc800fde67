#include "http_client.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace rig {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

[[noreturn]] void broken(const std::string& what) { throw std::runtime_error("broken answer: " + what); }

std::size_t number(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) broken("not a number: '" + std::string(text) + "'");
  return value;
}

Response parse_head(std::string_view head) {
  Response response;
  const auto first_end = head.find("\r\n");
  const auto status_line = head.substr(0, first_end);
  if (!status_line.starts_with("HTTP/1.1 ") || status_line.size() < 12) broken(std::string(status_line));
  response.status = static_cast<int>(number(status_line.substr(9, 3), 10));
  for (std::size_t at = first_end + 2; at < head.size();) {
    const auto end = head.find("\r\n", at);
    const auto line = head.substr(at, end - at);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) broken("header '" + std::string(line) + "'");
    auto value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    response.headers.emplace_back(lower(line.substr(0, colon)), value);
    at = end + 2;
  }
  return response;
}

}  // namespace

bool Response::has(std::string_view name) const { return count(name) > 0; }

std::size_t Response::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == lower(name); }));
}

std::string Response::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == lower(name)) return value;
  }
  return "";
}

Connection::Connection(std::uint16_t port, int receive_buffer) {
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (receive_buffer > 0) setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  const int on = 1;
  setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    close(fd_);
    throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
}

Connection::Connection(Connection&& other) noexcept : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

Connection::~Connection() {
  if (fd_ >= 0) close(fd_);
}

void Connection::send(std::string_view bytes) {
  const auto end = Clock::now() + scaled(usual_patience);
  while (!bytes.empty()) {
    pollfd output{.fd = fd_, .events = POLLOUT, .revents = 0};
    if (poll(&output, 1, milliseconds_until(end)) <= 0) throw TimedOut("the peer to take bytes");
    const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (n < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::size_t Connection::send_some(std::string_view bytes) {
  const auto n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

bool Connection::readable_within(milliseconds patience) { return readable_unscaled(scaled(patience)); }

bool Connection::readable_unscaled(milliseconds patience) {
  pollfd input{.fd = fd_, .events = POLLIN, .revents = 0};
  return !buffer_.empty() || poll(&input, 1, static_cast<int>(patience.count())) > 0;
}

bool Connection::read_more(milliseconds patience) {
  pollfd input{.fd = fd_, .events = POLLIN, .revents = 0};
  if (poll(&input, 1, static_cast<int>(scaled(patience).count())) <= 0) throw TimedOut("bytes from the peer");
  const auto old_size = buffer_.size();
  buffer_.resize(old_size + 65536);
  const auto n = recv(fd_, buffer_.data() + old_size, 65536, 0);
  buffer_.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return n > 0;
}

void Connection::need_more(Clock::time_point end, const char* what) {
  if (Clock::now() >= end) throw TimedOut(what);
  pollfd input{.fd = fd_, .events = POLLIN, .revents = 0};
  if (poll(&input, 1, milliseconds_until(end)) <= 0) throw TimedOut(what);
  if (!read_more()) broken(std::string("connection closed while reading ") + what);
}

std::string Connection::take(std::size_t bytes, Clock::time_point end) {
  while (buffer_.size() < bytes) need_more(end, "a body");
  std::string out = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return out;
}

std::string Connection::take_line(Clock::time_point end) {
  std::size_t at;
  while ((at = buffer_.find("\r\n")) == std::string::npos) need_more(end, "a line");
  std::string line = buffer_.substr(0, at);
  buffer_.erase(0, at + 2);
  return line;
}

Response Connection::read_head(milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  std::size_t at;
  while ((at = buffer_.find("\r\n\r\n")) == std::string::npos) need_more(end, "an answer");
  Response response = parse_head(std::string_view(buffer_).substr(0, at + 2));
  buffer_.erase(0, at + 4);
  return response;
}

Response Connection::read_response(bool to_head, milliseconds patience) {
  int continues = 0;
  Response response = read_head(patience);
  for (; response.status == 100; response = read_head(patience)) ++continues;
  response.continues = continues;
  const bool bodiless = to_head || response.status < 200 || response.status == 204 || response.status == 304;
  if (!bodiless) read_body(response, patience);
  return response;
}

void Connection::read_body(Response& response, milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  const bool sized = response.has("content-length");
  if (response.has("transfer-encoding")) {
    if (sized) broken("both Content-Length and Transfer-Encoding");
    if (response.header("transfer-encoding") != "chunked") broken("unknown transfer encoding");
    return read_chunks(response, end);
  }
  if (sized) {
    response.body = take(number(response.header("content-length"), 10), end);
    return;
  }
  if (lower(response.header("connection")) != "close") broken("an endless body on a kept connection");
  while (read_more(patience)) continue;
  response.body = std::exchange(buffer_, "");
}

void Connection::read_chunks(Response& response, Clock::time_point end) {
  for (;;) {
    const auto size = number(take_line(end), 16);
    response.body += take(size, end);
    if (!take_line(end).empty()) broken("chunk without its end");
    if (size == 0) return;
  }
}

bool Connection::closed_within(milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  for (;;) {
    pollfd input{.fd = fd_, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, milliseconds_until(end)) <= 0) return false;
    if (!read_more()) return true;
  }
}

void Connection::finish_sending() { shutdown(fd_, SHUT_WR); }

void Connection::reset() {
  const linger hard{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  close(std::exchange(fd_, -1));
}

std::string http_request(std::string_view method, std::string_view target, const Headers& headers, std::string_view body) {
  const auto given = [&](std::string_view name) {
    return std::any_of(headers.begin(), headers.end(), [&](const auto& h) { return lower(h.first) == name; });
  };
  std::string out;
  out.reserve(body.size() + 512);
  out.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
  if (!given("host")) out += "Host: localhost\r\n";
  for (const auto& [name, value] : headers) out.append(name).append(": ").append(value).append("\r\n");
  const bool has_body = !body.empty() || method == "POST" || method == "PUT";
  if (has_body && !given("content-length") && !given("transfer-encoding")) {
    out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return out.append("\r\n").append(body);
}

}  // namespace rig
