// Where things lie on this machine.
#pragma once

#include <string>

namespace sa {

std::string home_directory();                        // $HOME, else the user's in /etc/passwd, else "/"
std::string absolute_path(const std::string& path);  // against the working directory
std::string data_directory();                        // <DATA>/sandbox-agent; <DATA> is $XDG_DATA_HOME or ~/.local/share
std::string manifest_directory();                    // <CONFIG>/sandbox-agent/agents; $XDG_CONFIG_HOME or ~/.config
std::string state_directory();                       // below it: daemon
std::string own_binary();                            // this program's path, or /proc/self/exe when it was moved away

}  // namespace sa
