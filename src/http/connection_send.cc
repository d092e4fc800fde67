// Sending answers: bytes, pieces made on demand, event streams. Files are sent in connection_transfer.cc.
#include <fmt/format.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <ctime>

#include "http/connection.h"
#include "http/http_date.h"

namespace sa {
namespace {

constexpr std::size_t batch_bytes = 128 * 1024;  // of events per chunk; a reader that stalls keeps so many alive
constexpr std::size_t small_body = 1024;         // goes with its head in one piece
constexpr std::size_t fair_bytes = 512 * 1024;   // sent in a row before others get a turn
constexpr int stream_send_buffer = 64 * 1024;    // a client that never reads must not fill megabytes of kernel memory
constexpr Millis look_again{25};                 // at what a client that missed something has read
constexpr std::string_view heartbeat = ": heartbeat\n\n";

// "Date: …" changes once a second and is the same for everybody.
std::string_view date_line() {
  static std::time_t made_for = 0;
  static char line[64];
  static std::size_t length = 0;
  const std::time_t now = std::time(nullptr);
  if (now != made_for) {
    made_for = now;
    length = fmt::format_to_n(line, sizeof line, "date: {}\r\n", http_date(now)).size;
  }
  return {line, length};
}

iovec piece_of(std::string_view bytes) { return {const_cast<char*>(bytes.data()), bytes.size()}; }

struct LengthLine {
  explicit LengthLine(std::uint64_t length) : size(fmt::format_to(text, "content-length: {}\r\n", length) - text) {}
  operator std::string_view() const { return {text, static_cast<std::size_t>(size)}; }

