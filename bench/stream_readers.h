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

 private:
  struct Reader {
    int fd = -1;
    std::int64_t events = 0;
    char last = 0;
  };

  static void count_events(Reader& reader, const char* bytes, std::size_t size);

  int epoll_;
  std::vector<Reader> readers_;
};

}  // namespace bench
