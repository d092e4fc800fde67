// Many readers of one event stream on one epoll. They count events and throw the bytes away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "servers.h"

namespace bench {

class StreamReaders {
 public:
  StreamReaders(const Server& server, const std::string& target, std::size_t count);
  StreamReaders(const StreamReaders&) = delete;
  ~StreamReaders();

  // Reads until each reader has seen this many events in all; more than that ends the benchmark.
  void read_until(std::int64_t events_each);
  // For a server that may lose some: reads until each has seen this many, or nothing has come for so long. How many came, of
  // all readers together, since the readers were made or forgot().
  std::int64_t read_until_silence(std::int64_t events_each, int silence_ms);
  void forget();  // what came so far no longer counts

 private:
  struct Reader {
    int fd = -1;
    std::int64_t events = 0;
    char last = 0;
  };

  // Waits for bytes and counts their events; false: none came for so long.
  bool read_some(std::int64_t events_each, int silence_ms);
  static void count_events(Reader& reader, const char* bytes, std::size_t size);

  int epoll_;
  std::int64_t unfinished_ = 0;
  std::vector<Reader> readers_;
};

}  // namespace bench
