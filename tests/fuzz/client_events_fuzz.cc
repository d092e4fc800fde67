// The first two bytes cut the rest, which is a body of server-sent events as a client reads it. Held: however it is cut, the
// events are those a plain reading of the standard finds; each becomes one line of JSON, one line of a trace that is read back,
// and one line for a terminal that has nothing a terminal would obey; what the feed makes of it has its words, and the number
// it begins with.
// Inputs: at most 512 bytes.
#include <algorithm>
#include <string>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "cli/api_events.h"
#include "cli/trace_lines.h"
#include "client/event_feed.h"
#include "client/event_parser.h"
#include "client/trace.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

struct Event {
  std::string event, id, data;
  bool operator==(const Event&) const = default;
};

std::vector<Event> read(const std::vector<std::string_view>& pieces) {
  EventParser parser;
  parser.feed("event: x\nid: 9\ndata: y\ndat", [](const ServerEvent&) {});
  parser.reset();  // a new body begins
  std::vector<Event> events;
  for (const std::string_view piece : pieces) {
    const std::vector<char> exact(piece.begin(), piece.end());  // so that reading too far is noticed
    parser.feed({exact.data(), exact.size()}, [&](const ServerEvent& event) {
      events.push_back({std::string(event.event), std::string(event.id), std::string(event.data)});
    });
  }
  return events;
}

// Lines end with LF or CR LF; an event ends with an empty one.
std::vector<Event> read_plainly(std::string_view body) {
  std::vector<Event> events;
  std::string event, id;
  std::vector<std::string> data;
  for (std::size_t end = 0; (end = body.find('\n')) != body.npos; body.remove_prefix(end + 1)) {
    std::string line(body.substr(0, end));
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) {
      std::string all;
      for (const std::string& one : data) all += (&one == data.data() ? "" : "\n") + one;
      if (!data.empty()) events.push_back({event.empty() ? "message" : event, id, all});
      event.clear();
      data.clear();
      continue;
    }
    const std::size_t colon = line.find(':');
    std::string value = colon == line.npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.erase(0, 1);
    const std::string name = line.substr(0, colon);
    if (name == "event") event = value;
    if (name == "id") id = value;
    if (name == "data") data.push_back(value);
  }
  return events;
}

bool is_for_terminal(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(line[i]);
    if (byte < 0x20 || byte == 0x7f) return false;
    if (byte == 0xC2 && i + 1 < line.size() && static_cast<std::uint8_t>(line[i + 1]) < 0xA0 &&
        static_cast<std::uint8_t>(line[i + 1]) >= 0x80)
      return false;
  }
  return true;
}

void check_event(const Event& event) {
  const std::string document = event_document({event.event, event.id, event.data});
  hold(scan_json(document).kind == JsonKind::object, "an event is a document");
  hold(document.find_first_of("\r\n") == document.npos, "on one line");

  FeedItem item{
      .kind = event.event == "client" ? FeedItem::Kind::client : FeedItem::Kind::message, .number = 7, .data = event.data};
  if (event.event == "gap") item.kind = FeedItem::Kind::gap;
  hold(is_for_terminal(message_line(item)), "a terminal is told nothing it would obey");
  const std::string line = trace_line(item);
  hold(line.ends_with('\n') && line.find('\n') == line.size() - 1, "a trace has one line for it");
  const bool is_json = scan_json(event.data).kind != JsonKind::invalid;
  if (item.kind == FeedItem::Kind::gap || !is_json) return;
  const auto again = read_trace_line(std::string_view(line).substr(0, line.size() - 1), 1);
  hold(again && std::holds_alternative<TraceMessage>(*again), "that line is read back");
  std::string expected = event.data;
  std::ranges::replace(expected, '\n', ' ');
  const std::size_t begin = expected.find_first_not_of(" \t\r\n");
  expected = expected.substr(begin, expected.find_last_not_of(" \t\r\n") + 1 - begin);
  const auto& message = std::get<TraceMessage>(*again);
  hold(message.envelope == expected, "as it was");
  hold(message.direction == (item.kind == FeedItem::Kind::client ? Speaker::client : Speaker::agent), "with who said it");
}

// The number a text begins with; 0 for none, and for one that is too large.
std::uint64_t number_at_start(std::string_view text) {
  std::uint64_t value = 0;
  for (const char c : text.substr(0, text.find_first_not_of("0123456789"))) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (~std::uint64_t{0} - digit) / 10) return 0;
    value = value * 10 + digit;
  }
  return value;
}

void check_feed(const Event& event) {
  const auto item = feed_item({event.event, event.id, event.data});
  const bool is_message = event.event == "message" && number_at_start(event.id) > 0;
  hold(item.has_value() == (is_message || event.event == "client" || event.event == "gap"), "the feed knows three kinds");
  if (item) hold(item->data == event.data, "a message is what was sent");
  if (item && is_message) hold(item->number == number_at_start(event.id), "with its number");
  const Loss loss = read_loss(event.data);
  const std::string words = loss.agent_words() + loss.client_words();
  hold(is_for_terminal(words) && words.contains("messages"), "what is lost is said in words");
}

void check(const CutInput& input) {
  const std::vector<Event> whole = read({input.whole});
  hold(read(input.pieces()) == whole, "events are the same however the bytes are cut");
  hold(read_plainly(input.whole) == whole, "a plain reading finds the same");
  for (const Event& event : whole) {
    check_event(event);
    check_feed(event);
  }
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 2) sa::fuzz::check(sa::fuzz::CutInput(sa::fuzz::text_of(data, size)));
  return 0;
}
