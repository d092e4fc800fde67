// A proxy between clients and the daemon that cuts connections when it is told to, in the middle of whatever goes through. One
// thread of its own relays; the others command it. Refers to nothing but the port.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <thread>

#include "deadline.h"

namespace rig {

class CuttingRelay {
 public:
  // A connection on which a client sends `part` stands still for so long before that goes on.
  struct Held {
    std::string part;
    milliseconds time = milliseconds::zero();
  };
  explicit CuttingRelay(std::uint16_t target) : CuttingRelay(target, Held()) {}
  CuttingRelay(std::uint16_t target, Held held);
  ~CuttingRelay();
  CuttingRelay(const CuttingRelay&) = delete;
  CuttingRelay& operator=(const CuttingRelay&) = delete;

  std::uint16_t port() const { return port_; }
  // Cuts what is open now, both ways; new connections are taken.
  void cut_all() { cut_wanted_ = true; }
  void refuse(bool on) { refuses_ = on; }  // new connections
  int refused() const { return refused_; }

 private:
  struct Pipe {
    int from;
    int to;
    std::string waiting = {};  // read, and not taken by the other side yet
    bool ended = false;        // nothing more comes
    std::optional<Clock::time_point> held_until = {};
    bool is_held() const { return held_until && Clock::now() < *held_until; }
  };
  struct Link {
    Pipe up;
    Pipe down;
    bool broken = false;
  };

  void loop();
  void accept_one();
  void pump(Link& link, Pipe& pipe, short revents_from, short revents_to) const;
  void close_link(Link& link, bool abruptly);

  std::uint16_t target_;
  Held held_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::list<Link> links_;
  std::atomic<bool> cut_wanted_ = false;
  std::atomic<bool> refuses_ = false;
  std::atomic<int> refused_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace rig
