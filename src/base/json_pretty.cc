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

void append(std::string& out, const json::value& value, std::size_t depth);

void new_line(std::string& out, std::size_t depth) { out.append("\n").append(2 * depth, ' '); }

// A number as people write it, 1.5 and not 1.5E0; one that was too large for a double stays so.
std::string plain_text(const json::value& value) {
  if (!value.is_double()) return json::serialize(value);
  if (std::isinf(value.get_double())) return value.get_double() > 0 ? "1e999" : "-1e999";
  if (value.get_double() == 0 && std::signbit(value.get_double()))
    return "-0.0";  // read as a whole number it would lose its sign
  return fmt::format("{}", value.get_double());
}

void append_array(std::string& out, const json::array& array, std::size_t depth) {
  if (std::ranges::all_of(array, is_plain)) {
    std::string line = "[";
    for (const json::value& item : array) line.append(line.size() > 1 ? ", " : "").append(plain_text(item));
    if (line.size() <= longest_line) {
      out.append(line).append("]");
      return;
    }
  }
  out += '[';
  for (const json::value& item : array) {
    if (&item != array.begin()) out += ',';
    new_line(out, depth + 1);
    append(out, item, depth + 1);
  }
  new_line(out, depth);
  out += ']';
}

void append_object(std::string& out, const json::object& object, std::size_t depth) {
  if (object.empty()) {
    out += "{}";
    return;
  }
  out += '{';
  for (const auto& member : object) {
    if (&member != object.begin()) out += ',';
    new_line(out, depth + 1);
    out.append(json::serialize(member.key())).append(": ");
    append(out, member.value(), depth + 1);
  }
  new_line(out, depth);
  out += '}';
}

void append(std::string& out, const json::value& value, std::size_t depth) {
  if (const auto* object = value.if_object()) return append_object(out, *object, depth);
  if (const auto* array = value.if_array()) return append_array(out, *array, depth);
  out += plain_text(value);
}

}  // namespace

std::string pretty_json(const boost::json::value& value) {
  std::string out;
  append(out, value, 0);
  return out + "\n";
}

}  // namespace sa
