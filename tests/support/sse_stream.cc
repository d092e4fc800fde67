#include "sse_stream.h"

#include <doctest/doctest.h>

namespace rig {

SseStream::SseStream(Connection connection, std::uint64_t last_id) : connection_(std::move(connection)) {
  head_ = connection_.read_head();
  if (head_.status != 200) throw std::runtime_error("no event stream but status " + std::to_string(head_.status));
  if (head_.header("transfer-encoding") != "chunked") throw std::runtime_error("the event stream is not chunked");
  check_.begin(last_id);
  check_.allow_lost_position();  // whether it is one, the test says
}

SseStream::~SseStream() {
  for (const auto& fault : check_.faults()) CHECK_EQ(fault, "");
  CHECK_EQ(parser_.fault(), "");
}

void SseStream::take(const SseEvent& event) {
  if (event.kind == SseEvent::Kind::message) check_.on_message(event.id);
  if (event.kind == SseEvent::Kind::gap) check_.on_gap(event.data);
  queue_.push_back({.kind = event.kind, .id = event.id, .data = std::string(event.data)});
}

bool SseStream::read_some(milliseconds patience) {
  if (chunks_.done()) return false;
  const bool more = !connection_.buffered().empty() || connection_.read_more(patience);
  chunks_.feed(connection_.buffered(), [&](std::string_view payload) {
    parser_.feed(payload, [&](const SseEvent& event) {
      take(event);
      return true;
    });
  });
  connection_.buffered().clear();
  if (chunks_.faulty()) throw std::runtime_error("the event stream is not properly chunked");
  return more;
}

StreamEvent SseStream::next_including_heartbeats(milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  while (queue_.empty()) {
    if (Clock::now() >= end) throw TimedOut("an event");
    if (!read_some(patience)) throw std::runtime_error("the stream ended while waiting for an event");
  }
  StreamEvent event = std::move(queue_.front());
  queue_.pop_front();
  return event;
}

StreamEvent SseStream::next(milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  for (;;) {
    StreamEvent event = next_including_heartbeats(patience);
    if (event.kind != SseEvent::Kind::heartbeat) return event;
    if (Clock::now() >= end) throw TimedOut("an event that is not a heartbeat");
  }
}

StreamEvent SseStream::until(std::string_view text, milliseconds patience) {
  for (;;) {
    StreamEvent event = next(patience);
    if (event.mentions(text)) return event;
  }
}

StreamEvent SseStream::until_id(std::uint64_t id, milliseconds patience) {
  for (;;) {
    StreamEvent event = next(patience);
    if (event.is_message() && event.id >= id) return event;
  }
}

bool SseStream::quiet_for(milliseconds time) {
  const auto end = Clock::now() + time;
  do {
    std::erase_if(queue_, [](const StreamEvent& e) { return e.kind == SseEvent::Kind::heartbeat; });
    if (!queue_.empty()) return false;
    if (connection_.readable_unscaled(milliseconds(milliseconds_until(end))) && !read_some(usual_patience)) return true;
  } while (Clock::now() < end);
  return queue_.empty();
}

bool SseStream::ends_within(milliseconds patience) {
  const auto end = Clock::now() + scaled(patience);
  while (!chunks_.done()) {
    if (Clock::now() >= end) throw TimedOut("the end of the stream");
    if (!read_some(patience)) return chunks_.done();
  }
  return parser_.between_events();
}

}  // namespace rig
