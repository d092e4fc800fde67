// The input is two bytes that cut, one that sizes the ring, one for the position of late readers, then lines as they come from
// a pipe: "<…" is said by a client, "?" lets the observer read, all else is said by the agent. Held: whatever way lines and
// stream are cut, every reader gets every event once and in its place, or is told in a gap that it is lost.
// Inputs: at most 640 bytes.
#include <algorithm>
#include <string>

#include "acp/event_reader.h"
#include "fuzz_input.h"
#include "io/line_buffer.h"
#include "support/sse_parser.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t read_at_once = 200;
constexpr std::size_t most_pieces = 24;
constexpr std::size_t longest_frame = 64;

RingLimits limits_of(char choice) {
  const auto byte = static_cast<std::uint8_t>(choice);
  return {.max_messages = byte % 16u + 1, .max_bytes = byte < 128 ? 1u << 20 : 400u};
}

struct ClientMessage {
  EventId after;  // the newest event when it was sent
  std::string data;
};

// Everything said, told once to the ring and once kept here.
struct World {
  explicit World(RingLimits limits) : ring(std::make_shared<EventRing>(limits, budget)) {}

  void say(std::string line) {
    std::ranges::replace(line, '\r', ' ');  // a line that reaches the ring has none
    if (line.starts_with('<')) {
      ring->append_client(line);
      clients.push_back({agent.size(), line});
    } else {
      agent.push_back(line);
      hold(ring->append(line) == agent.size(), "numbers are dense");
      hold(ring->payload(agent.size()).bytes == line, "an answer is what the agent wrote");
    }
  }

  bool fits() const {
    std::size_t agent_bytes = 0, client_bytes = 0;
    for (const std::string& line : agent) agent_bytes += line.size() + longest_frame;
    for (const ClientMessage& message : clients) client_bytes += message.data.size() + longest_frame;
    const RingLimits& limits = ring->limits();
    return std::max(agent.size(), clients.size()) <= limits.max_messages && agent_bytes <= limits.max_bytes &&
           client_bytes <= limits.max_bytes / 4;
  }

  RingBudget budget{1u << 30};
  std::shared_ptr<EventRing> ring;
  std::vector<std::string> agent;
  std::vector<ClientMessage> clients;
};

RunningClock& clock() {
  static Loop loop;
  static RunningClock running(loop);
  return running;
}

// Follows one reader's stream and compares it with what was said.
class Follower {
 public:
  Follower(const World& world, EventId after, bool with_clients)
      : world_(world), next_(after + 1), next_client_(with_clients ? 0 : world.clients.size()) {
    if (after == 0) return;
    const auto skip = [this](auto is_skipped) {
      while (next_client_ < world_.clients.size() && is_skipped(world_.clients[next_client_])) ++next_client_;
    };
    skip([=](const ClientMessage& message) { return message.after < after; });
    // What clients sent between events that are gone is gone with them: the gap of events tells.
    const EventId last_gone = world.ring->oldest() - 1;
    const auto is_gone = [this] { return next_client_ + 1 < world_.ring->client_track().first(); };
    skip([&](const ClientMessage& message) { return message.after < last_gone && is_gone(); });
  }

  void on_event(const rig::SseEvent& event) {
    switch (event.kind) {
      case rig::SseEvent::Kind::message: return on_message(event);
      case rig::SseEvent::Kind::client: return on_client(event.data);
      case rig::SseEvent::Kind::gap: return on_gap(rig::parse_gap(event.data));
      case rig::SseEvent::Kind::heartbeat: hold(false, "a ring has no heartbeat");
    }
  }

  void on_end() const {
    hold(next_ == world_.agent.size() + 1, "every event was told or is lost");
    hold(next_client_ == world_.clients.size(), "every message of a client was told or is lost");
    hold(!gaps_ || !world_.fits(), "what fits is not lost");
  }

 private:
  void on_message(const rig::SseEvent& event) {
    hold(event.id == next_ && next_ <= world_.agent.size(), "events come in order");
    hold(event.data == world_.agent[next_ - 1], "an event is what the agent wrote");
    hold(next_client_ == world_.clients.size() || world_.clients[next_client_].after >= next_, "clients have their place");
    ++next_;
  }
  void on_client(std::string_view data) {
    hold(next_client_ < world_.clients.size() && data == world_.clients[next_client_].data, "clients come in order");
    hold(world_.clients[next_client_].after < next_, "nothing is told before its place");
    ++next_client_;
  }
  void on_gap(const rig::Gap& gap) {
    gaps_ = true;
    hold(gap.has_bounds || gap.client_messages > 0, "a gap says what is lost");
    if (gap.has_bounds) {
      hold(gap.from == next_ && gap.to >= gap.from && gap.to < world_.ring->oldest(), "only what is gone is lost");
      next_ = gap.to + 1;
    }
    next_client_ += gap.client_messages;
  }

  const World& world_;
  EventId next_;
  std::size_t next_client_;
  bool gaps_ = false;
};

bool take(EventReader& reader, std::string& stream) {
  std::vector<SharedBytes> out;
  reader.take(out, read_at_once);
  for (const SharedBytes& piece : out) stream += piece.bytes;
  return !out.empty();
}

void follow(std::string_view cuts, const std::string& stream, Follower follower) {
  rig::SseParser parser;
  for (const std::string_view piece : CutInput(cuts, stream).few(most_pieces)) {
    parser.feed(std::string(piece), [&](const rig::SseEvent& event) {
      follower.on_event(event);
      return true;
    });
    hold(parser.fault().empty(), "the stream is well-formed");
  }
  hold(parser.between_events(), "the stream holds whole events");
  follower.on_end();
}

void check(std::string_view input) {
  const std::string_view cuts = input.substr(0, 2);
  World world(limits_of(input[2]));
  EventReader observer(world.ring, {.after = {}, .include_client = true}, clock(), Millis(1'000));
  std::string observed;
  const auto act = [&](std::string_view line) { line == "?" ? void(take(observer, observed)) : world.say(std::string(line)); };

  LineBuffer lines;
  std::string acted;
  const CutInput output(cuts, input.substr(4));
  for (const std::string_view piece : output.few(most_pieces)) {
    lines.feed(piece);
    for (; const auto line = lines.front(); lines.pop()) {
      act(*line);
      acted.append(*line).append("\n");
    }
    hold(lines.rest().size() <= output.whole.size(),
         "an unfinished line is not longer than what came");  // asked after each read
  }
  hold(acted.append(lines.rest()) == output.whole, "lines are cut at newlines and nowhere else");
  while (take(observer, observed)) {
  }
  follow(cuts, observed, Follower(world, 0, true));

  const EventId after = static_cast<std::uint8_t>(input[3]) % (world.agent.size() + 1);
  for (const bool with_clients : {false, true}) {
    EventReader late(world.ring, {.after = after, .include_client = with_clients}, clock(), Millis(1'000));
    std::string replayed;
    while (take(late, replayed)) {
    }
    follow(cuts, replayed, Follower(world, after, with_clients));
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4) sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
