#include "daemon/port_holder.h"

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <sstream>
#include <thread>

#include "base/stop_flag.h"
#include "base/unique_fd.h"

namespace sa {
namespace {

constexpr std::string_view title =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
constexpr std::string_view connected =
    "   0: 0100007F:09A4 0100007F:C350 01 00000000:00000000 00:00000000 00000000  0  0 11 1 0 20\n";
constexpr std::string_view listening =
    "   1: 0100007F:09A4 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 22 1 0 100\n";

std::string inode_in(std::string_view rows, std::uint16_t port) {
  std::istringstream table(std::string(title) + std::string(rows));
  return listening_inode(table, port);
}

std::string answer_with(std::string_view version) {
  return "HTTP/1.1 200 OK\r\n\r\n{\"name\":\"Sandbox Agent\",\"version\":\"" + std::string(version);
}

// Answers whoever connects with a byte now and then, without end.
struct Dribbler {
  UniqueFd listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::uint16_t port = 0;
  StopFlag stop = false;
  std::thread thread;

  Dribbler() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(listener.get(), 1) == 0);
    REQUIRE(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
    thread = std::thread([this] { answer(); });
  }
  ~Dribbler() {
    stop = true;
    thread.join();
  }
  void answer() const {
    constexpr int between_bytes_ms = 50;
    pollfd news{.fd = listener.get(), .events = POLLIN, .revents = 0};
    while (!stop && ::poll(&news, 1, between_bytes_ms) == 0) {
    }
    const UniqueFd client(stop ? -1 : ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    while (!stop && ::send(client.get(), "x", 1, MSG_NOSIGNAL) == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(between_bytes_ms));
  }
};

}  // namespace

TEST_CASE("who holds a port is not listened to for ever") {
  const Dribbler dribbler;
  const PortHolder holder = find_port_holder(dribbler.port);
  CHECK_FALSE(holder.is_ours);
  CHECK(holder.text.contains("pid"));
}

TEST_CASE("the socket that listens on a port is found among those that are connected there") {
  CHECK(inode_in(std::string(connected) + std::string(listening), 2468) == "22");
  CHECK(inode_in(listening, 2469).empty());
  CHECK(inode_in(connected, 2468).empty());
  CHECK(inode_in("", 2468).empty());
  CHECK(inode_in("   1: 0100007F:09A4 00000000:0000 0A", 2468).empty());
}

TEST_CASE("a version is shown only when it can be one: anybody may answer on a port") {
  CHECK(version_in_answer(answer_with("0.1.0\"}")) == "0.1.0");
  CHECK(version_in_answer("HTTP/1.1 404 Not Found\r\n\r\n").empty());
  CHECK(version_in_answer(answer_with("0.1.0")).empty());
  CHECK(version_in_answer(answer_with("\x1b[2J\"}")).empty());
  CHECK(version_in_answer(answer_with(std::string(65, '1') + "\"}")).empty());
}

}  // namespace sa
