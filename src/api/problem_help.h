// What each error means to who meets it: when it comes, what to do, which members of the problem it adds. Words for the
// reference page; statuses and titles are in base/error_codes.h. Pure; any thread.
#pragma once

#include <string_view>

#include "base/error_codes.h"

namespace sa {

struct ProblemHelp {
  std::string_view when;
  std::string_view what_to_do;
  std::string_view members;  // beyond those that all have, separated by spaces; not each is always there
};

ProblemHelp problem_help(ErrorCode code);

}  // namespace sa
