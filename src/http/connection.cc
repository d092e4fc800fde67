#include "http/connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

namespace sa {
namespace {

constexpr std::size_t receive_at_once = 64 * 1024;
constexpr std::size_t direct_room = 16 * 1024;  // of a body that has reserved it
constexpr std::size_t fair_work = 128 * 1024;   // bytes handled in a row before others get a turn
constexpr std::size_t request_work = 512;       // what a request counts beside its bytes
constexpr Millis look_for_hang_up{1'000};
constexpr std::size_t keep_capacity = 4 * 1024;  // larger buffers are given back between requests
constexpr std::size_t keep_headers = 64;         // and so are longer lists

Response head_too_large(std::string_view received, std::size_t limit) {
  const bool only_a_target = received.substr(0, limit).find('\r') == std::string_view::npos;
  Error error =
      only_a_target
          ? Error{ErrorCode::uri_too_long, fmt::format("The URL does not fit into {} bytes. Send a shorter one.", limit), {}}
          : Error{ErrorCode::header_too_large,
                  fmt::format("The request head is larger than {} bytes. Send fewer or shorter header fields.", limit),
                  {}};
  return problem(std::move(error).with_number("limit", static_cast<long long>(limit)));
}

// Will never become a request: a first line that ends with a bare LF, or a control character in front, such as TLS's.
bool is_hopeless(std::string_view received) {
  if (received.empty() || received.front() == '\r') return false;
  const std::size_t newline = received.find('\n');
  const bool bare = newline != std::string_view::npos && received[newline - std::min<std::size_t>(newline, 1)] != '\r';
  return bare || static_cast<unsigned char>(received.front()) < 0x20;
}

Response not_http() {
  return problem(
      {ErrorCode::invalid_request, "This is not HTTP/1.1. Speak plain HTTP, with CRLF at the end of each line.", {}});
}

Response head_too_slow() {
  return problem({ErrorCode::request_timeout, "The request head did not arrive in time. Send the whole head at once.", {}});
}

}  // namespace

HttpContext::HttpContext(Loop& the_loop, WorkerPool& the_pool, const HttpLimits& the_settings)
    : loop(the_loop),
      pool(the_pool),
      settings(the_settings),
      head_deadlines(the_loop, the_settings.head_timeout),
      body_deadlines(the_loop, the_settings.body_timeout),
      idle_deadlines(the_loop, the_settings.idle_timeout),
      write_deadlines(the_loop, the_settings.write_timeout),
      heartbeats(the_loop, the_settings.heartbeat) {}

Connection::Connection(HttpContext& context, AsyncFd socket)
    : context_(context),
      socket_(std::move(socket)),
      wake_(context.loop),
      hang_up_timer_(context.loop),
      read_deadline_(wake_),
      write_deadline_(wake_) {}

// A request that has come meanwhile is answered, also when the kernel has not told of it yet.
void Connection::drain() {
  if (socket_.is_open() && !lent_to_worker_) socket_.something_to_read();
  wake_.notify();
}

void Connection::abort() {
  aborted_ = true;
  if (socket_.is_open()) ::shutdown(socket_.get(), SHUT_RDWR);
  wake_.notify();
}

Task<> Connection::serve(std::unique_ptr<Connection> self, std::function<void(Connection&)> ended) {
  co_await self->serve_requests();
  ended(*self);
}

Task<> Connection::serve_requests() {
  context_.head_deadlines.arm(read_deadline_);
  while (!aborted_ && !close_after_) {
    const HeadState state = co_await read_head();
    if (state != HeadState::complete) break;
    const std::size_t work = head_.size() + request_work;
    co_await handle_request();
    ++context_.counters.answers;
    co_await be_fair(work);
  }
  if (close_after_ && !aborted_) co_await linger();
}

// What has come is no whole head, and never will be one.
Task<Connection::HeadState> Connection::refuse_head(Response answer) {
  is_head_request_ = in_.starts_with("HEAD ");
  close_after_ = true;
  co_await send(std::move(answer));
  co_return HeadState::answered;
}

// Waits until in_ starts with a whole head, then moves it to head_.
Task<Connection::HeadState> Connection::read_head() {
  request_.clear();
  is_head_request_ = false;
  std::size_t searched = 0;
  bool blank_line = false;
  bool begun = !in_.empty();
  if (begun) context_.head_deadlines.arm(read_deadline_);
  for (;;) {
    if (!blank_line && in_.starts_with("\r\n")) {  // some clients end a body with an extra line
      blank_line = true;
      in_.erase(0, 2);
    }
    const std::size_t end = in_.find("\r\n\r\n", searched > 3 ? searched - 3 : 0);
    const std::size_t limit = context_.settings.max_head_bytes;
    if (std::min(end, in_.size()) > limit) {
      co_return co_await refuse_head(head_too_large(in_, limit));
    }
    if (end != std::string::npos) {
      head_.assign(in_, 0, end + 4);
      in_.erase(0, end + 4);
      read_deadline_.disarm();
      co_return HeadState::complete;
    }
    if (is_hopeless(in_)) {
      co_return co_await refuse_head(not_http());
    }
    searched = in_.size();
    const Got got = receive(in_, receive_at_once);
    if (got == Got::bytes) {
      if (!std::exchange(begun, true)) context_.head_deadlines.arm(read_deadline_);
      continue;
    }
    if (got == Got::end || aborted_ || (context_.draining && in_.empty())) co_return HeadState::closed;
    if (read_deadline_.expired()) {
      if (in_.empty()) co_return HeadState::closed;
      co_return co_await refuse_head(head_too_slow());
    }
    await_bytes(wake_);
    co_await wake_.wait();
  }
}

Task<> Connection::handle_request() {
  ++context_.counters.requests;
  request_.body = this;
  request_.client = this;
  body_read_ = 0;
  limit_ = 0;
  is_head_request_ = head_.starts_with("HEAD ");
  auto framing = parser_.parse_head(head_, request_);
  if (!framing) {
    close_after_ = true;
    body_done_ = true;
    framing_ = MessageFraming{};
    co_await send(problem(framing.error()));
    co_return;
  }
  framing_ = *framing;
  body_done_ = framing_.body == BodyKind::none;
  continue_wanted_ = framing_.expects_continue && !body_done_ && request_.minor_version == 1;
  if (!framing_.keep_alive || context_.draining) close_after_ = true;

  Response response = co_await context_.application(request_, limit_);
  settle_worker();
  socket_.disarm();  // a handler's own signal may have been waiting for a hang-up
  hang_up_timer_.cancel();
  if (response.hung_up || aborted_) {
    aborted_ = true;
    co_await let_go(response);
    co_return;
  }
  // An unread body that is already here is skipped; one still to come is not worth waiting for.
  if (!body_done_) discard_body();
  if (!body_done_ || context_.draining) close_after_ = true;
  if (request_.headers.capacity() > keep_headers) std::vector<Header>().swap(request_.headers);
  co_await send(std::move(response));
  if (in_.capacity() > keep_capacity && in_.empty()) std::string().swap(in_);
  if (head_.capacity() > keep_capacity) std::string().swap(head_);
  std::string().swap(chunk_);
  context_.idle_deadlines.arm(read_deadline_);
}

Connection::Got Connection::receive(std::string& into, std::size_t at_most) {
  if (!socket_.may_read()) return Got::nothing_yet;
  static char scratch[receive_at_once];  // the loop is one thread; a copy is cheaper than a buffer per connection
  const std::size_t before = into.size();
  const std::size_t room = std::min(at_most, into.capacity() - before);
  ssize_t n = 0;
  if (room >= direct_room) {
    into.resize_and_overwrite(before + room, [&](char* data, std::size_t) {
      n = socket_.read(data + before, room);
      return before + static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    });
  } else {
    n = socket_.read(scratch, std::min(at_most, sizeof scratch));
    if (n > 0) into.append(scratch, static_cast<std::size_t>(n));
  }
  if (n < 0) return errno == EAGAIN ? Got::nothing_yet : Got::end;
  if (n == 0) return Got::end;
  context_.counters.bytes_received += static_cast<std::uint64_t>(n);
  return Got::bytes;
}

// A client that always has more for us must not keep us from the others.
Task<> Connection::be_fair(std::size_t work) {
  work_in_a_row_ += work;
  if (work_in_a_row_ < fair_work) co_return;
  work_in_a_row_ = 0;
  co_await Yield{context_.loop};
}

void Connection::await_bytes(Signal& signal) { socket_.arm_read(signal); }

// Pipelined bytes are read into in_ to see an end behind them, but only up to the size of a head: after that we ask the kernel
// now and then.
bool Connection::gone(Signal& wake) {
  while (!aborted_ && in_.size() < receive_at_once) {
    const Got got = receive(in_, receive_at_once);
    if (got == Got::end) aborted_ = true;
    if (got == Got::nothing_yet) {
      await_bytes(wake);
      return aborted_;
    }
  }
  if (!aborted_) {
    pollfd peer{socket_.get(), POLLRDHUP, 0};
    if (::poll(&peer, 1, 0) == 1) aborted_ = true;
    hang_up_timer_.arm_in(look_for_hang_up, [&wake] { wake.notify(); });
  }
  return aborted_;
}

}  // namespace sa
