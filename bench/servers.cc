#include "servers.h"

#include <cstdlib>
#include <utility>

namespace bench {

Server::Server(std::vector<std::string> command) : process_(std::move(command)), port_(0) {
  static const std::string name = "\"port\":";
  const std::size_t at = process_.first_line().find(name);
  if (at != std::string::npos) port_ = std::atoi(process_.first_line().c_str() + at + name.size());
  if (port_ == 0) give_up(("no port in: " + process_.first_line()).c_str());
}

Server start_daemon(const Programs& programs) {
  return Server({programs.daemon, "server", "--no-token", "--port", "0", "--json", "--log-level", "warn", "--agent",
                 "echo=" + programs.echo_agent});
}

Server start_proxy(const Programs& programs) { return Server({programs.epoll_proxy, programs.echo_agent}); }
Server start_health(const Programs& programs) { return Server({programs.epoll_health}); }

Server start_transfer_floor(const Programs& programs) { return Server({programs.transfer_floor}); }

}  // namespace bench
