// Bytes from a pipe, cut into lines. Gives its memory back when it is empty. Loop thread only.
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sa {

class LineBuffer {
 public:
  void feed(std::string_view bytes) { bytes_.append(bytes); }

  // The next complete line without its newline, valid until pop() or feed().
  std::optional<std::string_view> front() {
    const std::size_t newline = bytes_.find('\n', std::max(begin_, searched_));
    if (newline == std::string::npos) {
      searched_ = bytes_.size();
      return std::nullopt;
    }
    searched_ = newline;
    return std::string_view(bytes_).substr(begin_, newline - begin_);
  }

  // Drops the line that front() gave.
  void pop() {
    begin_ = ++searched_;
    if (begin_ == bytes_.size()) clear();
  }

  // What has come of a line that is not complete (after front() said there is no more).
  std::string_view rest() {
    bytes_.erase(0, begin_);
    searched_ -= begin_;
    begin_ = 0;
    return bytes_;
  }

  void clear() {
    std::string().swap(bytes_);
    begin_ = searched_ = 0;
  }

 private:
  std::string bytes_;
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;
};

}  // namespace sa
