// The /bin/sh script that starts an installed program. Started without arguments it gives the program its own; with arguments
// those are given instead, so that people can try `…/<id>-acp --version`. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sa {

struct LaunchScript {
  std::string title;    // for the comment
  std::string program;  // absolute
  std::vector<std::string> args;
  std::map<std::string, std::string> env;  // unless the environment has them
  std::vector<std::string> path;           // folders in front of PATH
};

std::string to_text(const LaunchScript& script);

}  // namespace sa
