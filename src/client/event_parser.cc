#include "client/event_parser.h"

namespace sa {

void EventParser::feed(std::string_view bytes, const Take& take) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      line_ += bytes;
      return;
    }
    if (line_.empty()) {
      take_line(bytes.substr(0, end), take);
    } else {
      line_ += bytes.substr(0, end);
      take_line(line_, take);
      line_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void EventParser::take_line(std::string_view line, const Take& take) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) {
    if (has_data_) take({event_.empty() ? std::string_view("message") : event_, id_, data_});
    event_.clear();
    data_.clear();
    has_data_ = false;
    return;
  }
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") event_ = value;
  if (name == "id") id_ = value;
  if (name != "data") return;
  if (has_data_) data_ += '\n';
  data_ += value;
  has_data_ = true;
}

void EventParser::reset() { *this = EventParser(); }

}  // namespace sa
