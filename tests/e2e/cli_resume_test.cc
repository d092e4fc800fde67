// Between the command and its daemon stands a relay that cuts every connection on demand.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "support/cli_home.h"

using namespace rig;

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// Passes bytes both ways. cut() breaks what is open; new connections are fine again.
class Relay {
 public:
  explicit Relay(std::uint16_t target) : target_(target), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    REQUIRE_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    REQUIRE_EQ(listen(listener_, 64), 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~Relay() {
    over_ = true;
    shutdown(listener_, SHUT_RDWR);
    cut();
    acceptor_.join();
    for (std::thread& thread : pumps_) thread.join();
    close(listener_);
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::uint16_t port() const { return port_; }
  void refuse(bool on) { refuses_ = on; }  // new connections

  void cut() {
    const std::lock_guard lock(mutex_);
    for (const int fd : open_) shutdown(fd, SHUT_RDWR);
  }

 private:
  void accept_all() {
    while (!over_) {
      const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      if (refuses_) {
        close(client);
        continue;
      }
      const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const sockaddr_in address = loopback(target_);
      if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close(client);
        close(server);
        continue;
      }
      const std::lock_guard lock(mutex_);
      open_.insert(open_.end(), {client, server});
      pumps_.emplace_back([this, client, server] { pump(client, server); });
    }
  }

  void pump(int client, int server) {
    pollfd ends[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    char buffer[65536];
    bool open = true;
    while (open && poll(ends, 2, -1) > 0) {
      for (int from = 0; from < 2; ++from) {
        if (ends[from].revents == 0) continue;
        const ssize_t size = recv(ends[from].fd, buffer, sizeof buffer, 0);
        if (size <= 0 || send(ends[1 - from].fd, buffer, static_cast<std::size_t>(size), MSG_NOSIGNAL) != size) open = false;
      }
    }
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [=](int fd) { return fd == client || fd == server; });
    close(client);
    close(server);
  }

  std::uint16_t target_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> over_ = false;
  std::atomic<bool> refuses_ = false;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> pumps_;
  std::thread acceptor_;
};

std::string steps(int count) {
  std::string text;
  for (int step = 1; step <= count; ++step)
    text += "step " + std::to_string(step) + " of " + std::to_string(count) + (step < count ? "\n" : "");
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("cli_run");

TEST_CASE("a connection that breaks again and again during a turn loses nothing and shows nothing twice") {
  const Daemon daemon;
  Relay relay(daemon.port());
  CliHome home;
  home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(relay.port()));
  home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  auto command = home.start({"run", "--agent", "mock", "/slow 8"});
  for (int step = 1; step <= 6; step += 2) {
    REQUIRE(eventually([&] { return command->out().find("step " + std::to_string(step) + " of") != std::string::npos; }));
    relay.cut();
  }
  const auto ended = command->end();
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  std::string text = ended.out;
  while (text.ends_with('\n')) text.pop_back();
  CHECK_EQ(text, steps(8));
  CHECK(contains(ended.err, "trying again"));
}

TEST_CASE("an answer that is lost while the connection is gone ends the command instead of keeping it waiting") {
  const Daemon daemon({"--ring-messages", "4", "--reader-hold-ms", "0", "--reader-stall-ms", "0"});
  Relay relay(daemon.port());
  CliHome home;
  home.set("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(relay.port()));
  home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  const auto command = home.start({"run", "--agent", "mock", "/slow 3"});
  REQUIRE(eventually([&] { return command->out().find("step 1 of") != std::string::npos; }));
  relay.refuse(true);
  relay.cut();
  Api api(daemon.port(), daemon.token());
  CHECK(eventually([&] { return contains(api.get("/v1/acp").body, "\"pendingRequests\":0"); }));
  const std::string id(parse_json(api.get("/v1/acp").body).at("servers").at(0).at("serverId").as_string());
  Acp other(api, id, "mock");
  for (int i = 0; i < 6; ++i) CHECK_EQ(other.call("session/list", "{}").status, 200);
  relay.refuse(false);
  const auto ended = command->end();
  INFO(ended.err);
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "answer was lost"));
}

TEST_CASE("a daemon that dies in the middle of a turn ends the command with exit code 3") {
  CliHome home;
  home.start_daemon();
  auto command = home.start({"run", "/slow 1000"});
  REQUIRE(eventually([&] { return command->out().find("step 1 of") != std::string::npos; }));
  kill(home.daemon().pid(), SIGKILL);
  const auto ended = command->end(milliseconds(45'000));
  CHECK_EQ(ended.code, 3);
  CHECK(contains(ended.err, "error: "));
}

TEST_SUITE_END();
