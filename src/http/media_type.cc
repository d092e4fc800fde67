#include "http/media_type.h"

#include <algorithm>

#include "http/request.h"

namespace sa {
namespace {

// Cuts the part before `separator` off the front of `rest`.
std::string_view cut(std::string_view& rest, char separator) {
  const std::string_view part = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return trimmed(part);
}

// 3 for an exact match, 2 for "type/*", 1 for "*/*", 0 for none.
int specificity(std::string_view range, std::string_view offered) {
  if (equals_ignoring_case(range, offered)) return 3;
  if (range == "*/*" || range == "*") return 1;
  const std::string_view type = offered.substr(0, offered.find('/') + 1);
  return range.size() == type.size() + 1 && range.ends_with("/*") && equals_ignoring_case(range.substr(0, type.size()), type)
             ? 2
             : 0;
}

// "0.8" is 800; what is not such a number counts as a refusal.
int thousandths(std::string_view text) {
  if (text.empty() || (text[0] != '0' && text[0] != '1') || (text.size() > 1 && text[1] != '.')) return 0;
  int value = (text[0] - '0') * 1000;
  int unit = 100;
  for (const char digit : text.substr(std::min<std::size_t>(text.size(), 2))) {
    if (digit < '0' || digit > '9') return 0;
    value += (digit - '0') * unit;
    unit /= 10;
  }
  return std::min(value, 1000);
}

int parse_quality(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = cut(parameters, ';');
    if (parameter.size() < 2 || (parameter[0] != 'q' && parameter[0] != 'Q') || parameter[1] != '=') continue;
    return thousandths(parameter.substr(2));
  }
  return 1000;
}

}  // namespace

bool is_media_type(std::string_view content_type, std::string_view wanted) {
  return equals_ignoring_case(cut(content_type, ';'), wanted);
}

int quality(std::string_view accept, std::string_view offered) {
  if (trimmed(accept).empty()) return 1000;
  int best = 0;
  int result = 0;
  while (!accept.empty()) {
    std::string_view entry = cut(accept, ',');
    const int match = specificity(cut(entry, ';'), offered);
    if (match > best) {
      best = match;
      result = parse_quality(entry);
    }
  }
  return result;
}

bool accepts(std::string_view accept, std::string_view offered) { return quality(accept, offered) > 0; }

}  // namespace sa
