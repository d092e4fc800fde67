#include "base/json_pretty.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_line = 100;

bool is_plain(const json::value& value) { return !value.is_object() && !value.is_array(); }

// What is written so far, and how numbers are marked.
struct Page {
  std::string text;
  std::string_view mark;
};

void append(Page& page, const json::value& value, std::size_t depth);

void new_line(Page& page, std::size_t depth) { page.text.append("\n").append(2 * depth, ' '); }

// A number as people write it, 1.5 and not 1.5E0; one that was too large for a double stays so.
std::string plain_text(const json::value& value, std::string_view mark) {
  if (!mark.empty() && value.is_string() && value.get_string().starts_with(mark))
    return std::string(value.get_string().subview(mark.size()));
  if (!value.is_double()) return json::serialize(value);
  if (std::isinf(value.get_double())) return value.get_double() > 0 ? "1e999" : "-1e999";
  if (value.get_double() == 0 && std::signbit(value.get_double()))
    return "-0.0";  // read as a whole number it would lose its sign
  return fmt::format("{}", value.get_double());
}

void append_array(Page& page, const json::array& array, std::size_t depth) {
  if (std::ranges::all_of(array, is_plain)) {
    std::string line = "[";
    for (const json::value& item : array) line.append(line.size() > 1 ? ", " : "").append(plain_text(item, page.mark));
    if (line.size() <= longest_line) {
      page.text.append(line).append("]");
      return;
    }
  }
  page.text += '[';
  for (const json::value& item : array) {
    if (&item != array.begin()) page.text += ',';
    new_line(page, depth + 1);
    append(page, item, depth + 1);
  }
  new_line(page, depth);
  page.text += ']';
}

void append_object(Page& page, const json::object& object, std::size_t depth) {
  if (object.empty()) {
    page.text += "{}";
    return;
  }
  page.text += '{';
  for (const auto& member : object) {
    if (&member != object.begin()) page.text += ',';
    new_line(page, depth + 1);
    page.text.append(json::serialize(member.key())).append(": ");
    append(page, member.value(), depth + 1);
  }
  new_line(page, depth);
  page.text += '}';
}

void append(Page& page, const json::value& value, std::size_t depth) {
  if (const auto* object = value.if_object()) return append_object(page, *object, depth);
  if (const auto* array = value.if_array()) return append_array(page, *array, depth);
  page.text += plain_text(value, page.mark);
}

}  // namespace

std::string pretty_json(const boost::json::value& value, std::string_view mark) {
  Page page{{}, mark};
  append(page, value, 0);
  return std::move(page.text) + "\n";
}

}  // namespace sa
