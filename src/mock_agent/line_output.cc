#include "mock_agent/line_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sa::mock {

LineOutput::LineOutput(int fd) : fd_(fd), flags_(::fcntl(fd, F_GETFL)) {
  if (flags_ >= 0) ::fcntl(fd_, F_SETFL, flags_ | O_NONBLOCK);
}

LineOutput::~LineOutput() {
  if (flags_ >= 0) ::fcntl(fd_, F_SETFL, flags_);
}

void LineOutput::send(const boost::json::value& message) {
  std::array<char, 4'096> piece;
  for (serializer_.reset(&message); !serializer_.done();) queue_ += serializer_.read(piece.data(), piece.size());
  queue_ += '\n';
}

void LineOutput::send_line(std::string_view line) {
  queue_ += line;
  queue_ += '\n';
}

bool LineOutput::flush() {
  while (queued() > 0) {
    const ssize_t count = ::write(fd_, queue_.data() + written_, queued());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) return false;
    written_ += static_cast<std::size_t>(count);
  }
  drop_written();
  return true;
}

void LineOutput::drop_written() {
  if (written_ < queue_.size() / 2) return;  // moving the rest costs less than what was written
  queue_.erase(0, written_);
  written_ = 0;
  if (queue_.empty() && queue_.capacity() > 4 * batch_size) queue_.shrink_to_fit();
}

}  // namespace sa::mock
