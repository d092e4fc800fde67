#include "cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/utf8.h"
#include "base/write_all.h"
#include "cli/character_width.h"
#include "cli/environment.h"
#include "cli/failure_document.h"
#include "cli/patient_write.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

constexpr std::size_t widest = 600;
constexpr std::string_view clear_line = "\r\x1b[K";
constexpr std::string_view no_ink = "\x1b[0m";

std::string_view code_of(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::dim: return "\x1b[2m";
    case Ink::green: return "\x1b[32m";
    case Ink::yellow: return "\x1b[33m";
    case Ink::red: return "\x1b[31m";
    case Ink::bold: return "\x1b[1m";
  }
  return "";
}

std::string painted(bool colour, Ink ink, std::string_view text) {
  if (!colour || ink == Ink::plain || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", code_of(ink), text, no_ink);
}

// The code of a colour that `text` begins with; else empty.
std::string_view code_at(std::string_view text) {
  for (const Ink ink : {Ink::dim, Ink::green, Ink::yellow, Ink::red, Ink::bold})
    if (text.starts_with(code_of(ink))) return code_of(ink);
  return text.starts_with(no_ink) ? no_ink : "";
}

// A row that is longer would not be replaced by the next one. Without a known width: as if there were no end.
std::size_t columns_of_terminal() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 2 * widest;
}

bool is_plain_terminal() { return from_environment("TERM") == "dumb"; }

bool may_colour(ColourWish wish, bool terminal) {
  if (wish != ColourWish::automatic) return wish == ColourWish::always;
  return terminal && !is_set("NO_COLOR") && !is_plain_terminal();
}

bool are_one_file(int one, int other) {
  struct stat first{}, second{};
  return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

struct FirstSentence {
  std::string_view first;
  std::string_view rest;  // the others
};

FirstSentence first_sentence(std::string_view text) {
  constexpr std::string_view end = ". ";
  for (std::size_t at = 0; (at = text.find(end, at)) != std::string_view::npos; ++at) {
    const char next = at + end.size() < text.size() ? text[at + end.size()] : '\0';
    const bool begins = (next >= 'A' && next <= 'Z') || next == '\'' || next == '"';
    if (begins) return {text.substr(0, at + 1), text.substr(at + end.size())};
  }
  return {text, ""};
}

}  // namespace

std::string inert(std::string_view text, bool colours) {
  if (!colours) return harmless(text);
  std::string shown;
  bool is_painted = false;
  while (!text.empty()) {
    const std::string_view code = code_at(text);
    const std::string_view piece = code.empty() ? text.substr(0, text.find('\x1b', 1)) : code;
    shown += code.empty() ? harmless(piece) : std::string(code);
    if (!code.empty()) is_painted = code != no_ink;
    text.remove_prefix(piece.size());
  }
  if (is_painted) shown += no_ink;
  return shown;
}

std::string cut_to_cells(std::string_view line, std::size_t cells) {
  std::size_t wide = 0, fits = 0;  // fits: bytes, with a cell left for the "…"
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_sequence(line.substr(at)));
    wide += cells_of(code_point(line.substr(at, length)));
    if (wide > cells) return cells == 0 ? "" : fmt::format("{}…", line.substr(0, fits));
    at += length;
    if (wide < cells) fits = at;
  }
  return std::string(line);
}

class Console::Writing {
 public:
  explicit Writing(Console& console) : console_(console) {
    if (console_.writings_++ == 0 && console_.other_) console_.mid_line_ = console_.other_->step_aside();
  }
  ~Writing() {
    if (--console_.writings_ == 0 && console_.other_) console_.other_->step_back(console_.mid_line_);
  }
  Writing(const Writing&) = delete;

 private:
  Console& console_;
};

