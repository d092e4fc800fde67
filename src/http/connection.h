// One client connection: reads requests one after the other, hands each to the application, sends the answer. Pipelined
// requests wait in the kernel or in our small buffer. One coroutine, one Signal, many reasons to wake.
// Owned by its own coroutine; the server keeps a list only to end connections at shutdown. Loop thread only.
#pragma once

#include <sys/uio.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/limits.h"
#include "http/message_parser.h"
#include "http/request.h"
#include "http/response.h"
#include "io/async_fd.h"
#include "io/deadlines.h"
#include "io/task.h"
#include "io/worker_pool.h"

namespace sa {

// Of all connections, since the start.
struct HttpCounters {
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::uint64_t answers = 0;  // sent or given up; requests without one are under way
  std::uint64_t bytes_received = 0;
  std::uint64_t bytes_sent = 0;
};

// What every connection of a server shares.
struct HttpContext {
  HttpContext(Loop& the_loop, WorkerPool& the_pool, const HttpLimits& the_settings);

  Loop& loop;
  WorkerPool& pool;
  HttpLimits settings;
  HttpCounters counters;
  // Answers a request whose head was understood. `limit` receives the most body bytes the chosen route takes.
  std::function<Task<Response>(Request&, std::uint64_t& limit)> application;
  bool draining = false;
  Deadlines head_deadlines;
  Deadlines body_deadlines;
  Deadlines idle_deadlines;
  Deadlines write_deadlines;
  Deadlines heartbeats;
};

class Connection final : private Client, private BodyReader {
 public:
  Connection(HttpContext& context, AsyncFd socket);

  static Task<> serve(std::unique_ptr<Connection> self, std::function<void(Connection&)> ended);

  // Ends at the next chance: at once when idle, after the answer when busy. A stream ends when its source does.
  void drain();
  // Ends now, whatever it is doing.
  void abort();

 private:
  enum class Got : std::uint8_t { bytes, nothing_yet, end };
  enum class HeadState : std::uint8_t { complete, closed, answered };

  // connection.cc: reading requests
  Task<> serve_requests();
  Task<HeadState> read_head();
  Task<HeadState> refuse_head(Response answer);
  Task<> handle_request();
  Got receive(std::string& into, std::size_t at_most);
  Task<> be_fair(std::size_t work);
  void await_bytes(Signal& signal);
  bool gone(Signal& wake) override;

  // connection_body.cc: reading bodies
  Task<Result<std::string_view>> next() override;
  Task<Result<std::string>> all() override;
  Task<Result<void>> want_bytes(std::string& into, std::size_t at_most);
  Result<bool> use_received();
  Task<Result<std::string>> all_sized();
  bool over_limit(std::uint64_t size) const { return limit_ > 0 && size > limit_; }
  void discard_body();
  Task<> linger();

  // connection_transfer.cc: bodies and files that worker threads move
  Task<Result<void>> pour(Sink sink) override;
  Task<Result<void>> begin() override;
  Result<std::string_view> pull() override;
  enum class Poured : std::uint8_t { all, paused, more };
  Result<Poured> pour_some(const Sink& sink);
  Result<bool> take_piece(std::chrono::nanoseconds& patience);
  Task<Result<void>> want_first_bytes();
  void lend_to_worker();
  void settle_worker();
  Task<bool> send_file(FileBody& file);
  Task<> let_go(Response& response);

  // connection_send.cc: sending answers
  Task<> send(Response response);
  Task<bool> send_all(std::span<iovec> pieces);
  Task<bool> send_pieces(std::unique_ptr<ByteSource>& source);
  Task<bool> send_chunk(std::string_view bytes);
  Task<bool> send_events(EventStream& stream);
  Task<bool> until_read();
  std::string build_head(const Response& response, std::string_view framing) const;
  bool send_some(std::span<iovec>& pieces, bool& blocked);
  void expect_room();
  bool takes_nothing();

  HttpContext& context_;
  AsyncFd socket_;
  Signal wake_;
  std::string in_;    // received, not yet used
  std::string head_;  // of the request being answered
  MessageParser parser_;
  Request request_;
  MessageFraming framing_;
  std::uint64_t limit_ = 0;  // most body bytes of this request, 0 for any
  std::uint64_t body_read_ = 0;
  bool body_done_ = true;
  bool continue_wanted_ = false;  // the client waits for "100 Continue"
  std::string chunk_;             // what next() returned last
  bool close_after_ = false;
  bool aborted_ = false;
  bool lent_to_worker_ = false;        // a worker thread uses the socket, and the body's members above
  std::uint64_t worker_received_ = 0;  // by a worker thread, not yet counted
  bool worker_saw_end_ = false;        // a worker thread found that the client is gone
  std::size_t work_in_a_row_ = 0;      // done since others last had a turn, in bytes
  bool is_head_request_ = false;
  Timer hang_up_timer_;
  Deadlines::Entry read_deadline_;
  Deadlines::Entry write_deadline_;
  int unread_ = 0;  // of what was sent, when write_deadline_ was armed
};

}  // namespace sa
