// The last words of an agent: its stderr is always drained, a bounded tail is kept. Owned by an instance; loop thread only.
#pragma once

#include <string>
#include <string_view>

namespace sa {

class StderrTail {
 public:
  static constexpr std::size_t max_bytes = 64 * 1024;

  void append(std::string_view bytes) {
    text_.append(bytes);
    if (text_.size() > 2 * max_bytes) text_.erase(0, text_.size() - max_bytes);
  }
  // Everything kept, as well-formed UTF-8.
  std::string text() const;
  // The last lines, for an error's extras.
  std::string last_lines() const;

 private:
  std::string text_;
};

}  // namespace sa
