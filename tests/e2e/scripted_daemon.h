// A daemon whose answers are a test's: what happens between two requests of a command is chosen, not hoped for. One request per
// connection; they are answered on a thread of its own, one after the other.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "held_port.h"

namespace rig {

class ScriptedDaemon {
 public:
  // `answer` gets a target and gives the body; where it has `pause` nothing is sent for a while.
  static constexpr std::string_view pause = "<pause>";
  explicit ScriptedDaemon(std::function<std::string(const std::string& target)> answer)
      : answer_(std::move(answer)), thread_([this] { serve(); }) {}
  ~ScriptedDaemon() {
    stopping_ = true;
    thread_.join();
  }
  ScriptedDaemon(const ScriptedDaemon&) = delete;
  ScriptedDaemon& operator=(const ScriptedDaemon&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_.port); }

 private:
  void serve() const {
    while (!stopping_) {
      constexpr int look_ms = 5;
      pollfd news{.fd = port_.fd, .events = POLLIN, .revents = 0};
      if (poll(&news, 1, look_ms) <= 0) continue;
      const int client = accept4(port_.fd, nullptr, nullptr, SOCK_CLOEXEC);
      answer_one(client);
      close(client);
    }
  }

  void answer_one(int client) const {
    std::string head;
    for (char byte = 0; !head.ends_with("\r\n\r\n"); head += byte)
      if (recv(client, &byte, 1, 0) != 1) return;
    const auto begin = head.find(' ') + 1;
    const std::string body = answer_(head.substr(begin, head.find(' ', begin) - begin));
    std::size_t length = body.size();
    for (auto at = body.find(pause); at != std::string::npos; at = body.find(pause, at + 1)) length -= pause.size();
    std::string text = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" + body;
    for (auto end = text.find(pause); end != std::string::npos; end = text.find(pause)) {
      if (stopping_ || send(client, text.data(), end, MSG_NOSIGNAL) < 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      text.erase(0, end + pause.size());
    }
    (void)send(client, text.data(), text.size(), MSG_NOSIGNAL);
  }

  HeldPort port_;
  std::function<std::string(const std::string&)> answer_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace rig
