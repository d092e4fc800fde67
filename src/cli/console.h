// Where a command talks: results on stdout, everything else on stderr; colours and lines that change only on a terminal;
// questions only where somebody can answer. What people are shown may hold anybody's text: but for our colours, nothing in it
// is obeyed by a terminal. Writes to a reader that has left are noticed, never a signal. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/failure.h"

namespace sa {

enum class ColourWish : std::uint8_t { automatic, always, never };

// How loud, how colourful; from the options all commands have.
struct ConsoleWishes {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool no_input = false;
  ColourWish colour = ColourWish::automatic;
};

enum class Ink : std::uint8_t { plain, dim, green, yellow, red, bold };

// A line on the terminal that is not the console's, such as one that is being typed.
class LineOnScreen {
 public:
  virtual ~LineOnScreen() = default;
  // It is off the screen, and whoever draws it waits for step_back(). True when the text before it still stands in the middle
  // of its line.
  virtual bool step_aside() = 0;
  virtual void step_back(bool mid_line) = 0;
};

class Console {
 public:
  Console() = default;
  explicit Console(const ConsoleWishes& wishes);

  bool json() const { return wishes_.json; }
  bool quiet() const { return wishes_.quiet; }
  bool verbose() const { return wishes_.verbose; }
  bool result_is_terminal() const { return out_terminal_; }
  bool status_is_terminal() const { return err_terminal_; }
  std::size_t result_columns() const;             // of the terminal the result goes to; 0: none, or not known
  bool is_mid_line() const { return mid_line_; }  // the result's text, where what is said goes too
  bool may_ask() const;                           // a terminal on stdin and stderr, and nobody forbade it

  // Bytes of the result. False when nobody reads them any more.
  bool print(std::string_view text);
  bool line(std::string_view text);      // with a newline
  bool document(std::string_view json);  // one JSON document on a line
  void status(std::string_view text);    // a line, unless quiet
  void detail(std::string_view text);    // a line, only when verbose
  void warn(std::string_view text);      // "warning: …"
  void passing(std::string_view text);   // a line that the next one replaces; only on a terminal
  void clear_passing();
  void question(std::string_view text);  // a line somebody must see, also when quiet
  void prompt(std::string_view text);    // the same, and what is typed follows it on the line
  void end_line();                       // the cursor leaves the result's text, on a terminal
  void end_result_line();                // the same wherever the result goes: what follows is another one
  // "error: …" with the first sentence of what failed, then its others and why, then what to do; also as a document with
  // --json.
  void fail(const Failure& failure);

  // Borrowed; it steps aside for all that is written. Null: there is none any more.
  void share_with(LineOnScreen* other) { other_ = other; }

  std::string paint(Ink ink, std::string_view text) const;         // for stderr
  std::string paint_result(Ink ink, std::string_view text) const;  // for stdout

  bool reader_left() const { return reader_left_; }
  int write_error() const { return write_error_; }  // an errno of stdout; EPIPE when its reader has left

 private:
  class Writing;  // while it lives nobody else writes

  void say(std::string_view text);
  void begin_line();
  bool write_result(std::string_view text);

  ConsoleWishes wishes_;
  bool out_terminal_ = false;
  bool err_terminal_ = false;
  bool colour_out_ = false;
  bool colour_err_ = false;
  LineOnScreen* other_ = nullptr;
  int writings_ = 0;
  bool passing_ = false;
  bool reader_left_ = false;
  int write_error_ = 0;
  bool one_stream_ = false;  // what is said goes where the result goes: a terminal, or one pipe for both
  bool mid_line_ = false;    // the result's text stands there in the middle of a line
  bool mid_result_ = false;  // its last line has no end, wherever it goes
};

// Text that may hold somebody else's, for people: of all that a terminal would obey only our colours stay, where there are any,
// and none of them beyond its end. Pure.
std::string inert(std::string_view text, bool colours);

// The beginning of a line without control characters, on so many cells of a terminal; "…" stands for the rest. Pure.
std::string cut_to_cells(std::string_view line, std::size_t cells);

}  // namespace sa
