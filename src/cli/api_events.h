// Events of a stream as documents. Pure functions.
#pragma once

#include <string>

#include "client/event_parser.h"

namespace sa {

// {"event":"message","id":12,"data":…} on one line: JSON data as it is, other data as a string.
std::string event_document(const ServerEvent& event);

// JSON on one line: line ends between its tokens become blanks, all else stays.
std::string on_one_line(std::string json);

}  // namespace sa
