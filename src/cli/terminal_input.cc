#include "cli/terminal_input.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "base/write_all.h"

namespace sa {
namespace {

constexpr int typing_look_ms = 50;
constexpr int quiet_looks = 10;  // without a key, until the next one is meant for the question
constexpr int stop_looks = 40;   // until a stop is not to be expected any more
constexpr std::size_t most_at_once = 4096;
constexpr char escape_byte = '\x1b';

constexpr std::string_view bracketed_paste = "\x1b[?2004h";
constexpr std::string_view plain_paste = "\x1b[?2004l";

// The terminal as it was before a chat and before a question, while there is one. Shared by worker threads and the end of the
// process.
struct Original {
  std::mutex mutex;
  std::optional<termios> before_chat;
  std::optional<termios> before_question;  // outside of a chat
  std::string typed_ahead;                 // during a question of a chat, for its next line
  bool is_asking = false;
  bool is_editing = false;
  bool has_brackets = false;  // pastes come in brackets
  int stops = 0;              // of the process, by Ctrl-Z
};

Original& original() {
  static Original kept;
  return kept;
}

// A shell gives the terminal to one group of processes at a time. Threads that block SIGTTOU and SIGTTIN must see for
// themselves that it is not theirs; others would be stopped.
bool is_ours() {
  const pid_t group = ::tcgetpgrp(STDIN_FILENO);
  return group < 0 || group == ::getpgrp();
}

void set_terminal(const termios& state, int when = TCSANOW) {
  if (is_ours()) ::tcsetattr(STDIN_FILENO, when, &state);
}

// What is typed comes as it is, byte by byte, and a signal takes none of it away.
termios unchanged_input(termios state, bool with_signals) {
  state.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN | (with_signals ? 0 : ISIG));
  state.c_lflag |= NOFLSH;
  state.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IGNCR | ISTRIP);
  state.c_cc[VMIN] = 1;
  state.c_cc[VTIME] = 0;
  return state;
}

bool has_modes(tcflag_t modes) {
  termios now{};
  return ::tcgetattr(STDIN_FILENO, &now) == 0 && (now.c_lflag & modes) != 0;
}

// As shells have it: somebody else, who had the terminal meanwhile, has changed it.
bool makes_lines() { return has_modes(ICANON); }

void set_editing(Original& kept, bool editing) {
  if (!kept.before_chat || !is_ours()) return;
  set_terminal(unchanged_input(*kept.before_chat, !editing));
  kept.is_editing = editing;
}

void set_brackets(Original& kept, bool wanted) {
  if (kept.has_brackets == wanted || !is_ours()) return;
  (void)write_all(STDERR_FILENO, wanted ? bracketed_paste : plain_paste);
  kept.has_brackets = wanted;
}

// As soon as the terminal is ours, and again when somebody else has changed it.
void enter_question(Original& kept) {
  if (!kept.is_asking || !is_ours()) return;
  const bool is_entered = kept.before_chat || kept.before_question;
  if (is_entered && !makes_lines() && has_modes(ISIG)) return;
  if (kept.before_chat) return set_terminal(unchanged_input(*kept.before_chat, true));
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return;
  if (!kept.before_question) kept.before_question = before;
  termios keys = *kept.before_question;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  set_terminal(keys, is_entered ? TCSANOW : TCSAFLUSH);
}

void leave_question(Original& kept) {
  if (kept.is_asking && kept.before_chat) set_terminal(unchanged_input(*kept.before_chat, !kept.is_editing));
  if (kept.before_question) set_terminal(*kept.before_question);
  kept.before_question.reset();
  kept.is_asking = false;
}

bool is_chat() {
  const std::lock_guard lock(original().mutex);
  return original().before_chat.has_value();
}

void wait_a_moment() { ::poll(nullptr, 0, typing_look_ms); }

bool is_typed(int wait_ms) {
  pollfd terminal{STDIN_FILENO, POLLIN, 0};
  return ::poll(&terminal, 1, wait_ms) > 0;
}

