// A question with a form (elicitation/create), for people. Pure functions; what they give is harmless for a terminal.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace sa {

// What is asked.
std::string form_message(const boost::json::object& params);

// A line for each field: its name, whether it must be filled, and what it takes. For one that is answered on a web page: where.
std::vector<std::string> form_lines(const boost::json::object& params);

}  // namespace sa
