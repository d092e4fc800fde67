// A raw look at one JSON object: the top-level tokens exactly as they were spelled. Views point into the line that was
// given. Knows just enough JSON to find the end of a value; garbage gives absent members, never an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fake {

struct Envelope {
  std::string_view line;
  std::string_view id;      // empty = absent
  std::string_view method;  // without its quotes
  std::string_view params;

  bool is_request() const { return !method.empty() && !id.empty(); }
  bool is_answer() const { return method.empty(); }
};

Envelope look_at(std::string_view line);

// The raw value of a top-level member, empty if absent. Of duplicates the last counts.
std::string_view member(std::string_view object, std::string_view key);
std::int64_t number_member(std::string_view object, std::string_view key, std::int64_t otherwise);
bool flag_member(std::string_view object, std::string_view key);
std::string text_member(std::string_view object, std::string_view key);

std::string quoted(std::string_view text);
std::string unquoted(std::string_view json_string);
std::string from_hex(std::string_view hex);

}  // namespace fake
