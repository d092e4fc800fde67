#include "servers.h"

#include <cstdlib>
#include <utility>

#include "http_client.h"

namespace bench {

Server::Server(std::vector<std::string> command) : process_(std::move(command)), port_(0) {
  static const std::string name = "\"port\":";
  const std::size_t at = process_.first_line().find(name);
  if (at != std::string::npos) port_ = std::atoi(process_.first_line().c_str() + at + name.size());
  if (port_ == 0) give_up(("no port in: " + process_.first_line()).c_str());
}

Server::Server(Process process, int port) : process_(std::move(process)), port_(port) { wait_until_healthy(port_); }

Server start_daemon(const Programs& programs, const std::vector<std::string>& flags) {
  std::vector<std::string> command{programs.daemon, "server",      "--no-token", "--port",  "0",
                                   "--json",        "--log-level", "warn",       "--agent", "echo=" + programs.echo_agent};
  command.insert(command.end(), flags.begin(), flags.end());
  return Server(std::move(command));
}

Server start_proxy(const Programs& programs) { return Server({programs.epoll_proxy, programs.echo_agent}); }
Server start_health(const Programs& programs) { return Server({programs.epoll_health}); }

Server start_transfer_floor(const Programs& programs) { return Server({programs.transfer_floor}); }

Server start_fan_out(const Programs& programs, Log log) {
  std::vector<std::string> command{programs.epoll_fan_out, programs.echo_agent};
  if (log == Log::keeps) command.emplace_back("keep");
  return Server(std::move(command));
}

}  // namespace bench
