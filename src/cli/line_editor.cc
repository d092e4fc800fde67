#include "cli/line_editor.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "cli/character_width.h"

namespace sa {
namespace {

constexpr char escape_key = '\x1b';
constexpr char delete_key = '\x7f';
constexpr std::string_view paste_end = "\x1b[201~";
constexpr std::string_view unreadable = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t longest_sequence = 32;             // of parameters that mean something

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == delete_key; }

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// How long a character with this first byte can be.
std::size_t character_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0xC2 || byte > 0xF4) return 1;
  return byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

bool is_c1_control(std::string_view character) {
  return character.size() == 2 && character[0] == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0;
}

bool is_word_byte(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
         static_cast<unsigned char>(byte) >= 0x80;
}

bool is_blank_byte(char byte) { return byte == ' ' || byte == '\t' || byte == '\n'; }

// "1;5": a modifier behind the last semicolon, one more than its bits: 1 Shift, 2 Alt, 4 Ctrl.
bool has_alt_or_ctrl(std::string_view parameters) {
  const std::size_t semicolon = parameters.rfind(';');
  if (semicolon == std::string_view::npos) return false;
  unsigned modifier = 0;
  const std::string_view digits = parameters.substr(semicolon + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), modifier);
  return modifier > 0 && ((modifier - 1) & 6) != 0;
}

}  // namespace

LineEvent LineEditor::take(char byte) {
  if (skipped_ > 0 && continues_character(byte)) {
    --skipped_;
    return LineEvent::none;
  }
  skipped_ = 0;
  switch (within_) {
    case Within::text: return take_key(byte);
    case Within::escape: return take_after_escape(byte);
    case Within::sequence:
    case Within::single_shift: return take_in_sequence(byte);
    case Within::console_key: within_ = Within::text; break;
    case Within::string: return take_in_string(byte);
    case Within::paste: take_pasted(byte); break;
  }
  return LineEvent::none;
}

void LineEditor::settle() {
  if (within_ == Within::paste) return;
  within_ = Within::text;
  with_alt_ = false;
}

LineEvent LineEditor::take_key(char byte) {
  if (is_control(byte)) return take_control(byte);
  add_byte(byte);
  return LineEvent::none;
}

LineEvent LineEditor::take_control(char byte) {
  constexpr auto ctrl = [](char letter) { return static_cast<char>(letter & 0x1F); };
  give_up_partial();
  within_ = Within::text;
  with_alt_ = false;
  switch (byte) {
    case ctrl('A'): cursor_ = line_begin(cursor_); break;
    case ctrl('B'): cursor_ = left_of(cursor_); break;
    case ctrl('C'):
      if (text_.empty()) return LineEvent::interrupt;
      remember(text_);
      start_anew();
      break;
    case ctrl('D'):
      if (text_.empty()) return LineEvent::end;
      erase(cursor_, right_of(cursor_));
      break;
    case ctrl('E'): cursor_ = line_end(cursor_); break;
    case ctrl('F'): cursor_ = right_of(cursor_); break;
    case ctrl('H'):
    case delete_key: erase(left_of(cursor_), cursor_); break;
    case '\t':
    case '\n': add_byte(byte); break;
    case ctrl('K'): erase_to_end(); break;
    case ctrl('L'): return LineEvent::clear_screen;
    case '\r': return LineEvent::submit;
    case ctrl('N'): go_down(); break;
    case ctrl('P'): go_up(); break;
    case ctrl('U'): erase_to_begin(); break;
    case ctrl('W'): erase(blank_left(cursor_), cursor_); break;
    case ctrl('Z'): return LineEvent::suspend;
    case escape_key: within_ = Within::escape; break;
    default: break;
  }
  return LineEvent::none;
}

