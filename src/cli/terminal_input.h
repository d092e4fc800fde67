// What somebody types on the terminal: keys without Enter, or a line. Both block (for a worker thread) and give up when `stop`
// is set. The terminal is put back as it was, also when the process exits meanwhile. While it belongs to somebody else, such as
// the shell of a chat in the background, it is neither read nor changed. Lines that are edited: see chat_input.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop_flag.h"

namespace sa {

// While it lives keys come one by one, to read_keys() alone, and are not shown; Ctrl-C still is a signal. What was typed before
// is forgotten, but for a ChatMode, which keeps it: so make it before the question is shown. One at a time; any thread.
class KeyMode {
 public:
  KeyMode();
  ~KeyMode();
  KeyMode(const KeyMode&) = delete;
};

// Within a KeyMode and a ChatMode: what somebody is still typing is not meant for the question. Waits until nothing came for a
// while; what came is kept for the next line. True when there was something.
bool outwait_typing(const StopFlag& stop);

// Within a KeyMode. All that came at once: one byte when it was a key such as a letter, also with Enter, as scripts send it;
// more for an arrow or a paste. Nothing when stopped, or when the terminal is gone.
std::optional<std::string> read_keys(const StopFlag& stop);

// For the next line, in a ChatMode; false without one.
bool keep_typed(std::string_view bytes);
// What was typed so far waits in the next line until somebody sends it: an Enter in it is a line break, at its end nothing.
void hold_typed();

// Without its line end. Nothing at the end of input (Ctrl-D) too. Waits while there is a KeyMode.
std::optional<std::string> read_line(const StopFlag& stop);

// While it lives nothing that is typed is shown or changed: it waits for its reader. Pastes come in brackets. Ctrl-C is a
// signal, but a key while a line is edited. A KeyMode may come at any time. One at a time; any thread.
class ChatMode {
 public:
  ChatMode();
  ~ChatMode();
  ChatMode(const ChatMode&) = delete;

  enum class Look : std::uint8_t {
    nothing,
    byte,
    away,    // a question is open, or somebody else has the terminal
    opened,  // the terminal is ready for a line: at first, and when somebody else has had it
    gone,    // the terminal is
  };
  // At what is typed for a line. Waits for a moment when there is nothing.
  Look look(char& byte);
  bool had_lines() const { return had_lines_; }  // when it was opened: the terminal made lines of what was typed
  void end_line();                               // none is edited now
  // As Ctrl-Z does it: the loop that watches for SIGTSTP is to obey_shell(). Comes back when the process goes on.
  void suspend();

 private:
  Look look_now(char& byte);

  bool had_lines_ = false;
};

// Whether there is a KeyMode. Any thread.
bool is_question_open();
// How many bytes there are to read.
std::size_t typed_bytes();

// The terminal as it was, for who leaves in the middle of a question or a line.
void restore_terminal();

// For a loop that watches for both, so that no thread is stopped by them: SIGTSTP gives the terminal back, stops the process,
// and comes back when it goes on, with the terminal as it is needed; SIGCONT is how a shell says that it is ours again. False
// for other signals.
bool obey_shell(int number);
// The same for SIGTSTP that waits for the loop, by its thread while it cannot get there.
void stop_if_asked();

}  // namespace sa
