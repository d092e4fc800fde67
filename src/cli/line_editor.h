// A line that is being typed: bytes of a terminal in; a text, a cursor in it and events out. The text is UTF-8 without control
// characters but line breaks and tabs, whatever comes in; a paste in brackets (ESC [200~ to ESC [201~) is text and nothing
// else. Keeps the lines of before for the arrow keys. Knows no terminal. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sa {

enum class LineEvent : std::uint8_t {
  none,          // the text or the cursor may have changed
  submit,        // Enter: see take_line()
  interrupt,     // Ctrl-C with nothing typed; with something it clears the line
  end,           // Ctrl-D with nothing typed
  suspend,       // Ctrl-Z
  clear_screen,  // Ctrl-L
};

class LineEditor {
 public:
  LineEvent take(char byte);
  void settle();  // nothing came for a while: an Escape that something could have followed was a key of its own

  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }  // the beginning of a character, or the end
  std::string take_line();                        // the text, which is kept for the arrow keys; the next one is empty

 private:
  enum class Within : std::uint8_t { text, escape, sequence, console_key, single_shift, string, paste };

  LineEvent take_key(char byte);
  LineEvent take_control(char byte);
  LineEvent take_after_escape(char byte);
  LineEvent take_in_sequence(char byte);
  LineEvent take_in_string(char byte);
  void take_pasted(char byte);
  LineEvent run_sequence(char final);
  bool move_by_key(char final, bool by_word);

  void add_byte(char byte);
  void add_pasted(char byte);
  void insert(std::string_view character);
  void give_up_partial();
  void erase(std::size_t from, std::size_t to);

  std::size_t left_of(std::size_t at) const;
  std::size_t right_of(std::size_t at) const;
  std::size_t word_left(std::size_t at) const;
  std::size_t word_right(std::size_t at) const;
  std::size_t blank_left(std::size_t at) const;
  std::size_t line_begin(std::size_t at) const;
  std::size_t line_end(std::size_t at) const;
  void erase_to_begin();
  void erase_to_end();
  void go_up();
  void go_down();
  std::size_t same_place(std::size_t line) const;
  void recall(std::size_t entry);
  void remember(const std::string& line);
  void start_anew();

  std::string text_;
  std::size_t cursor_ = 0;
  Within within_ = Within::text;
  std::string partial_;      // of a character
  std::string sequence_;     // its parameters, or what may be the end of a paste
  bool with_alt_ = false;    // an Escape before the sequence's own
  bool after_cr_ = false;    // in a paste
  std::size_t skipped_ = 0;  // bytes to come of a character that is not taken
  std::vector<std::string> history_;
  std::size_t entry_ = 0;  // of the history; its size: the line itself
  std::string draft_;      // the line itself, while another one is shown
};

}  // namespace sa
