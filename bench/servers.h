// The daemon and the floors, each as a server on a free loopback port.
#pragma once

#include <string>
#include <vector>

#include "process.h"

namespace bench {

struct Programs {
  std::string daemon;
  std::string echo_agent;
  std::string epoll_proxy;
  std::string epoll_health;
  std::string transfer_floor;
  std::string epoll_fan_out;
  std::string peer = {};  // empty: there is none
};

class Server {
 public:
  // Must say "port":N in the first line it prints.
  explicit Server(std::vector<std::string> command);
  // One that was told its port; waits for its first 200 on /v1/health.
  Server(Process process, int port);

  int port() const { return port_; }
  const Process& process() const { return process_; }
  std::int64_t cpu_ns() const { return bench::cpu_ns(process_.pid()); }

 private:
  Process process_;
  int port_;
};

Server start_daemon(const Programs& programs, const std::vector<std::string>& flags = {});
Server start_proxy(const Programs& programs);
Server start_health(const Programs& programs);
Server start_transfer_floor(const Programs& programs);
enum class Log { forgets, keeps };
Server start_fan_out(const Programs& programs, Log log);

}  // namespace bench
