// The lines of a chat on a terminal: edited with the keys people know, where the terminal can; else as the terminal gives them.
// From its beginning to its end nothing that is typed is shown but by a line that is read; it waits for that. Made and
// destroyed on one thread, which is the console's; read() on another one meanwhile. A line that is being edited steps aside for
// what the console writes and for questions.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/stop_flag.h"
#include "cli/console.h"
#include "cli/line_editor.h"
#include "cli/line_view.h"
#include "cli/terminal_input.h"

namespace sa {

class ChatInput final : public LineOnScreen {
 public:
  // `cells`: as wide as the prompt is shown.
  ChatInput(Console& console, std::string prompt, std::size_t cells);
  ~ChatInput() override;
  ChatInput(const ChatInput&) = delete;

  // One line, or several that belong together; the cursor is behind it. Nothing when stopped, at the end of input (Ctrl-D) and
  // when the terminal is gone. Blocks. Ctrl-C with nothing typed is a SIGINT for this process, as it is elsewhere.
  std::optional<std::string> read(const StopFlag& stop);

  // For who leaves the process while a line is read: that stays as it is, the cursor is behind it, and nothing is drawn any
  // more. The console's thread.
  void leave();

  bool step_aside() override;
  void step_back(bool mid_line) override;

 private:
  std::optional<std::string> read_plainly(const StopFlag& stop);
  bool edit(const StopFlag& stop);
  LineEvent take(char byte);
  void open();
  void look_around();
  void draw();
  void clear_screen();
  void finish();
  void begin_row();

  Console& console_;
  std::string prompt_;
  LineEditor editor_;
  std::optional<ChatMode> mode_;  // none: nothing is edited
  std::size_t from_before_ = 0;   // bytes that were typed when the terminal still made lines of them
  int idle_looks_ = 0;

  std::mutex screen_;  // who holds it may write; it guards what follows
  LineView view_;
  ScreenSize size_;
  bool is_drawn_ = false;
  bool is_left_ = false;
  int looks_aside_ = 0;    // since something else was written
  bool mid_line_ = false;  // where the line is to be drawn a text stands without its end
};

}  // namespace sa
