#include "io/socket_connect.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <nss.h>
#include <poll.h>
#include <sys/socket.h>

#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sa {
namespace {

using Kind = FetchError::Kind;

constexpr Millis look_again{50};

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

std::optional<Address> numeric(const std::string& host, std::uint16_t port) {
  Address address;
  sockaddr_in v4{.sin_family = AF_INET, .sin_port = htons(port)};
  sockaddr_in6 v6{.sin6_family = AF_INET6, .sin6_port = htons(port)};
  if (::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1) {
    std::memcpy(&address.storage, &v4, address.size = sizeof v4);
  } else if (::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) == 1) {
    std::memcpy(&address.storage, &v6, address.size = sizeof v6);
  } else {
    return std::nullopt;
  }
  return address;
}

// A static binary must not load the name service modules of the machine it runs on: they belong to another C library.
void keep_to_builtin_name_services() {
  static std::once_flag once;
  std::call_once(once, [] { ::__nss_configure_lookup("hosts", "files dns"); });
}

// A look-up cannot be interrupted, so it has a thread of its own, which outlives who asked when need be. Shared by both.
struct LookUp {
  std::mutex mutex;
  std::condition_variable done;
  bool over = false;
  int failed = 0;
  int error_number = 0;
  std::vector<Address> addresses;
};

void run_look_up(const std::shared_ptr<LookUp>& question, const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  const std::lock_guard lock(question->mutex);
  question->error_number = errno;
  question->failed = failed;
  for (const addrinfo* at = failed == 0 ? found : nullptr; at; at = at->ai_next) {
    Address& address = question->addresses.emplace_back();
    address.size = at->ai_addrlen;
    std::memcpy(&address.storage, at->ai_addr, at->ai_addrlen);
  }
  if (failed == 0) ::freeaddrinfo(found);
  question->over = true;
  question->done.notify_all();
}

std::expected<std::vector<Address>, FetchError> look_up(const std::string& host, std::uint16_t port,
                                                        const FetchPatience& patience) {
  keep_to_builtin_name_services();
  const auto question = std::make_shared<LookUp>();
  try {
    std::thread(run_look_up, question, host, std::to_string(port)).detach();
  } catch (const std::system_error& none) {
    return fail_fetch(Kind::resolve, fmt::format("The host {} cannot be looked up: no thread: {}.", host, none.what()));
  }
  std::unique_lock lock(question->mutex);
  while (!question->done.wait_for(lock, look_again, [&] { return question->over; }))
    if (auto go_on = patience.check(); !go_on) return std::unexpected(std::move(go_on).error());
  if (question->failed == EAI_SYSTEM)
    return fail_fetch(Kind::resolve,
                      fmt::format("The host {} cannot be looked up: {}.", host, errno_text(question->error_number)));
  if (question->failed != 0)
    return fail_fetch(Kind::resolve,
                      fmt::format("The host {} cannot be looked up: {}.", host, ::gai_strerror(question->failed)));
  return question->addresses;
}

std::expected<std::vector<Address>, FetchError> addresses_of(const std::string& host, std::uint16_t port,
                                                             const FetchPatience& patience) {
  if (host == "localhost") return std::vector{*numeric("127.0.0.1", port), *numeric("::1", port)};
  if (const auto address = numeric(host, port)) return std::vector{*address};
  return look_up(host, port, patience);
}

struct Attempt {
  UniqueFd fd;
  int error = 0;
};

std::expected<Attempt, FetchError> try_address(const Address& address, const FetchPatience& patience,
                                               std::optional<TimePoint> until) {
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  if (!fd) return Attempt{{}, errno};
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ::setsockopt(fd.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) == 0)
    return Attempt{std::move(fd)};
  if (errno != EINPROGRESS && errno != EINTR) return Attempt{{}, errno};
  TRY(const bool is_ready, patience.wait(fd.get(), POLLOUT, until));
  if (!is_ready) return Attempt{{}, ETIMEDOUT};
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return Attempt{{}, error};
  return Attempt{std::move(fd)};
}

}  // namespace

std::expected<UniqueFd, FetchError> connect_socket(const std::string& host, std::uint16_t port, const FetchPatience& patience) {
  if (auto go_on = patience.check(); !go_on) return std::unexpected(std::move(go_on).error());
  TRY(const auto addresses, addresses_of(host, port, patience));
  int error = 0;
  for (std::size_t at = 0; at < addresses.size(); ++at) {
    std::optional<TimePoint> until;  // one that swallows packets leaves time for the others
    const auto left = patience.left_to_connect();
    const std::size_t others = addresses.size() - at;
    if (left && others > 1) until = Clock::now() + *left / others;
    TRY(auto attempt, try_address(addresses[at], patience, until));
    if (attempt.fd) return std::move(attempt.fd);
    error = attempt.error;
  }
  return fail_fetch(Kind::connect, fmt::format("Could not connect to {}: {}.", patience.peer(), errno_text(error)));
}

}  // namespace sa
