// A server that plays one prepared event stream to whoever connects, from the asked position on, as fast as it can. For proving
// that the oracle sees what is wrong and is fast enough. Serves each connection on a thread of its own; all joined by the
// destructor.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace rig {

class ScriptedServer {
 public:
  // `play(last_id)` gives the event bytes for a reader that has everything up to last_id.
  explicit ScriptedServer(std::function<std::string(std::uint64_t)> play) : play_(std::move(play)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 128) != 0) {
      throw std::runtime_error("cannot listen");
    }
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~ScriptedServer() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (auto& thread : threads_) thread.join();
    close(listener_);
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void accept_all() {
    for (int fd; (fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      threads_.emplace_back([this, fd] { serve(fd); });
    }
  }
  void serve(int fd) const {
    std::string request(4096, '\0');
    const auto n = recv(fd, request.data(), request.size(), 0);
    request.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    const auto header = request.find("Last-Event-ID: ");
    const auto events = play_(header == std::string::npos ? 0 : std::stoull(request.substr(header + 15)));
    std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nAcp-Instance-Id: one\r\n\r\n";
    for (std::size_t at = 0; at < events.size(); at += 60000) {
      const auto piece = events.substr(at, 60000);
      char size[20];
      std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
      answer.append(size).append(piece).append("\r\n");
    }
    answer += "0\r\n\r\n";
    for (std::size_t at = 0; at < answer.size();) {
      const auto sent = send(fd, answer.data() + at, answer.size() - at, MSG_NOSIGNAL);
      if (sent <= 0) break;
      at += static_cast<std::size_t>(sent);
    }
    close(fd);
  }

  std::function<std::string(std::uint64_t)> play_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread acceptor_;
  std::vector<std::thread> threads_;
};

}  // namespace rig
