// The input is a config file, and each of its entries. Held: an entry has one canonical spelling, which is its own canonical
// spelling and means the same; a file that is taken is written so that it is read the same, in JSON for people.
// Inputs: at most 512 bytes.
#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "base/json_pretty.h"
#include "base/shape_read.h"
#include "config/entry_file.h"
#include "config/mcp_entry.h"
#include "config/skills_entry.h"
#include "documents.h"
#include "files/read_up_to.h"
#include "fuzz_input.h"
#include "scratch.h"

namespace sa::fuzz {
namespace {

namespace json = boost::json;

// 5.0 is 5; and where a double is read, Boost.JSON may take its neighbour.
bool same_number(const json::value& a, const json::value& b) {
  const double x = a.to_number<double>(), y = b.to_number<double>();
  return a == b || x == y || std::abs(x - y) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(x);
}

bool same(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return same_number(a, b);
  if (a.is_array() && b.is_array()) return std::ranges::equal(a.get_array(), b.get_array(), same);
  if (!a.is_object() || !b.is_object()) return a == b;
  return a.get_object().size() == b.get_object().size() && std::ranges::all_of(a.get_object(), [&](const auto& member) {
           const json::value* other = b.get_object().if_contains(member.key());
           return other && same(member.value(), *other);
         });
}

// Members that nobody knows are left out.
bool is_part_of(const json::value& part, const json::value& whole) {
  if (part.is_array() && whole.is_array()) return std::ranges::equal(part.get_array(), whole.get_array(), is_part_of);
  if (!part.is_object() || !whole.is_object()) return same(part, whole);
  return std::ranges::all_of(part.get_object(), [&](const auto& member) {
    const json::value* other = whole.get_object().if_contains(member.key());
    return other && is_part_of(member.value(), *other);
  });
}

void check_entry(const EntryKind& kind, const json::value& entry) {
  const auto canonical = kind.canonical(entry);
  if (!canonical) {
    hold(canonical.error().code == ErrorCode::unprocessable && !canonical.error().extra("field").empty(),
         "it names the member");
    return hold_refusal(canonical.error());
  }
  const auto again = parse_json(*canonical);
  hold(again.has_value() && again->is_object(), "a canonical entry is JSON");
  hold(kind.canonical(*again) == *canonical, "a canonical entry is canonical");
  for (const auto& [name, value] : again->get_object()) {
    const json::value* given = entry.get_object().if_contains(name);
    if (given && name != "type") hold(given->is_null() || is_part_of(value, *given), "a member keeps its value");
  }
}

void check_pretty(const json::value& value) {
  const std::string pretty = pretty_json(value);
  hold(pretty.ends_with('\n'), "a document ends with a line");
  const auto again = parse_json(pretty);
  hold(again.has_value() && same(*again, value), "JSON for people is the same JSON");
  const auto third = parse_json(pretty_json(*again));
  hold(third.has_value() && same(*third, value), "and stays the same");
}

// The text of every number of well-formed JSON, sorted.
std::vector<std::string> numbers_in(std::string_view json) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '"') {
      while (json[++at] != '"') at += json[at] == '\\';
    } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
      const std::size_t end = std::min(json.find_first_of(" \t\r\n,]}", at), json.size());
      numbers.emplace_back(json.substr(at, end - at));
      at = end - 1;
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

Place file_in(const Scratch& scratch) {
  return {UniqueFd(::open(scratch.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), "entries.json",
          scratch.at("entries.json")};
}

void check(std::string_view text) {
  static const Scratch scratch;
  scratch.write("entries.json", text);
  const auto entries = read_marked_entries(file_in(scratch));
  const auto value = parse_json(text);
  const bool right = value && value->is_object() &&
                     std::ranges::all_of(value->get_object(), [](const auto& member) { return member.value().is_object(); });
  hold(entries.has_value() == right, "a file is an object of objects");
  if (!entries) {
    hold(entries.error().code == ErrorCode::config_corrupt, "what is none is corrupt");
    hold_refusal(entries.error());
  }
  if (value) {
    check_pretty(*value);
    for (const EntryKind* kind : {&mcp_entries, &skills_entries}) check_entry(*kind, *value);
  }
  if (!entries) return;
  for (const auto& [name, entry] : value->get_object())
    for (const EntryKind* kind : {&mcp_entries, &skills_entries}) check_entry(*kind, entry);
  if (text.size() % 4 != 0) return;  // writing takes its time
  hold(write_entries(file_in(scratch), *entries).has_value(), "a file is written");
  const std::string written = read_file(scratch.at("entries.json"), 1U << 30U).value();
  const auto again = parse_json(written);
  hold(again && same(*again, *value), "what is written is read");
  hold(std::ranges::includes(numbers_in(text), numbers_in(written)), "no number changes its text");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
