#include "mock_agent/line_input.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sa::mock {
namespace {

constexpr std::size_t read_size = std::size_t{64} << 10;
constexpr std::size_t keep_capacity = std::size_t{1} << 20;

}  // namespace

bool LineInput::fill() {
  drop_consumed();
  const std::size_t old_size = buffer_.size();
  ssize_t count = 0;
  int error = 0;
  buffer_.resize_and_overwrite(old_size + read_size, [&](char* data, std::size_t) {
    count = ::read(fd_, data + old_size, read_size);
    error = errno;
    return old_size + static_cast<std::size_t>(count > 0 ? count : 0);
  });
  if (count > 0) return true;
  if (count < 0 && (error == EINTR || error == EAGAIN)) return true;
  if (skipping_ || !buffer_.empty()) buffer_.push_back('\n');
  return false;
}

std::optional<Line> LineInput::next() {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    if (searched_ - consumed_ > max_line_) skipping_ = true;
    if (skipping_) consumed_ = searched_;
    return std::nullopt;
  }
  const std::string_view text = std::string_view(buffer_).substr(consumed_, end - consumed_);
  consumed_ = searched_ = end + 1;
  if (std::exchange(skipping_, false) || text.size() > max_line_) return Line{{}, true};
  return Line{text};
}

void LineInput::drop_consumed() {
  buffer_.erase(0, consumed_);
  searched_ -= consumed_;
  consumed_ = 0;
  if (buffer_.capacity() > keep_capacity && buffer_.size() < read_size) buffer_.shrink_to_fit();
}

}  // namespace sa::mock