LineEvent LineEditor::take_after_escape(char byte) {
  sequence_.clear();
  within_ = Within::text;
  switch (byte) {
    case '[': within_ = Within::sequence; return LineEvent::none;
    case 'O': within_ = Within::single_shift; return LineEvent::none;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_': within_ = Within::string; return LineEvent::none;
    case escape_key:
      within_ = Within::escape;
      with_alt_ = true;
      return LineEvent::none;
    case '\r':
    case '\n': insert("\n"); break;
    case '\b':
    case delete_key: erase(word_left(cursor_), cursor_); break;
    case 'b': cursor_ = word_left(cursor_); break;
    case 'f': cursor_ = word_right(cursor_); break;
    case 'd': erase(cursor_, word_right(cursor_)); break;
    default:
      if (is_control(byte)) return take_control(byte);
      skipped_ = character_length(byte) - 1;
  }
  with_alt_ = false;
  return LineEvent::none;
}

// ESC [ parameters final, or ESC O final. What interrupts it is a key.
LineEvent LineEditor::take_in_sequence(char byte) {
  if (is_control(byte)) return take_control(byte);
  if (byte == '[' && within_ == Within::sequence && sequence_.empty()) {
    within_ = Within::console_key;  // F1 to F5 of the Linux console: ESC [[ and one more
    return LineEvent::none;
  }
  if (byte >= ' ' && byte < '@') {
    if (sequence_.size() < longest_sequence) sequence_ += byte;
    return LineEvent::none;
  }
  return run_sequence(byte);
}

LineEvent LineEditor::run_sequence(char final) {
  const bool is_shift = within_ == Within::single_shift;
  const bool by_word = std::exchange(with_alt_, false) || has_alt_or_ctrl(sequence_);
  within_ = Within::text;
  skipped_ = character_length(final) - 1;
  if (is_shift && final == 'M') return LineEvent::submit;  // the other Enter
  if (move_by_key(final, by_word) || final != '~') return LineEvent::none;
  const std::string_view number = std::string_view(sequence_).substr(0, sequence_.find(';'));
  if (number == "200") {
    within_ = Within::paste;
    sequence_.clear();
    after_cr_ = false;
  } else if (number == "1" || number == "7") {
    cursor_ = line_begin(cursor_);
  } else if (number == "4" || number == "8") {
    cursor_ = line_end(cursor_);
  } else if (number == "3") {
    erase(cursor_, by_word ? word_right(cursor_) : right_of(cursor_));
  }
  return LineEvent::none;
}

bool LineEditor::move_by_key(char final, bool by_word) {
  switch (final) {
    case 'A': go_up(); return true;
    case 'B': go_down(); return true;
    case 'C': cursor_ = by_word ? word_right(cursor_) : right_of(cursor_); return true;
    case 'D': cursor_ = by_word ? word_left(cursor_) : left_of(cursor_); return true;
    case 'H': cursor_ = line_begin(cursor_); return true;
    case 'F': cursor_ = line_end(cursor_); return true;
    default: return false;
  }
}

// What a terminal tells of itself. Nobody asked it, so nobody reads it.
LineEvent LineEditor::take_in_string(char byte) {
  if (byte == '\a') within_ = Within::text;
  if (byte == '\\' && sequence_ == "\x1b") within_ = Within::text;
  if (byte == '\x03' || byte == '\r') return take_control(byte);
  sequence_.assign(1, byte);
  return LineEvent::none;
}

void LineEditor::take_pasted(char byte) {
  sequence_ += byte;
  if (paste_end.starts_with(sequence_)) {
    if (sequence_.size() < paste_end.size()) return;
    give_up_partial();
    within_ = Within::text;
    return;
  }
  const std::string held = std::exchange(sequence_, byte == escape_key ? "\x1b" : "");
  for (const char one : std::string_view(held).substr(0, held.size() - sequence_.size())) add_pasted(one);
}

void LineEditor::add_pasted(char byte) {
  const bool is_second_half = std::exchange(after_cr_, byte == '\r') && byte == '\n';
  if (!is_second_half) add_byte(byte == '\r' ? '\n' : byte);
}

