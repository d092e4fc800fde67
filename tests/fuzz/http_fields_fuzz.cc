// The first byte chooses a file's size; the lines that follow are header fields. Held: what Range, the conditions, Accept,
// Content-Type and Prefer say is what a plain reading of RFC 9110 and RFC 7240 says; a date is exactly what we would write.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "api/ui_answer.h"
#include "fuzz_input.h"
#include "http/conditional.h"
#include "http/http_date.h"
#include "http/media_type.h"
#include "http/prefer.h"
#include "plain_head.h"

namespace sa::fuzz {
namespace {

using Kind = PartWanted::Kind;
__extension__ using Wide = unsigned __int128;

const Version version{"\"a\"", 1'000'000'000};
constexpr std::uint64_t sizes[] = {0, 1, 10, 1'000, std::uint64_t{1} << 63, UINT64_MAX};

std::string_view stripped(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(stripped(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// As a connection hands them over: no control characters, no blanks around a value.
Request request_of(std::string_view lines) {
  Request request;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const auto is_control = [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; };
    if (colon == line.size() || std::ranges::any_of(line, is_control)) continue;
    request.headers.push_back({line.substr(0, colon), stripped(line.substr(colon + 1))});
  }
  return request;
}

std::vector<std::string_view> values(const Request& request, std::string_view name) {
  std::vector<std::string_view> all;
  for (const Header& field : request.headers)
    if (same_word(field.name, name)) all.push_back(field.value);
  return all;
}

std::string joined(const std::vector<std::string_view>& values) {
  std::string all;
  for (const std::string_view value : values) all += (all.empty() ? "" : ", ") + std::string(value);
  return all;
}

// Digits as a number, or the largest of 64 bits; nothing when they are none.
std::optional<Wide> digits(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Wide value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = std::min<Wide>(value * 10 + static_cast<unsigned>(c - '0'), UINT64_MAX);
  }
  return value;
}

PartWanted range_plainly(std::string_view range, Wide size) {
  if (range.size() < 6 || !same_word(range.substr(0, 6), "bytes=")) return {};
  const std::string_view spec = range.substr(6);
  const std::size_t dash = spec.find('-');
  if (dash == spec.npos) return {};
  const std::string_view first = stripped(spec.substr(0, dash)), last = stripped(spec.substr(dash + 1));
  Wide from = 0, to = size;  // behind the last byte
  if (first.empty()) {
    const auto count = digits(last);
    if (!count) return {};
    from = size - std::min(*count, size);
  } else {
    const auto begin = digits(first), end = digits(last);
    if (!begin || (!last.empty() && !end) || (end && *end < *begin)) return {};
    from = *begin;
    if (end) to = std::min(*end + 1, size);
  }
  if (from >= to || from >= size) return {Kind::nothing};
  return {Kind::part, static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to - from)};
}

void check_range(const Request& request, std::uint64_t size) {
  const PartWanted part = part_wanted(request, version, size);
  const auto ranges = values(request, "range"), conditions = values(request, "if-range");
  const bool meant = conditions.empty() || conditions[0] == version.etag || conditions[0] == "Sun, 09 Sep 2001 01:46:40 GMT";
  const PartWanted plain = ranges.size() == 1 && meant ? range_plainly(ranges[0], size) : PartWanted{};
  hold(part.kind == plain.kind && part.first == plain.first && part.length == plain.length, "a range is what it says");
}

// The tags of a list, as far as it is one.
std::vector<std::string> tags(std::string_view list) {
  std::vector<std::string> all;
  std::string tag;
  bool inside = false;
  for (const char c : list) {
    if (!inside && tag.empty() && (c == ' ' || c == '\t' || c == ',')) continue;
    tag += c;
    if (c == '"') inside = !inside;
    if (!inside && tag != "W" && tag != "W/" && !tag.ends_with('"')) return all;
    if (inside && tag != "W/\"" && tag != "\"" && !tag.starts_with("W/\"") && !tag.starts_with('"')) return all;
    if (!inside && tag.ends_with('"')) all.push_back(std::exchange(tag, {}));
  }
  return all;
}

bool lists_plainly(const std::vector<std::string_view>& fields, bool weak) {
  const std::string list = joined(fields);
  if (stripped(list) == "*") return true;
  return std::ranges::any_of(
      tags(list), [&](const std::string& tag) { return tag == version.etag || (weak && tag == "W/" + version.etag); });
}

std::optional<std::time_t> date_plainly(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec", days = "SunMonTueWedThuFriSat";
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT" || text[7] != ' ' || text[11] != ' ' ||
      text[16] != ' ' || text[19] != ':' || text[22] != ':')
    return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) { return digits(text.substr(at, size)); };
  const auto day = number(5, 2), year = number(12, 4), hour = number(17, 2), minute = number(20, 2), second = number(23, 2);
  const std::size_t month = months.find(text.substr(8, 3)), weekday = days.find(text.substr(0, 3));
  if (!day || !year || !hour || !minute || !second || month % 3 != 0 || month > 33 || weekday % 3 != 0 || weekday > 18)
    return std::nullopt;
  if (*year < 1'000) return std::nullopt;  // before there were files
  if (*hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  namespace chrono = std::chrono;
  const chrono::year_month_day date{chrono::year(static_cast<int>(*year)), chrono::month(static_cast<unsigned>(month / 3 + 1)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const chrono::sys_days at = date;
  if (chrono::weekday(at).c_encoding() != weekday / 3) return std::nullopt;
  return static_cast<std::time_t>(at.time_since_epoch().count()) * 86'400 +
         static_cast<std::time_t>(*hour * 3'600 + *minute * 60 + *second);
}

void check_conditions(const Request& request) {
  for (const Header& field : request.headers) {
    const auto date = parse_http_date(field.value);
    if (date) hold(http_date(*date) == field.value, "a date is what we would write");
    const auto plain = date_plainly(field.value);
    if (field.value.size() == 29) hold(date == plain, "a date means what it says");
  }
  const auto first_date = [&](std::string_view name) {
    const auto all = values(request, name);
    return all.empty() ? std::nullopt : parse_http_date(all[0]);
  };
  const auto none = values(request, "if-none-match"), some = values(request, "if-match");
  const auto modified = first_date("if-modified-since"), unmodified = first_date("if-unmodified-since");
  const bool unchanged = none.empty() ? modified && version.modified <= *modified : lists_plainly(none, true);
  const bool meant = some.empty() ? !unmodified || version.modified <= *unmodified : lists_plainly(some, false);
  hold(is_unchanged(request, version) == unchanged, "a copy is still good when its tag or date says so");
  hold(is_version_meant(request, version) == meant, "a condition names the version that is there");
}

int quality_plainly(std::string_view accept, std::string_view offered) {
  if (stripped(accept).empty()) return 1'000;
  int best = 0, result = 0;
  for (const std::string_view entry : split(accept, ',')) {
    const auto parts = split(entry, ';');
    const std::string_view range = parts[0];
    const std::string family = std::string(offered.substr(0, offered.find('/'))) + "/*";
    const int rank = same_word(range, offered)                           ? 3
                     : range == "*/*" || range == "*"                    ? 1
                     : offered.contains('/') && same_word(range, family) ? 2
                                                                         : 0;
    if (rank <= best) continue;
    best = rank;
    result = 1'000;
    for (const std::string_view part : split(entry, ';')) {
      if (part.data() == range.data() || part.size() < 2 || !same_word(part.substr(0, 2), "q=")) continue;
      std::string q(part.substr(2));
      const bool right = (q.starts_with('0') || q.starts_with('1')) && (q.size() == 1 || q[1] == '.') &&
                         q.find_first_not_of("0123456789", 2) == q.npos;
      q.erase(std::min<std::size_t>(q.size(), 1), 1);
      q.resize(4, '0');
      result = right ? std::min(std::stoi(q), 1'000) : 0;
      break;
    }
  }
  return result;
}

void check_lists(const Request& request) {
  const std::string accept = request.list_header("accept");
  hold(accept == joined(values(request, "accept")), "fields of one name are one list");
  for (const std::string_view offered : {"application/json", "text/event-stream", "gzip"}) {
    hold(quality(accept, offered) == quality_plainly(accept, offered), "the most specific range counts");
    hold(accepts(accept, offered) == (quality(accept, offered) > 0), "what has a quality is accepted");
  }
  const std::string encodings = request.list_header("accept-encoding");
  hold(!prefers_gzip(encodings) || quality_plainly(encodings, "gzip") > 0, "gzip is for who takes it");
  const auto types = values(request, "content-type");
  const std::string_view type = types.empty() ? std::string_view() : types[0];
  hold(is_media_type(request.header("content-type"), "application/json") == same_word(split(type, ';')[0], "application/json"),
       "parameters do not change a type");
  bool preferred = false;
  for (const std::string_view value : values(request, "prefer"))
    for (const std::string_view one : split(value, ',')) preferred |= same_word(split(one, ';')[0], "respond-async");
  hold(prefers(request, "respond-async") == preferred, "a preference is one of the list");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sa::fuzz;
  if (size == 0) return -1;
  const sa::Request request = request_of(text_of(data + 1, size - 1));
  check_range(request, sizes[data[0] % std::size(sizes)]);
  check_conditions(request);
  check_lists(request);
  return 0;
}
