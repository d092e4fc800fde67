// The line that says what went wrong, out of what a program said: short, printable, without blanks at its end. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace sa {

// `text` on one line: cut to 500 bytes, a blank for every control character.
std::string printable_line(std::string_view text);

// The last line that is not blank; empty when there is none.
std::string last_line(std::string_view output);

// Of what a program wrote before it died the line that says why: the last near the end that names an error, else the last one
// that does not belong to a stack trace, else the last. Node ends with the trace and its own version.
std::string cause_line(std::string_view output);

// Of npm's output the first of its errors that is no mere detail; else the last line.
std::string npm_line(std::string_view output);

}  // namespace sa
