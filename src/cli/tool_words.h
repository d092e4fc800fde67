// What a tool call does, in words for people, from what an agent said of it. Pure functions. Nothing they give holds a line end
// or anything that a terminal would obey, and all of it is bounded.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace sa {

// Adds what a later message says of the same call: its members replace those of before.
void add_said(boost::json::object& call, const boost::json::object& later);

// What the agent calls it; its id when it has no other name.
std::string tool_title(const boost::json::object& call);

// The title, and what is run or touched where the title does not tell: "Terminal: make clean".
std::string tool_line(const boost::json::object& call);

// Whether it is known what is run or touched, so that the line is more than a name.
bool tells_input(const boost::json::object& call);

struct DetailLine {
  enum class Kind : std::uint8_t { words, added, removed };
  Kind kind = Kind::words;
  std::string text;
};

// What somebody who allows the call should have seen: the exact command, the paths, the change or text. Says how much was
// left out.
std::vector<DetailLine> tool_details(const boost::json::object& call);

}  // namespace sa
