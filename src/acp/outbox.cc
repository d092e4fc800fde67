#include "acp/outbox.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/uio.h>

#include <algorithm>

namespace sa {
namespace {

constexpr std::size_t lines_at_once = 64;
constexpr std::size_t line_overhead = sizeof(std::string) + 32;  // in memory, of a line that waits
char newline[] = "\n";

// A line may lie in a buffer that is much larger: the one that its request came in.
void give_back_excess(std::string& line) {
  if (line.capacity() > 2 * line.size()) line.shrink_to_fit();
}

}  // namespace

Result<void> Outbox::check(std::size_t size) const {
  if (error_ != 0)
    return fail(ErrorCode::agent_io_failed,
                fmt::format("The agent does not take input any more: {}. DELETE the instance and start a new one.",
                            errno_text(error_)));
  if (bytes_ > 0 && bytes_ + lines_.size() * line_overhead + size + 1 > max_bytes_)
    return fail(ErrorCode::overloaded, fmt::format("The agent is not reading: {} bytes wait for it. Try again later.", bytes_));
  return {};
}

Result<void> Outbox::push(std::string line) {
  if (error_ != 0) return check(0);
  bytes_ += line.size() + 1;
  if (full_) give_back_excess(line);
  lines_.push_back(std::move(line));
  if (lines_.size() > 1) return {};  // behind others: run() gets to it
  if (std::exchange(written_in_, loop_.round()) == loop_.round()) {
    wake_.notify();  // the second line of a round: what else comes in it goes along, in one system call
    return {};
  }
  while (write_some()) {
  }
  if (error_ != 0 || !lines_.empty()) wake_.notify();
  return error_ != 0 ? check(0) : Result<void>{};
}

// One system call. False when the pipe is full, broken, or nothing is left.
bool Outbox::write_some() {
  if (lines_.empty() || !pipe_.is_open()) return false;
  iovec pieces[2 * lines_at_once];
  int count = 0;
  std::size_t skip = written_;
  for (std::size_t at = 0; at < std::min(lines_.size(), lines_at_once); ++at) {
    std::string& line = lines_[at];
    if (skip < line.size()) pieces[count++] = {line.data() + skip, line.size() - skip};
    pieces[count++] = {newline, 1};
    skip = 0;
  }
  ssize_t n = 0;
  do {
    n = ::writev(pipe_.get(), pieces, count);
  } while (n < 0 && errno == EINTR);
  if (n < 0) {
    if (errno == EAGAIN) {
      on_full();
    } else {
      fail_with(errno);
    }
    return false;
  }
  full_ = false;
  bytes_ -= static_cast<std::size_t>(n);
  written_ += static_cast<std::size_t>(n);
  while (!lines_.empty() && written_ > lines_.front().size()) {
    written_ -= lines_.front().size() + 1;
    lines_.pop_front();
  }
  return !lines_.empty();
}

// What has to wait keeps about the memory that it is counted for.
void Outbox::on_full() {
  if (std::exchange(full_, true)) return;
  for (std::string& line : lines_) give_back_excess(line);
}

void Outbox::fail_with(int error) {
  error_ = error;
  lines_.clear();
  bytes_ = written_ = 0;
}

// Nobody ever reads from this end: if the kernel has news of reading, the agent may have closed the other.
void Outbox::look_for_end() {
  if (error_ != 0 || !pipe_.may_read()) return;
  pollfd pipe{.fd = pipe_.get(), .events = 0, .revents = 0};
  if (::poll(&pipe, 1, 0) > 0 && pipe.revents & POLLERR) {
    fail_with(EPIPE);
  } else {
    pipe_.nothing_to_read();
  }
}

Task<> Outbox::run(Signal& broken) {
  while (!closed_) {
    while (write_some()) {
    }
    look_for_end();
    if (error_ != 0) {
      broken.notify();
    } else {
      pipe_.arm_read(wake_);
    }
    if (!lines_.empty()) pipe_.arm_write(wake_);
    co_await wake_.wait();
  }
}

void Outbox::close() {
  closed_ = true;
  if (error_ == 0) error_ = EPIPE;
  pipe_.close();
  lines_.clear();
  bytes_ = written_ = 0;
  wake_.notify();
}

}  // namespace sa