Console::Console(const ConsoleWishes& wishes)
    : wishes_(wishes),
      out_terminal_(::isatty(STDOUT_FILENO) == 1),
      err_terminal_(::isatty(STDERR_FILENO) == 1),
      colour_out_(may_colour(wishes.colour, out_terminal_)),
      colour_err_(may_colour(wishes.colour, err_terminal_)),
      one_stream_(out_terminal_ || are_one_file(STDOUT_FILENO, STDERR_FILENO)) {}

std::size_t Console::result_columns() const {
  winsize size{};
  return out_terminal_ && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool Console::may_ask() const { return !wishes_.no_input && err_terminal_ && ::isatty(STDIN_FILENO) == 1; }

bool Console::print(std::string_view text) {
  if (text.empty()) return !reader_left_;
  const Writing writing(*this);
  clear_passing();
  if (!reader_left_ && !write_result(out_terminal_ ? inert(text, colour_out_) : text)) reader_left_ = true;
  mid_result_ = !text.ends_with('\n');
  mid_line_ = one_stream_ && mid_result_;
  return !reader_left_;
}

bool Console::write_result(std::string_view text) {
  const int error = write_patiently(STDOUT_FILENO, text);
  if (error != 0 && error != EINTR) write_error_ = error;
  return error == 0;
}

bool Console::line(std::string_view text) { return print(fmt::format("{}\n", text)); }

bool Console::document(std::string_view json) { return line(json); }

void Console::say(std::string_view text) {
  const Writing writing(*this);
  clear_passing();
  begin_line();
  (void)write_all(STDERR_FILENO, inert(text, colour_err_) + "\n");
}

void Console::status(std::string_view text) {
  if (!wishes_.quiet) say(text);
}

void Console::detail(std::string_view text) {
  if (wishes_.verbose) say(paint(Ink::dim, text));
}

void Console::warn(std::string_view text) { say(fmt::format("{} {}", paint(Ink::yellow, "warning:"), text)); }

void Console::passing(std::string_view text) {
  if (!err_terminal_ || wishes_.quiet || is_plain_terminal()) return;
  const Writing writing(*this);
  end_line();
  const std::string line = cut_to_cells(one_line(text, widest), columns_of_terminal() - 1);
  (void)write_all(STDERR_FILENO, fmt::format("{}{}", clear_line, line));
  passing_ = true;
}

void Console::clear_passing() {
  if (!passing_) return;
  const Writing writing(*this);
  (void)write_all(STDERR_FILENO, clear_line);
  passing_ = false;
}

void Console::end_line() {
  if (out_terminal_) begin_line();
}

// The newline is not part of the result: it is written only where something else follows, or to a terminal.
void Console::begin_line() {
  if (!mid_line_) return;
  const Writing writing(*this);
  if (mid_line_) (void)write_all(STDOUT_FILENO, "\n");
  mid_line_ = mid_result_ = false;
}

void Console::end_result_line() {
  end_line();
  if (mid_result_) print("\n");
}

void Console::question(std::string_view text) { say(text); }

void Console::prompt(std::string_view text) {
  const Writing writing(*this);
  clear_passing();
  begin_line();
  (void)write_all(STDERR_FILENO, inert(text, colour_err_));
}

void Console::fail(const Failure& failure) {
  const auto [what, more_of_it] = first_sentence(failure.what);
  const std::string why = fmt::format("{}{}{}", more_of_it, more_of_it.empty() || failure.why.empty() ? "" : " ", failure.why);
  std::string text = fmt::format("{} {}", paint(Ink::red, "error:"), one_line(what, widest));
  if (!why.empty()) text += fmt::format("\n  {}", one_line(why, widest));
  if (!failure.what_to_do.empty()) text += fmt::format("\n  try: {}", one_line(failure.what_to_do, widest));
  say(text);
  if (!failure.more.empty()) detail(harmless(failure.more));
  if (wishes_.json) document(failure_document(failure));
}

std::string Console::paint(Ink ink, std::string_view text) const { return painted(colour_err_, ink, text); }

std::string Console::paint_result(Ink ink, std::string_view text) const { return painted(colour_out_, ink, text); }

}  // namespace sa
