// The reading side: bytes of a descriptor in, whole lines out. Borrows the descriptor. Holds at most one line of
// `max_line` bytes plus one read; a longer line is dropped as it arrives and reported once, so the caller can say so.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sa::mock {

struct Line {
  std::string_view text;  // without the newline; valid until the next fill()
  bool too_long = false;  // then `text` is empty
};

class LineInput {
 public:
  LineInput(int fd, std::size_t max_line) : fd_(fd), max_line_(max_line) {}

  // One read(). False at end of input; a last line without newline is then delivered by next() too.
  bool fill();

  std::optional<Line> next();

 private:
  void drop_consumed();

  int fd_;
  std::size_t max_line_;
  std::string buffer_;
  std::size_t consumed_ = 0;  // bytes of buffer_ already delivered
  std::size_t searched_ = 0;  // bytes of buffer_ known to hold no further newline
  bool skipping_ = false;     // inside a line that is too long
};

}  // namespace sa::mock