  char text[48];
  std::ptrdiff_t size;
};

void set_int_option(int fd, int level, int option, int value) { ::setsockopt(fd, level, option, &value, sizeof value); }

// Bytes the client has not yet taken from us.
int unread_bytes(int fd) {
  int bytes = 0;
  return ::ioctl(fd, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

}  // namespace

std::string Connection::build_head(const Response& response, std::string_view framing) const {
  std::string head;
  head.reserve(256 + response.headers.size());
  fmt::format_to(std::back_inserter(head), "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
  head.append(date_line());
  if (!response.content_type.empty()) head.append("content-type: ").append(response.content_type).append("\r\n");
  head.append(framing).append(response.headers);
  if (close_after_) {
    head.append("connection: close\r\n");
  } else if (request_.minor_version == 0) {
    head.append("connection: keep-alive\r\n");
  }
  head.append("\r\n");
  return head;
}

Task<> Connection::send(Response response) {
  const bool no_body = is_head_request_;
  if (auto* upgrade = std::get_if<Upgrade>(&response.body)) {
    std::string head = build_head(response, "");
    iovec piece = piece_of(head);
    if (co_await send_all({&piece, 1})) upgrade->take_over(std::move(socket_), std::move(in_));
    aborted_ = true;
    co_return;
  }
  auto* stream = std::get_if<std::unique_ptr<EventStream>>(&response.body);
  auto* source = std::get_if<std::unique_ptr<ByteSource>>(&response.body);
  if (stream || source) {
    if (request_.minor_version == 0) close_after_ = true;
    std::string head = build_head(response, request_.minor_version == 0 ? "" : "transfer-encoding: chunked\r\n");
    iovec piece = piece_of(head);
    bool whole = co_await send_all({&piece, 1});
    head = std::string();
    if (whole && !no_body) whole = stream ? co_await send_events(**stream) : co_await send_pieces(*source);
    if (!whole) aborted_ = true;
    co_await let_go(response);
    co_return;
  }
  if (auto* file = std::get_if<FileBody>(&response.body)) {
    std::string head = build_head(response, LengthLine(file->length));
    iovec piece = piece_of(head);
    const bool begun = co_await send_all({&piece, 1});
    if (begun && !no_body && !co_await send_file(*file)) abort();
    co_await let_go(response);
    co_return;
  }
  std::string_view body;
  if (auto* bytes = std::get_if<std::string>(&response.body)) body = *bytes;
  if (auto* shared = std::get_if<SharedBytes>(&response.body)) body = shared->bytes;
  const bool lengthless = response.status == 204 || response.status == 304;
  std::string head = build_head(response, lengthless ? std::string_view() : LengthLine(body.size()));
  if (no_body) body = {};
  if (body.size() <= small_body) head.append(std::exchange(body, {}));
  iovec pieces[2] = {piece_of(head), piece_of(body)};
  co_await send_all({pieces, body.empty() ? 1u : 2u});
}

// One system call; drops what was taken from the front of `pieces`. False when the client is gone.
bool Connection::send_some(std::span<iovec>& pieces, bool& blocked) {
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = std::min<std::size_t>(pieces.size(), 64);
  ssize_t taken = 0;
  do {
    taken = pieces.size() == 1 ? ::send(socket_.get(), pieces.front().iov_base, pieces.front().iov_len, MSG_NOSIGNAL)
                               : ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
  } while (taken < 0 && errno == EINTR);
  if (taken < 0) {
    blocked = errno == EAGAIN;
    if (!blocked) aborted_ = true;
    return blocked;
  }
  context_.counters.bytes_sent += static_cast<std::uint64_t>(taken);
  while (!pieces.empty() && static_cast<std::size_t>(taken) >= pieces.front().iov_len) {
    taken -= static_cast<ssize_t>(pieces.front().iov_len);
    pieces = pieces.subspan(1);
  }
  if (taken > 0) {
    pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + taken;
    pieces.front().iov_len -= static_cast<std::size_t>(taken);
  }
  return true;
}

// Wakes us when the client may take more, or when it took nothing for too long.
void Connection::expect_room() {
  if (!write_deadline_.armed()) {
    unread_ = unread_bytes(socket_.get());
    context_.write_deadlines.arm(write_deadline_);
  }
  socket_.arm_write(wake_);
}

// The kernel tells of room only when there is much of it. A client that took some meanwhile is slow, and stays.
bool Connection::takes_nothing() {
  if (!write_deadline_.expired()) return false;
  const int before = std::exchange(unread_, unread_bytes(socket_.get()));
  if (unread_ >= before) return true;
  context_.write_deadlines.arm(write_deadline_);
  return false;
}

Task<bool> Connection::send_all(std::span<iovec> pieces) {
  while (!pieces.empty()) {
    bool blocked = false;
    if (aborted_ || !send_some(pieces, blocked)) break;
    if (!blocked) {
      write_deadline_.disarm();
      continue;
    }
    expect_room();
    co_await wake_.wait();
    if (takes_nothing()) aborted_ = true;
  }
  write_deadline_.disarm();
  co_return pieces.empty();
}

// Without chunks to HTTP/1.0, where the end of the connection is the end of the body.
Task<bool> Connection::send_chunk(std::string_view bytes) {
  if (bytes.empty()) co_return true;  // an empty chunk would be the last
  char frame[24];
  const auto frame_end = fmt::format_to_n(frame, sizeof frame, "{:x}\r\n", bytes.size());
  iovec pieces[3] = {{frame, frame_end.size}, piece_of(bytes), piece_of("\r\n")};
  const bool chunked = request_.minor_version == 1;
  co_return co_await send_all(chunked ? std::span(pieces) : std::span(pieces).subspan(1, 1));
}

// The source ends on the worker that took its last piece.
Task<bool> Connection::send_pieces(std::unique_ptr<ByteSource>& source) {
  std::string piece;
  for (bool more = true; more;) {
    piece.clear();
    auto fill = [&] {
      const bool is_more = source->fill(piece);
      if (!is_more) source.reset();
      return is_more;
    };
    more = co_await context_.pool.run(fill);
    if (!co_await send_chunk(piece)) co_return false;
  }
  if (request_.minor_version == 0) co_return true;
  iovec last = piece_of("0\r\n\r\n");
  co_return co_await send_all({&last, 1});
}

// Waits until the client's side has taken everything it was sent. False when it takes nothing at all.
Task<bool> Connection::until_read() {
  Timer timer(context_.loop);
  int unread = unread_bytes(socket_.get());
  context_.write_deadlines.arm(write_deadline_);
  while (unread > 0 && !gone(wake_) && !write_deadline_.expired()) {
    timer.arm_in(look_again, [this] { wake_.notify(); });
    co_await wake_.wait();
    const int before = std::exchange(unread, unread_bytes(socket_.get()));
    if (unread < before) context_.write_deadlines.arm(write_deadline_);
  }
  write_deadline_.disarm();
  co_return unread == 0;
}

// Each batch of events is one chunk. A batch, once begun, is written to its end; the bytes stay alive until then even if the
// ring has moved on.
Task<bool> Connection::send_events(EventStream& stream) {
  set_int_option(socket_.get(), SOL_SOCKET, SO_SNDBUF, stream_send_buffer);
  const bool chunked = request_.minor_version == 1;
  if (in_.empty()) std::string().swap(in_);
  std::string().swap(head_);
  stream.start(wake_);
  Deadlines::Entry silence(wake_);
  context_.heartbeats.arm(silence);
  std::size_t in_a_row = 0;
  for (;;) {
    if (stream.behind() && !co_await until_read()) co_return false;
    std::vector<SharedBytes> batch;
    stream.take(batch, batch_bytes);
    if (batch.empty() && stream.ended()) break;
    if (batch.empty() && silence.expired()) batch.push_back({nullptr, heartbeat});
    if (batch.empty()) {
      if (gone(wake_)) break;
      in_a_row = 0;
      co_await wake_.wait();
      continue;
    }
    std::size_t size = 0;
    for (const SharedBytes& event : batch) size += event.bytes.size();
    char frame[24];
    const auto frame_end = fmt::format_to_n(frame, sizeof frame, "{:x}\r\n", size);
    std::vector<iovec> pieces;
    pieces.reserve(batch.size() + 2);
    if (chunked) pieces.push_back({frame, frame_end.size});
    for (const SharedBytes& event : batch) pieces.push_back(piece_of(event.bytes));
    if (chunked) pieces.push_back(piece_of("\r\n"));
    std::span<iovec> left = pieces;
    while (!left.empty()) {
      bool blocked = false;
      if (aborted_ || !send_some(left, blocked)) co_return false;
      if (!blocked) {
        write_deadline_.disarm();
        stream.on_progress();
        continue;
      }
      in_a_row = 0;
      stream.on_blocked();
      expect_room();
      co_await wake_.wait();
      if (takes_nothing()) co_return false;
    }
    context_.heartbeats.arm(silence);
    in_a_row += size;
    if (in_a_row >= fair_bytes) {
      in_a_row = 0;
      co_await Yield{context_.loop};
    }
  }
  if (aborted_) co_return false;
  if (!chunked) co_return true;
  iovec last = piece_of("0\r\n\r\n");
  co_return co_await send_all({&last, 1});
}

}  // namespace sa
