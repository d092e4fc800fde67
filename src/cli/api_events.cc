#include "cli/api_events.h"

#include <algorithm>

#include "base/json_scan.h"
#include "base/utf8.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

// As JSON writes whole numbers.
bool is_number(std::string_view text) {
  const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits && (text == "0" || !text.starts_with('0'));
}

}  // namespace

std::string event_document(const ServerEvent& event) {
  std::string line = R"({"event":)";
  append_json_string(line, event.event);
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
    line += on_one_line(std::string(event.data));
  }
  return line + "}";
}

std::string on_one_line(std::string json) {
  while (json.ends_with('\n') || json.ends_with('\r')) json.pop_back();
  std::ranges::replace_if(json, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return json;
}

}  // namespace sa
