// A proxy between clients and the daemon that cuts connections when it is told to, in the middle of whatever goes through. One
// thread of its own relays; the others command it. Refers to nothing but the port.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <string>
#include <thread>

namespace rig {

class CuttingRelay {
 public:
  explicit CuttingRelay(std::uint16_t target);
  ~CuttingRelay();
  CuttingRelay(const CuttingRelay&) = delete;
  CuttingRelay& operator=(const CuttingRelay&) = delete;

  std::uint16_t port() const { return port_; }
  // Cuts what is open now, both ways; new connections are taken.
  void cut_all() { cut_wanted_ = true; }
  void refuse(bool on) { refuses_ = on; }  // new connections

 private:
  struct Pipe {
    int from;
    int to;
    std::string waiting = {};  // read, and not taken by the other side yet
    bool ended = false;        // nothing more comes
  };
  struct Link {
    Pipe up;
    Pipe down;
    bool broken = false;
  };

  void loop();
  void accept_one();
  static void pump(Link& link, Pipe& pipe, short revents_from, short revents_to);
  void close_link(Link& link, bool abruptly);

  std::uint16_t target_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::list<Link> links_;
  std::atomic<bool> cut_wanted_ = false;
  std::atomic<bool> refuses_ = false;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace rig
