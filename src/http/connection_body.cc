// Reading request bodies: sized and chunked, with the route's limit, on demand.
#include <sys/socket.h>

#include <algorithm>

#include "http/connection.h"
#include "io/time_limit.h"

namespace sa {
namespace {

constexpr std::size_t piece_size = 64 * 1024;
constexpr std::size_t first_room = 1u << 20;             // for a body; what it does not fill costs nothing,
constexpr std::size_t room_growth = 16;                  // and copying it into a larger room does
constexpr std::size_t most_chunk_framing = 64 * 1024;    // a chunk header or trailer longer than this is an attack
constexpr std::size_t most_lingering_bytes = 64u << 20;  // what we throw away so that the client can read our answer
constexpr Millis longest_linger{2'000};

}  // namespace

// Waits until `into` holds at least one more byte than before.
Task<Result<void>> Connection::want_bytes(std::string& into, std::size_t at_most) {
  const std::size_t before = into.size();
  if (continue_wanted_ && into.empty()) {
    continue_wanted_ = false;
    static char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
    iovec piece{interim, sizeof interim - 1};
    if (!co_await send_all({&piece, 1})) co_return fail(client_left());
  }
  context_.body_deadlines.arm(read_deadline_);
  for (;;) {
    const Got got = receive(into, at_most);
    if (got == Got::bytes) break;
    if (got == Got::end || aborted_) {
      aborted_ = true;
      co_return fail(client_left());
    }
    if (read_deadline_.expired()) {
      close_after_ = true;
      co_return fail(body_too_slow());
    }
    await_bytes(wake_);
    co_await wake_.wait();
  }
  read_deadline_.disarm();
  co_await be_fair(into.size() - before);
  co_return Result<void>{};
}

// Moves what has been received of the body to chunk_. False when more must be received first.
Result<bool> Connection::use_received() {
  chunk_.clear();
  if (body_done_) return true;
  if (framing_.body == BodyKind::sized) {
    if (over_limit(framing_.content_length)) return fail(body_too_large(limit_));
    const std::uint64_t left = framing_.content_length - body_read_;
    if (in_.size() <= left) {
      chunk_.swap(in_);
    } else {
      chunk_.assign(in_, 0, left);
      in_.erase(0, left);
    }
    body_read_ += chunk_.size();
    body_done_ = body_read_ == framing_.content_length;
    return !chunk_.empty();
  }
  const auto decoded = parser_.decode_chunks(in_, chunk_);
  if (!decoded) {
    close_after_ = true;
    return std::unexpected(decoded.error());
  }
  in_.erase(0, decoded->consumed);
  body_read_ += chunk_.size();
  body_done_ = decoded->done;
  if (over_limit(body_read_)) return fail(body_too_large(limit_));
  if (!body_done_ && in_.size() > most_chunk_framing) {
    close_after_ = true;
    return fail(ErrorCode::invalid_request, "A chunk header or trailer of the body is too long.");
  }
  return !chunk_.empty() || body_done_;
}

Task<Result<std::string_view>> Connection::next() {
  for (;;) {
    CO_TRY(const bool ready, use_received());
    if (ready) co_return std::string_view(chunk_);
    if (auto more = co_await want_bytes(in_, piece_size); !more) co_return std::unexpected(more.error());
  }
}

Task<Result<std::string>> Connection::all() {
  if (framing_.body == BodyKind::sized) co_return co_await all_sized();
  std::string whole;
  while (!body_done_) {
    const auto piece = co_await next();
    if (!piece) co_return std::unexpected(piece.error());
    if (whole.empty() && body_done_) {
      whole.swap(chunk_);
    } else {
      whole.append(*piece);
    }
  }
  co_return whole;
}

// Straight into one string, so that a large body is not copied about.
Task<Result<std::string>> Connection::all_sized() {
  if (over_limit(framing_.content_length)) co_return fail(body_too_large(limit_));
  const std::size_t size = static_cast<std::size_t>(framing_.content_length - body_read_);
  std::string whole;
  if (in_.size() <= size) {
    whole.swap(in_);
  } else {
    whole.assign(in_, 0, size);
    in_.erase(0, size);
  }
  while (whole.size() < size) {
    if (whole.size() == whole.capacity() || whole.capacity() < piece_size)
      whole.reserve(std::min(size, std::max(first_room, room_growth * whole.capacity())));
    if (auto more = co_await want_bytes(whole, size - whole.size()); !more) co_return std::unexpected(more.error());
  }
  body_read_ = framing_.content_length;
  body_done_ = true;
  co_return whole;
}

// Skips what is here of a body nobody asked for, so that the connection can be used again.
void Connection::discard_body() {
  std::size_t here = 0;
  if (framing_.body == BodyKind::sized) {
    const std::uint64_t left = framing_.content_length - body_read_;
    here = static_cast<std::size_t>(std::min<std::uint64_t>(left, in_.size()));
    body_done_ = here == left;
  } else if (const auto decoded = parser_.decode_chunks(in_, chunk_)) {
    here = decoded->consumed;
    body_done_ = decoded->done;
  }
  in_.erase(0, here);
}

// Closing with unread bytes would reset the connection and take our answer along. So: no more from us, read a while, close.
Task<> Connection::linger() {
  if (::shutdown(socket_.get(), SHUT_WR) != 0) co_return;
  std::size_t thrown_away = 0;
  const TimeLimit limit(context_.loop, longest_linger, wake_);
  while (!limit.over() && !aborted_ && thrown_away < most_lingering_bytes) {
    in_.clear();
    const Got got = receive(in_, piece_size);
    thrown_away += in_.size();
    if (got == Got::end) break;
    if (got == Got::bytes) {
      co_await be_fair(in_.size());
      continue;
    }
    await_bytes(wake_);
    co_await wake_.wait();
  }
}

}  // namespace sa
