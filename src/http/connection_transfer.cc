// Bodies and files that worker threads move, so that neither the disk nor the amount concerns the loop. A worker has the
// connection to itself, because the coroutine is suspended meanwhile; it uses the bare descriptor and leaves what the loop must
// know to settle_worker(). A client that pauses is waited for on the loop, not on a worker (but for pull()).
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

#include <algorithm>

#include "http/connection.h"

namespace sa {
namespace {

constexpr std::size_t transfer_piece = 256 * 1024;
constexpr std::size_t first_piece = 64 * 1024;  // waited for on the loop
constexpr std::uint64_t one_turn = 32u << 20;   // moved before other work may have the thread
constexpr std::chrono::hours for_ever{24 * 365};
constexpr Millis short_wait{2};  // for the client, in a turn: cheaper than to change threads, but no more

// Waits until the descriptor is ready; errors are for the next call on it to find. What it waits is taken from `patience`;
// false when that is used up.
bool wait_for(int fd, short events, std::chrono::nanoseconds& patience) {
  const TimePoint begin = Clock::now();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
  const timespec at_most{seconds.count(), (patience - seconds).count()};
  pollfd one{fd, events, 0};
  const int ready = ::ppoll(&one, 1, &at_most, nullptr);  // workers get no signals
  patience = std::max(patience - (Clock::now() - begin), std::chrono::nanoseconds(0));
  return ready != 0;
}

struct SentPart {
  std::uint64_t bytes = 0;
  bool failed = false;
  bool blocked = false;
};

// On a worker: sends until the client takes no more.
SentPart send_part(int socket, FileBody& file) {
  SentPart sent;
  std::chrono::nanoseconds patience = short_wait;
  while (file.length > 0 && sent.bytes < one_turn) {
    off_t offset = static_cast<off_t>(file.offset);
    const ssize_t n = ::sendfile(socket, file.fd.get(), &offset, static_cast<std::size_t>(std::min(file.length, one_turn)));
    if (n > 0) {
      file.offset += static_cast<std::uint64_t>(n);
      file.length -= static_cast<std::uint64_t>(n);
      sent.bytes += static_cast<std::uint64_t>(n);
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      if (wait_for(socket, POLLOUT, patience)) continue;
      sent.blocked = true;
    } else {
      sent.failed = true;  // 0: the file has become shorter
    }
    break;
  }
  // Closing frees the space of a file that was deleted meanwhile, which takes its time.
  if (sent.failed || file.length == 0) file.fd.reset();
  return sent;
}

}  // namespace

void Connection::lend_to_worker() {
  lent_to_worker_ = true;
  socket_.lend();
}

// The worker is done: what it found out is told to the loop's side.
void Connection::settle_worker() {
  if (std::exchange(lent_to_worker_, false)) socket_.take_back();
  context_.counters.bytes_received += std::exchange(worker_received_, 0);
  if (std::exchange(worker_saw_end_, false)) aborted_ = true;
}

// On a worker: the next piece into chunk_, empty at the end. False when nothing came while there was patience.
Result<bool> Connection::take_piece(std::chrono::nanoseconds& patience) {
  for (;;) {
    TRY(const bool ready, use_received());
    if (ready) return true;
    const std::uint64_t left = framing_.body == BodyKind::sized ? framing_.content_length - body_read_ : transfer_piece;
    const std::size_t before = in_.size();
    ssize_t n = 0;
    in_.resize_and_overwrite(before + std::min<std::uint64_t>(left, transfer_piece), [&](char* data, std::size_t size) {
      do {
        n = ::recv(socket_.get(), data + before, size - before, MSG_DONTWAIT);
      } while (n < 0 && errno == EINTR);
      return before + static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    });
    if (n > 0) {
      worker_received_ += static_cast<std::uint64_t>(n);
      continue;
    }
    if (n < 0 && errno == EAGAIN) {
      if (wait_for(socket_.get(), POLLIN, patience)) continue;
      return false;
    }
    worker_saw_end_ = true;
    return fail(client_left());
  }
}

Task<Result<void>> Connection::begin() {
  auto begun = co_await want_first_bytes();
  if (begun) lend_to_worker();
  co_return begun;
}

Task<Result<void>> Connection::want_first_bytes() {
  if (over_limit(framing_.content_length)) co_return fail(body_too_large(limit_));
  if (body_done_ || !in_.empty()) co_return Result<void>{};
  co_return co_await want_bytes(in_, first_piece);
}

Result<std::string_view> Connection::pull() {
  std::chrono::nanoseconds patience = context_.settings.body_timeout;
  if (patience == patience.zero()) patience = for_ever;
  TRY(const bool came, take_piece(patience));
  if (came) return std::string_view(chunk_);
  close_after_ = true;
  return fail(body_too_slow());
}

Result<Connection::Poured> Connection::pour_some(const Sink& sink) {
  std::chrono::nanoseconds patience = short_wait;
  for (std::uint64_t moved = 0; moved < one_turn; moved += chunk_.size()) {
    TRY(const bool came, take_piece(patience));
    if (!came) return Poured::paused;
    if (!chunk_.empty()) {
      if (auto taken = sink(chunk_); !taken) return std::unexpected(taken.error());
    }
    if (body_done_) return Poured::all;
  }
  return Poured::more;
}

Task<Result<void>> Connection::pour(Sink sink) {
  if (auto begun = co_await want_first_bytes(); !begun) co_return begun;
  for (;;) {
    lend_to_worker();
    auto turn = [&] { return pour_some(sink); };
    auto poured = co_await context_.pool.run(turn);
    settle_worker();
    if (!poured) co_return std::unexpected(poured.error());
    if (*poured == Poured::all) co_return Result<void>{};
    if (*poured == Poured::more) continue;
    if (auto more = co_await want_bytes(in_, first_piece); !more) co_return more;
  }
}

// What is left open, because the client has gone or takes nothing, is for let_go().
Task<bool> Connection::send_file(FileBody& file) {
  while (file.length > 0) {
    lend_to_worker();
    auto turn = [&] { return send_part(socket_.get(), file); };
    const SentPart sent = co_await context_.pool.run(turn);
    settle_worker();
    context_.counters.bytes_sent += sent.bytes;
    if (sent.failed || aborted_) break;
    if (sent.bytes > 0) write_deadline_.disarm();
    if (!sent.blocked) continue;
    expect_room();
    co_await wake_.wait();
    if (takes_nothing()) break;
  }
  write_deadline_.disarm();
  co_return file.length == 0;
}

// Ends an answer that is sent or given up. Closing a file frees the space of one that was deleted meanwhile, or waits until its
// disk has heard of it; so does the directory of a listing. That is a worker's business.
Task<> Connection::let_go(Response& response) {
  const auto* file = std::get_if<FileBody>(&response.body);
  const auto* source = std::get_if<std::unique_ptr<ByteSource>>(&response.body);
  if (!(file && file->fd) && !(source && *source)) co_return;
  auto end = [&] {
    response.body = std::monostate();
    return true;
  };
  co_await context_.pool.run(end);
}

}  // namespace sa
