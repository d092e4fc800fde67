// What somebody types on the terminal: a key without Enter, or a line. Both block (for a worker thread) and give up when `stop`
// is set. The terminal is put back as it was, also when the process exits meanwhile.
#pragma once

#include <optional>
#include <string>

#include "base/stop_flag.h"

namespace sa {

// What was typed before the question is forgotten. Nothing when stopped, or when the terminal is gone.
std::optional<char> read_key(const StopFlag& stop);

// Without its line end. Nothing at the end of input (Ctrl-D) too.
std::optional<std::string> read_line(const StopFlag& stop);

// The terminal as it was, for who leaves in the middle of a question.
void restore_terminal();

}  // namespace sa