void LineEditor::add_byte(char byte) {
  if (!continues_character(byte)) give_up_partial();
  partial_ += byte;
  const std::size_t whole = utf8_sequence(partial_);
  if (whole == 0 && partial_.size() < character_length(partial_.front())) return;
  const std::string character = std::exchange(partial_, "");
  if (whole == 0) return insert(unreadable);
  if (byte == '\n' || byte == '\t' || !(is_control(byte) || is_c1_control(character))) insert(character);
}

void LineEditor::give_up_partial() {
  if (!std::exchange(partial_, "").empty()) insert(unreadable);
}

void LineEditor::insert(std::string_view character) {
  text_.insert(cursor_, character);
  cursor_ += character.size();
}

void LineEditor::erase(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  cursor_ = from;
}

std::size_t LineEditor::left_of(std::size_t at) const {
  if (at == 0) return 0;
  std::size_t character = at == line_begin(at) ? at - 1 : line_begin(at);
  for (std::size_t next = character; (next = right_of(next)) < at;) character = next;
  return character;
}

std::size_t LineEditor::right_of(std::size_t at) const {
  return at == text_.size() ? at : at + shown_character(std::string_view(text_).substr(at));
}

std::size_t LineEditor::word_left(std::size_t at) const {
  while (at > 0 && !is_word_byte(text_[at - 1])) --at;
  while (at > 0 && is_word_byte(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_right(std::size_t at) const {
  while (at < text_.size() && !is_word_byte(text_[at])) ++at;
  while (at < text_.size() && is_word_byte(text_[at])) ++at;
  return at;
}

std::size_t LineEditor::blank_left(std::size_t at) const {
  while (at > 0 && is_blank_byte(text_[at - 1])) --at;
  while (at > 0 && !is_blank_byte(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::line_begin(std::size_t at) const {
  const std::size_t line_break = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return line_break == std::string::npos ? 0 : line_break + 1;
}

std::size_t LineEditor::line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

// At the beginning of a line its break goes, so that the next press reaches the line before.
void LineEditor::erase_to_begin() {
  const std::size_t begin = line_begin(cursor_);
  erase(begin == cursor_ && begin > 0 ? begin - 1 : begin, cursor_);
}

void LineEditor::erase_to_end() {
  const std::size_t end = line_end(cursor_);
  erase(cursor_, end == cursor_ && end < text_.size() ? end + 1 : end);
}

void LineEditor::go_up() {
  const std::size_t begin = line_begin(cursor_);
  if (begin > 0) {
    cursor_ = same_place(line_begin(begin - 1));
  } else if (entry_ > 0) {
    recall(entry_ - 1);
  }
}

void LineEditor::go_down() {
  const std::size_t end = line_end(cursor_);
  if (end < text_.size()) {
    cursor_ = same_place(end + 1);
  } else if (entry_ < history_.size()) {
    recall(entry_ + 1);
  }
}

// As many characters from the beginning of `line` as the cursor is from that of its own.
std::size_t LineEditor::same_place(std::size_t line) const {
  std::size_t place = line;
  for (std::size_t at = line_begin(cursor_); at < cursor_ && place < line_end(place); at = right_of(at))
    place = right_of(place);
  return place;
}

void LineEditor::recall(std::size_t entry) {
  if (entry_ == history_.size()) draft_ = text_;
  entry_ = entry;
  text_ = entry_ == history_.size() ? draft_ : history_[entry_];
  cursor_ = text_.size();
}

void LineEditor::remember(const std::string& line) {
  if (!is_blank(line) && (history_.empty() || history_.back() != line)) history_.push_back(line);
}

void LineEditor::start_anew() {
  text_.clear();
  draft_.clear();
  cursor_ = 0;
  entry_ = history_.size();
}

std::string LineEditor::take_line() {
  std::string line = text_;
  remember(line);
  start_anew();
  return line;
}

}  // namespace sa
