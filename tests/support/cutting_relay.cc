#include "cutting_relay.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <vector>

namespace rig {
namespace {

constexpr int look_ms = 5;                       // at what is wanted of us
constexpr std::size_t most_waiting = 64 * 1024;  // then nothing more is read: slow readers are felt through it

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

CuttingRelay::CuttingRelay(std::uint16_t target, Held held)
    : target_(target), held_(std::move(held)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  auto address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 128) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    close(listener_);
    throw std::runtime_error("the relay cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { loop(); });
}

CuttingRelay::~CuttingRelay() {
  stopping_ = true;
  thread_.join();
  for (Link& link : links_) close_link(link, false);
  close(listener_);
}

void CuttingRelay::loop() {
  while (!stopping_) {
    if (cut_wanted_.exchange(false)) {
      for (Link& link : links_) close_link(link, true);
      links_.clear();
    }
    std::vector<pollfd> watched = {{.fd = listener_, .events = POLLIN, .revents = 0}};
    for (const Link& link : links_) {
      const auto wants = [](const Pipe& in, const Pipe& out) {
        const bool reads = !in.ended && in.waiting.size() < most_waiting;
        return static_cast<short>((reads ? POLLIN : 0) | (out.waiting.empty() || out.is_held() ? 0 : POLLOUT));
      };
      watched.push_back({.fd = link.up.from, .events = wants(link.up, link.down), .revents = 0});
      watched.push_back({.fd = link.down.from, .events = wants(link.down, link.up), .revents = 0});
    }
    if (poll(watched.data(), watched.size(), look_ms) <= 0) continue;
    std::size_t at = 1;
    for (Link& link : links_) {
      const short client = watched[at++].revents;
      const short server = watched[at++].revents;
      pump(link, link.up, client, server);
      pump(link, link.down, server, client);
      if (link.up.ended && link.down.ended && link.up.waiting.empty() && link.down.waiting.empty()) link.broken = true;
    }
    std::erase_if(links_, [this](Link& link) {
      if (link.broken) close_link(link, false);
      return link.broken;
    });
    if (watched.front().revents != 0) accept_one();
  }
}

void CuttingRelay::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (client < 0) return;
  if (refuses_) {
    close(client);
    ++refused_;
    return;
  }
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(target_);
  if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(client);
    close(server);
    return;
  }
  fcntl(server, F_SETFL, O_NONBLOCK);
  links_.push_back({.up = {.from = client, .to = server}, .down = {.from = server, .to = client}});
}

void CuttingRelay::pump(Link& link, Pipe& pipe, short revents_from, short revents_to) const {
  if ((revents_from & (POLLIN | POLLHUP | POLLERR)) != 0 && !pipe.ended && pipe.waiting.size() < most_waiting) {
    char bytes[16 * 1024];
    const auto n = recv(pipe.from, bytes, sizeof bytes, 0);
    if (n > 0) pipe.waiting.append(bytes, static_cast<std::size_t>(n));
    if (n == 0) pipe.ended = true;
    if (n < 0 && errno != EAGAIN) link.broken = true;
    const bool is_held = &pipe == &link.up && !held_.part.empty() && pipe.waiting.contains(held_.part);
    if (is_held && !pipe.held_until) pipe.held_until = Clock::now() + held_.time;
  }
  if (!pipe.waiting.empty() && !pipe.is_held()) {
    const auto n = send(pipe.to, pipe.waiting.data(), pipe.waiting.size(), MSG_NOSIGNAL);
    if (n > 0) pipe.waiting.erase(0, static_cast<std::size_t>(n));
    if (n < 0 && errno != EAGAIN) link.broken = true;
  }
  if ((revents_to & POLLERR) != 0) link.broken = true;
  if (pipe.ended && pipe.waiting.empty()) shutdown(pipe.to, SHUT_WR);
}

void CuttingRelay::close_link(Link& link, bool abruptly) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  for (const int fd : {link.up.from, link.down.from}) {
    if (abruptly) setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd);
  }
}

}  // namespace rig
