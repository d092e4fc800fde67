// The last words of a program: all it writes is taken, a bounded tail is kept. A value; one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sa {

class OutputTail {
 public:
  explicit OutputTail(std::size_t max_bytes = std::size_t{64} * 1024) : max_bytes_(max_bytes) {}

  void append(std::string_view bytes) {
    text_.append(bytes);
    if (text_.size() > 2 * max_bytes_) text_.erase(0, text_.size() - max_bytes_);
  }
  // Everything kept, as well-formed UTF-8.
  std::string text() const;
  // The last lines, for an error's extras.
  std::string last_lines() const;

 private:
  std::size_t max_bytes_;
  std::string text_;
};

}  // namespace sa
