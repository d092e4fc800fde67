#include "cli/api_events.h"

#include <algorithm>
#include <utility>

#include "base/json_scan.h"
#include "base/utf8.h"

namespace sa {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void StreamEvents::feed(std::string_view bytes, const std::function<void(const StreamEvent&)>& take) {
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    rest_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (rest_.ends_with('\r')) rest_.pop_back();
    on_line(rest_, take);
    rest_.clear();
  }
  rest_ += bytes;
}

void StreamEvents::on_line(std::string_view line, const std::function<void(const StreamEvent&)>& take) {
  if (line.empty()) {
    const StreamEvent event = std::exchange(event_, {});
    if (std::exchange(has_data_, false)) take(event);
    return;
  }
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "event") event_.kind = value;
  if (field == "id") event_.id = value;
  if (field != "data") return;
  if (std::exchange(has_data_, true)) event_.data += '\n';
  event_.data += value;
}

std::string event_document(const StreamEvent& event) {
  std::string line = R"({"event":)";
  append_json_string(line, event.kind.empty() ? "message" : event.kind);
  if (!event.id.empty()) {
    line += R"(,"id":)";
    if (is_number(event.id)) {
      line += event.id;
    } else {
      append_json_string(line, event.id);
    }
  }
  line += R"(,"data":)";
  if (scan_json(event.data).kind == JsonKind::invalid) {
    append_json_string(line, event.data);
  } else {
    line += on_one_line(event.data);
  }
  return line + "}";
}

std::string on_one_line(std::string json) {
  while (json.ends_with('\n') || json.ends_with('\r')) json.pop_back();
  std::ranges::replace_if(json, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return json;
}

}  // namespace sa
