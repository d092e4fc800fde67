// The input is typed: the first byte is how wide the screen is, the second how high and how many keys come at once, the rest
// are keys; a line that is submitted begins the next one, and 0xF8 (which is in no text) is a while without a key. Held: the
// text is UTF-8 without controls but line breaks and tabs, the cursor stands before a character; the drawing obeys nothing that
// was typed; drawn over and over it is what one drawing of the same text is, the cursor on the same cell; all of a text that is
// done is on the screen.
// Inputs: at most 64 bytes.
#include <string>

#include "base/utf8.h"
#include "cli/line_editor.h"
#include "cli/line_view.h"
#include "cli/test_screen.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t drawings_per_look = 16;
constexpr char pause_key = '\xF8';
constexpr std::string_view prompt = "> ";
constexpr std::size_t indented = 20;  // columns, from which on a mark at the beginning of a row has a blank to stand on

void check_text(const LineEditor& editor) {
  const std::string& text = editor.text();
  hold(is_utf8(text), "the text is UTF-8");
  std::string plain = text;
  std::erase_if(plain, [](char c) { return c == '\n' || c == '\t'; });
  hold(is_printable_utf8(plain), "without controls but line breaks and tabs");
  hold(editor.cursor() <= text.size(), "the cursor is in it");
  hold(editor.cursor() == text.size() || (static_cast<std::uint8_t>(text[editor.cursor()]) & 0xC0) != 0x80,
       "before a character");
}

// Letters only, as a screen's rows and indents do not matter then.
std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == '\n' || c == '\t' || c == ' '; });
  return text;
}

void check_drawing(const LineEditor& editor, const TestScreen& screen, ScreenSize size) {
  TestScreen fresh(size.columns, size.rows);
  LineView view{std::string(prompt), prompt.size()};
  fresh.write(view.draw(editor.text(), editor.cursor(), size));
  hold(screen.unknown() == 0 && fresh.unknown() == 0, "the drawing obeys nothing that was typed");
  hold(screen.cell() == fresh.cell(), "the cursor is on the same cell");
  TestScreen whole(size.columns, editor.text().size() + 2), again(size.columns, editor.text().size() + 2);
  LineView other{std::string(prompt), prompt.size()};
  const ScreenSize high{size.columns, editor.text().size() + 2};
  whole.write(other.draw(editor.text(), 0, high));
  whole.write(other.draw(editor.text(), editor.cursor(), high));
  again.write(LineView(std::string(prompt), prompt.size()).draw(editor.text(), editor.cursor(), high));
  hold(whole.text() == again.text() && whole.row() == again.row(), "drawn over it is what one drawing is");
  if (size.columns >= indented) hold(without_blanks(again.text()) == ">" + without_blanks(editor.text()), "and says the text");
}

void check(std::string_view input) {
  if (input.size() < 2) return;
  const ScreenSize size{static_cast<std::uint8_t>(input[0]) % 60u + 4, static_cast<std::uint8_t>(input[1]) % 12u + 1};
  const std::size_t keys_at_once = static_cast<std::uint8_t>(input[1]) / 12u + 1;  // drawn together, as in a chat
  LineEditor editor;
  TestScreen screen(size.columns, size.rows);
  LineView view{std::string(prompt), prompt.size()};
  std::size_t keys = 0, drawings = 0;
  for (const char key : input.substr(2)) {
    if (key == pause_key) {
      editor.settle();
      continue;
    }
    const LineEvent event = editor.take(key);
    if (event == LineEvent::interrupt || event == LineEvent::end) hold(editor.text().empty(), "nothing typed is lost");
    if (event != LineEvent::submit && ++keys % keys_at_once != 0) continue;
    check_text(editor);
    screen.write(view.draw(editor.text(), editor.cursor(), size));
    if (event == LineEvent::submit || ++drawings % drawings_per_look == 0) check_drawing(editor, screen, size);
    if (event != LineEvent::submit) continue;
    const std::string text = editor.text();
    screen = TestScreen(size.columns, size.rows);
    screen.write(LineView(std::string(prompt), prompt.size()).finish(text, size));
    if (size.columns >= indented)
      hold(without_blanks(screen.text()) == ">" + without_blanks(text), "all of a text that is done is on the screen");
    view = LineView(std::string(prompt), prompt.size());
    hold(editor.take_line() == text && editor.text().empty() && editor.cursor() == 0, "the line is taken, the next is empty");
    if (is_blank(text)) continue;
    LineEditor looking = editor;
    for (const char up : std::string_view("\x1b[A")) looking.take(up);
    hold(looking.text() == text, "Up brings it back");
  }
  check_text(editor);
  screen.write(view.draw(editor.text(), editor.cursor(), size));
  check_drawing(editor, screen, size);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
