// Many readers of one event stream on one epoll, from its first event on. They count events and throw the bytes away.
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

  // Reads until each reader has seen the event with this number. One that was missed on the way, or one more, ends the
  // benchmark.
  void read_until(std::int64_t newest);
  // For a server that may lose some: reads until each has seen that event, or nothing has come for so long. How many came so
  // far, of all readers together.
  std::int64_t read_until_silence(std::int64_t newest, int silence_ms);

 private:
  struct Reader {
    int fd = -1;
    std::int64_t events = 0;
    std::int64_t newest = 0;  // the number of the last one
    std::int64_t number = 0;  // that is being read
    std::size_t matched = 0;  // of what stands before a number
  };

  // Waits for bytes and counts their events; false: none came for so long.
  bool read_some(std::int64_t newest, int silence_ms);
  static void count_events(Reader& reader, const char* bytes, std::size_t size);

  int epoll_;
  std::int64_t unfinished_ = 0;
  std::vector<Reader> readers_;
};

}  // namespace bench
