// What somebody types on the terminal: a key without Enter, or a line. Both block (for a worker thread) and give up when `stop`
// is set. The terminal is put back as it was, also when the process exits meanwhile.
#pragma once

#include <optional>
#include <string>

#include "base/stop_flag.h"

namespace sa {

// While it lives keys come one by one and are not shown; Ctrl-C still is a signal. What was typed before is forgotten, so make
// it before the question is shown. One at a time; any thread.
class KeyMode {
 public:
  KeyMode();
  ~KeyMode();
  KeyMode(const KeyMode&) = delete;
};

// Within a KeyMode. Nothing when stopped, or when the terminal is gone.
std::optional<char> read_key(const StopFlag& stop);

// Without its line end. Nothing at the end of input (Ctrl-D) too.
std::optional<std::string> read_line(const StopFlag& stop);

// The terminal as it was, for who leaves in the middle of a question.
void restore_terminal();

}  // namespace sa
