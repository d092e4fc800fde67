// A link into the inspector: printed, and opened where there is a browser.
#pragma once

#include "cli/used_server.h"

namespace sa {

// "--no-open", for the commands that show a link.
inline constexpr Option no_open_option{"--no-open", "", "", "only print the link"};

struct LinkTarget {
  std::string page{};   // below /ui/, encoded; empty: where it begins
  std::string agent{};  // the one that was given for this
};

// Fails when the daemon does not answer: a link to nothing helps nobody.
Outcome<Exit> show_link(Invocation& given, const UsedServer& server, const LinkTarget& target = {});

}  // namespace sa
