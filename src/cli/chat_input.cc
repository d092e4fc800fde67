#include "cli/chat_input.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/write_all.h"
#include "cli/environment.h"

namespace sa {
namespace {

constexpr int escape_looks = 5;  // without a byte, until an Escape was a key of its own
constexpr int text_looks = 10;   // until a text that came meanwhile, and did not end its line, is taken to be all

void show_typing(std::string_view bytes) { (void)write_all(STDERR_FILENO, bytes); }

// An answer that reaches the terminal by another program, such as tee, does so whenever it likes: no line could step aside for
// it.
bool can_edit() {
  const std::string terminal = from_environment("TERM").value_or("");
  return !terminal.empty() && terminal != "dumb" && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 &&
         ::isatty(STDERR_FILENO) == 1;
}

ScreenSize screen_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

}  // namespace

ChatInput::ChatInput(Console& console, std::string prompt, std::size_t cells)
    : console_(console), prompt_(std::move(prompt)), view_(prompt_, cells) {
  if (!can_edit()) return;
  mode_.emplace();
  from_before_ = typed_bytes();
  console_.share_with(this);
}

ChatInput::~ChatInput() { console_.share_with(nullptr); }

std::optional<std::string> ChatInput::read(const StopFlag& stop) {
  if (!mode_) return read_plainly(stop);
  const bool is_submitted = edit(stop);
  finish();
  mode_->end_line();
  return is_submitted ? std::optional(editor_.take_line()) : std::nullopt;
}

// The terminal shows what is typed and ends the row.
std::optional<std::string> ChatInput::read_plainly(const StopFlag& stop) {
  const auto show = [this](std::string_view bytes, bool drawn) {
    const std::lock_guard lock(screen_);
    if (!is_left_) show_typing(bytes);
    is_drawn_ = drawn;
  };
  show(prompt_, true);
  auto line = read_line(stop);
  show(line ? "" : "\n", false);
  return line;
}

// True when a line was submitted.
bool ChatInput::edit(const StopFlag& stop) {
  while (!stop) {
    char byte = 0;
    switch (mode_->look(byte)) {
      case ChatMode::Look::away: continue;
      case ChatMode::Look::gone: return false;
      case ChatMode::Look::opened: open(); continue;
      case ChatMode::Look::nothing: look_around(); continue;
      case ChatMode::Look::byte: break;
    }
    idle_looks_ = 0;
    const LineEvent event = take(byte);
    if (event == LineEvent::end) return false;
    if (event == LineEvent::submit) return true;
    if (event == LineEvent::interrupt) ::kill(0, SIGINT);
    if (event == LineEvent::clear_screen) clear_screen();
    if (event == LineEvent::suspend) {
      finish();
      mode_->suspend();
    } else if (typed_bytes() == 0) {
      draw();
    }
  }
  return false;
}

LineEvent ChatInput::take(char byte) {
  if (from_before_ > 0) {
    --from_before_;
    if (byte == '\n') byte = '\r';    // Enter, which the terminal had changed
    if (byte == '\0') byte = '\x04';  // Ctrl-D, likewise
  }
  return editor_.take(byte);
}

void ChatInput::open() {
  from_before_ = mode_->had_lines() ? typed_bytes() : std::min(from_before_, typed_bytes());
  {
    const std::lock_guard lock(screen_);
    view_.forget();
  }
  draw();
}

void ChatInput::look_around() {
  if (++idle_looks_ == escape_looks) editor_.settle();
  bool is_due = false;
  {
    const std::lock_guard lock(screen_);
    is_due = is_drawn_ ? size_ != screen_size() : !mid_line_ || ++looks_aside_ >= text_looks;
  }
  if (is_due) draw();
}

// Not below a question: that is asked before it is shown, which makes the line step aside.
void ChatInput::draw() {
  const std::lock_guard lock(screen_);
  if (is_left_ || is_question_open()) return;
  begin_row();
  size_ = screen_size();
  show_typing(view_.draw(editor_.text(), editor_.cursor(), size_));
  is_drawn_ = true;
}

void ChatInput::clear_screen() {
  const std::lock_guard lock(screen_);
  if (is_left_) return;
  show_typing(view_.clear(editor_.text(), editor_.cursor(), size_));
  is_drawn_ = true;
  mid_line_ = false;
}

void ChatInput::finish() {
  const std::lock_guard lock(screen_);
  if (is_left_) return;
  begin_row();
  show_typing(view_.finish(editor_.text(), screen_size()));
  is_drawn_ = false;
}

void ChatInput::leave() {
  const std::lock_guard lock(screen_);
  if (is_drawn_) show_typing(view_.leave());
  is_drawn_ = false;
  is_left_ = true;
}

void ChatInput::begin_row() {
  if (mid_line_) show_typing("\n");
  mid_line_ = false;
}

bool ChatInput::step_aside() {
  screen_.lock();
  if (is_drawn_) show_typing(view_.remove(screen_size()));
  is_drawn_ = false;
  return mid_line_;
}

void ChatInput::step_back(bool mid_line) {
  mid_line_ = mid_line;
  looks_aside_ = 0;
  screen_.unlock();
}

}  // namespace sa
