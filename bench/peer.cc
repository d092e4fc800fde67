#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "http_client.h"
#include "requests.h"

namespace bench {
namespace {

// Nobody else takes it within the next milliseconds: the kernel gives the one after.
int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    give_up("a free port");
  ::close(fd);
  return ntohs(address.sin_port);
}

}  // namespace

Contest::Contest(const Setup& setup)
    : daemon_(setup.programs.daemon), peer_(setup.programs.peer), data_(setup.scratch.make_folder()) {
  if (::access(peer_.c_str(), X_OK) != 0) give_up(peer_.c_str());
  const std::string launchers = data_ + "/sandbox-agent/bin/agent_processes";
  std::filesystem::create_directories(launchers);
  if (::symlink(setup.programs.echo_agent.c_str(), (launchers + "/mock-acp").c_str()) != 0) give_up("symlink");
}

Server Contest::start(const std::string& program, std::vector<std::string> environment) const {
  environment.push_back("HOME=" + data_);
  environment.push_back("XDG_DATA_HOME=" + data_);
  const int port = free_port();
  return {Process({program, "server", "--no-token", "--no-telemetry", "--host", "127.0.0.1", "--port", std::to_string(port)},
                  environment),
          port};
}

void start_contest_instance(const Server& server, std::string_view id) {
  HttpClient(server.port()).exchange(post(server.port(), contest_target(id), prompt(first_id)));
}

}  // namespace bench
