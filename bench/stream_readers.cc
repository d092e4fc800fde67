#include "stream_readers.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "http_client.h"
#include "requests.h"

namespace bench {

StreamReaders::StreamReaders(const Server& server, const std::string& target, std::size_t count)
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), readers_(count) {
  const std::string request = get(server.port(), target);
  for (Reader& reader : readers_) {
    reader.fd = connect_to(server.port());
    if (::send(reader.fd, request.data(), request.size(), MSG_NOSIGNAL) < 0) give_up("send");
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &reader;
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, reader.fd, &event) != 0) give_up("epoll_ctl");
  }
}

StreamReaders::~StreamReaders() {
  for (const Reader& reader : readers_) ::close(reader.fd);
  ::close(epoll_);
}

// Only an event has a line with a number, and no event begins in one chunk and ends in the next.
void StreamReaders::count_events(Reader& reader, const char* bytes, std::size_t size) {
  static constexpr std::string_view before_number = "\nid: ";
  const char* const end = bytes + size;
  for (const char* at = bytes; at < end;) {
    if (reader.matched == 0) {
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (at == nullptr) return;
    }
    const char c = *at++;
    if (reader.matched < before_number.size()) {
      reader.matched = c == before_number[reader.matched] ? reader.matched + 1 : c == '\n' ? 1 : 0;
    } else if (c >= '0' && c <= '9') {
      reader.number = reader.number * 10 + (c - '0');
    } else {
      ++reader.events;
      reader.newest = std::exchange(reader.number, 0);
      reader.matched = c == '\n' ? 1 : 0;
    }
  }
}

bool StreamReaders::read_some(std::int64_t newest, int silence_ms) {
  epoll_event ready[64];
  const int count = ::epoll_wait(epoll_, ready, 64, silence_ms);
  errno = 0;
  for (int at = 0; at < count; ++at) {
    static char scratch[128 * 1024];
    Reader& reader = *static_cast<Reader*>(ready[at].data.ptr);
    const ssize_t n = ::recv(reader.fd, scratch, sizeof scratch, 0);
    if (n <= 0) give_up("the server closed a stream");
    const bool unfinished_before = reader.newest < newest;
    count_events(reader, scratch, static_cast<std::size_t>(n));
    if (reader.newest > newest || reader.events > reader.newest) give_up("more events than were sent");
    if (unfinished_before && reader.newest == newest) --unfinished_;
  }
  return count > 0;
}

void StreamReaders::read_until(std::int64_t newest) {
  unfinished_ = std::ranges::count_if(readers_, [=](const Reader& reader) { return reader.newest < newest; });
  while (unfinished_ > 0)
    if (!read_some(newest, 10'000)) give_up("no event within 10 s");
  for (const Reader& reader : readers_)
    if (reader.events < reader.newest) give_up("a reader has missed events");
}

std::int64_t StreamReaders::read_until_silence(std::int64_t newest, int silence_ms) {
  unfinished_ = std::ranges::count_if(readers_, [=](const Reader& reader) { return reader.newest < newest; });
  while (unfinished_ > 0 && read_some(newest, silence_ms)) continue;
  std::int64_t sum = 0;
  for (const Reader& reader : readers_) sum += reader.events;
  return sum;
}

}  // namespace bench