// What waits in the terminal is kept for the next line. Who asks a question reads it himself.
void keep_waiting(Original& kept) {
  if (!kept.before_chat || kept.is_asking || makes_lines()) return;
  char buffer[most_at_once];
  while (is_ours() && is_typed(0)) {
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0) return;
    kept.typed_ahead.append(buffer, static_cast<std::size_t>(size));
  }
}

enum class Keys : std::uint8_t { none, some, away, gone };

// What is typed within a moment for a question.
Keys take_keys(std::string& keys) {
  {
    const std::lock_guard lock(original().mutex);
    enter_question(original());
  }
  if (!is_ours()) {
    wait_a_moment();
    return Keys::away;
  }
  if (!is_typed(typing_look_ms)) return Keys::none;
  char buffer[most_at_once];
  const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (size <= 0) return is_ours() ? Keys::gone : Keys::away;
  keys.assign(buffer, static_cast<std::size_t>(size));
  return Keys::some;
}

// What follows at once belongs to it: a key that sends several bytes, or a paste, may come in pieces.
void take_rest(std::string& keys, const StopFlag& stop) {
  if (keys.size() == 1 && keys.front() != escape_byte) return;
  for (std::string more; !stop && take_keys(more) == Keys::some;) keys += more;
}

// The whole process, here and now. Of several such signals one counts: who continues us takes back the others.
void stop_here() {
  sigset_t stop, blocked;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  ::pthread_sigmask(SIG_BLOCK, &stop, &blocked);
  ::raise(SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
  ::pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

// Who reads a line, or keys, sees for himself that it is to be taken again.
void take_terminal(Original& kept) {
  if (!kept.before_chat || kept.is_editing || kept.is_asking || !is_ours()) return;
  set_editing(kept, false);
  set_brackets(kept, true);
}

// Nobody takes the terminal between giving it back and the stop.
void give_back_and_stop(Original& kept) {
  const std::lock_guard lock(kept.mutex);
  if (!kept.is_editing) keep_waiting(kept);  // or the shell would read it
  set_brackets(kept, false);
  kept.has_brackets = false;  // nor are they ours in the background
  if (kept.before_chat) set_terminal(*kept.before_chat);
  if (kept.before_question) set_terminal(*kept.before_question);
  stop_here();
  ++kept.stops;
  take_terminal(kept);
}

int stops_so_far() {
  const std::lock_guard lock(original().mutex);
  return original().stops;
}

}  // namespace

void restore_terminal() {
  const std::lock_guard lock(original().mutex);
  leave_question(original());
  set_editing(original(), false);
  set_brackets(original(), false);
  if (original().before_chat) set_terminal(*original().before_chat);
  original().before_chat.reset();
}

KeyMode::KeyMode() {
  const std::lock_guard lock(original().mutex);
  original().is_asking = true;
  enter_question(original());
}

KeyMode::~KeyMode() {
  const std::lock_guard lock(original().mutex);
  leave_question(original());
}

bool is_question_open() {
  const std::lock_guard lock(original().mutex);
  return original().is_asking;
}

bool outwait_typing(const StopFlag& stop) {
  if (!is_chat()) return false;
  bool was_typed = false;
  std::string keys;
  for (int quiet = 0; quiet < quiet_looks && !stop;) {
    const Keys look = take_keys(keys);
    if (look == Keys::gone) break;
    quiet = look == Keys::none ? quiet + 1 : 0;
    if (look != Keys::some) continue;
    was_typed = keep_typed(keys);
  }
  return was_typed;
}

std::optional<std::string> read_keys(const StopFlag& stop) {
  std::string keys;
  while (!stop) {
    const Keys look = take_keys(keys);
    if (look == Keys::gone) break;
    if (look != Keys::some) continue;
    take_rest(keys, stop);
    if (keys.size() == 2 && (keys.back() == '\r' || keys.back() == '\n')) keys.pop_back();
    return keys;
  }
  return std::nullopt;
}

void hold_typed() {
  const std::lock_guard lock(original().mutex);
  keep_waiting(original());
  std::string& typed = original().typed_ahead;
  while (typed.ends_with('\r')) typed.pop_back();
  std::ranges::replace(typed, '\r', '\n');
}

bool keep_typed(std::string_view bytes) {
  const std::lock_guard lock(original().mutex);
  if (original().before_chat) original().typed_ahead += bytes;
  return original().before_chat.has_value();
}

ChatMode::ChatMode() {
  const std::lock_guard lock(original().mutex);
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return;
  original().before_chat = before;
  set_editing(original(), false);
  set_brackets(original(), true);
}

ChatMode::~ChatMode() { restore_terminal(); }

ChatMode::Look ChatMode::look(char& byte) {
  Look seen = look_now(byte);
  if (seen == Look::nothing && is_typed(typing_look_ms)) seen = look_now(byte);
  if (seen == Look::away) wait_a_moment();
  return seen;
}

// A KeyMode that comes meanwhile waits: what is read here was typed before it.
ChatMode::Look ChatMode::look_now(char& byte) {
  Original& kept = original();
  const std::lock_guard lock(kept.mutex);
  if (!kept.before_chat || kept.is_asking || !is_ours()) return Look::away;
  if (const bool lines = makes_lines(); lines || !kept.is_editing || !kept.has_brackets) {
    had_lines_ = lines;
    if (lines) kept.has_brackets = false;  // who made lines of them took them away, too
    set_editing(kept, true);
    set_brackets(kept, true);
    return Look::opened;
  }
  if (!kept.typed_ahead.empty()) {
    byte = kept.typed_ahead.front();
    kept.typed_ahead.erase(0, 1);
    return Look::byte;
  }
  if (!is_typed(0)) return Look::nothing;
  if (::read(STDIN_FILENO, &byte, 1) == 1) return Look::byte;
  return is_ours() ? Look::gone : Look::away;
}

void ChatMode::end_line() {
  const std::lock_guard lock(original().mutex);
  set_editing(original(), false);
}

// The whole group stops, as if the terminal had said so; we do when the loop hears of it.
void ChatMode::suspend() {
  struct sigaction now{};
  ::sigaction(SIGTSTP, nullptr, &now);
  if (now.sa_handler == SIG_IGN) return;
  const int before = stops_so_far();
  ::kill(0, SIGTSTP);
  for (int looks = 0; looks < stop_looks && stops_so_far() == before; ++looks) wait_a_moment();
}

bool obey_shell(int number) {
  if (number == SIGTSTP) give_back_and_stop(original());
  if (number == SIGCONT) {
    const std::lock_guard lock(original().mutex);
    take_terminal(original());
  }
  return number == SIGTSTP || number == SIGCONT;
}

void stop_if_asked() {
  sigset_t waiting, stop;
  ::sigpending(&waiting);
  if (::sigismember(&waiting, SIGTSTP) != 1) return;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  const timespec at_once{};
  if (::sigtimedwait(&stop, nullptr, &at_once) == SIGTSTP) obey_shell(SIGTSTP);
}

std::size_t typed_bytes() {
  const std::lock_guard lock(original().mutex);
  int bytes = 0;
  const bool is_known = ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0 && bytes > 0;
  return original().typed_ahead.size() + (is_known ? static_cast<std::size_t>(bytes) : 0);
}

// A terminal gives whole lines; a longer one than the buffer comes in parts.
std::optional<std::string> read_line(const StopFlag& stop) {
  std::string line;
  char buffer[most_at_once];
  while (!stop) {
    if (is_question_open() || !is_ours()) {
      wait_a_moment();
      continue;
    }
    if (!is_typed(typing_look_ms)) continue;
    const std::lock_guard lock(original().mutex);
    if (original().is_asking || !is_ours() || !is_typed(0)) continue;
    const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (size <= 0 && !is_ours()) continue;
    if (size <= 0) return std::nullopt;
    line.append(buffer, static_cast<std::size_t>(size));
    if (line.ends_with('\n')) return line.substr(0, line.size() - 1);
  }
  return std::nullopt;
}

}  // namespace sa
