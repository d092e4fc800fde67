// One event stream read by hand, event by event, on its own connection. Movable; one thread. Order and format are
// checked all along (see stream_check.h): a test that reads a stream also proves that it was dense.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "chunk_decoder.h"
#include "http_client.h"
#include "sse_parser.h"
#include "stream_check.h"

namespace rig {

// An event with its own copy of the data.
struct StreamEvent {
  SseEvent::Kind kind;
  std::uint64_t id;
  std::string data;

  bool is_message() const { return kind == SseEvent::Kind::message; }
  bool mentions(std::string_view text) const { return data.find(text) != std::string::npos; }
};

class SseStream {
 public:
  // Takes a connection on which the request was sent; reads the head at once and throws unless it is a 200 event
  // stream.
  SseStream(Connection connection, std::uint64_t last_id);
  ~SseStream();
  SseStream(SseStream&&) noexcept = default;

  const Response& head() const { return head_; }
  Connection& connection() { return connection_; }
  const StreamCheck& check() const { return check_; }

  // The next event of any kind except heartbeats; throws at the end of the stream and when the deadline passes.
  StreamEvent next(milliseconds patience = usual_patience);
  StreamEvent next_including_heartbeats(milliseconds patience = usual_patience);
  // Reads until an event mentions the text, and returns that one.
  StreamEvent until(std::string_view text, milliseconds patience = usual_patience);
  // Reads on until the number is reached.
  StreamEvent until_id(std::uint64_t id, milliseconds patience = usual_patience);
  // True if no event (heartbeats aside) comes within the time.
  bool quiet_for(milliseconds time);
  // Reads the rest; true if the stream ended properly (last chunk), false if it was cut.
  bool ends_within(milliseconds patience = usual_patience);
  // What the rest, read by ends_within, consisted of.
  const std::deque<StreamEvent>& rest() const { return queue_; }

 private:
  bool read_some(milliseconds patience);
  void take(const SseEvent& event);

  Connection connection_;
  Response head_;
  ChunkDecoder chunks_;
  SseParser parser_;
  StreamCheck check_;
  std::deque<StreamEvent> queue_;
};

}  // namespace rig
