#include "http/http_date.h"

namespace sa {
namespace {

constexpr const char* format = "%a, %d %b %Y %H:%M:%S GMT";

}  // namespace

std::string http_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

std::optional<std::time_t> parse_http_date(std::string_view text) {
  const std::string whole(text);
  std::tm parts{};
  const char* end = ::strptime(whole.c_str(), format, &parts);
  if (!end || *end != '\0') return std::nullopt;
  const std::time_t time = ::timegm(&parts);
  if (http_date(time) != whole) return std::nullopt;  // strptime takes more than we want
  return time;
}

}  // namespace sa
