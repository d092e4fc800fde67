#include "cli/line_view.h"

#include <doctest/doctest.h>

#include "cli/line_editor.h"
#include "cli/test_screen.h"

namespace sa {
namespace {

// A screen with a line on it.
struct Drawn {
  Drawn(std::size_t columns, std::size_t rows) : size{columns, rows}, screen(columns, rows) {}

  Drawn& type(std::string_view keys) {
    for (const char key : keys) editor.take(key);
    screen.write(view.draw(editor.text(), editor.cursor(), size));
    return *this;
  }

  ScreenSize size;
  TestScreen screen;
  LineEditor editor;
  LineView view{"> ", 2};
};

}  // namespace

TEST_CASE("a line is drawn behind its prompt, the cursor where it is") {
  Drawn line(40, 10);
  line.type("hello").type("\x1b[D\x1b[D");
  CHECK(line.screen.text() == "> hello");
  CHECK(line.screen.cell() == 5);
  line.type("p!");
  CHECK(line.screen.text() == "> help!lo");
  CHECK(line.screen.unknown() == 0);
}

TEST_CASE("a line is taken off the screen for what somebody else writes, and drawn again behind it") {
  Drawn line(20, 10);
  line.screen.write("before\r\n");
  line.type("twenty cells are not enough for this\x1b[D\x1b[D");
  line.screen.write(line.view.remove(line.size));
  CHECK(line.screen.text() == "before");
  line.screen.write("said\r\n");
  line.type("");
  CHECK(line.screen.text() == "before\nsaid\n> twenty cells are n\n  ot enough for this");
}

TEST_CASE("a line wider than the screen goes on on the next row, and shrinks again") {
  Drawn line(20, 10);
  line.type("a line of more than twenty characters");
  CHECK(line.screen.text() == "> a line of more tha\n  n twenty character\n  s");
  CHECK(line.screen.row() == 2);
  line.type("\x01");
  CHECK(line.screen.row() == 0);
  CHECK(line.screen.cell() == 2);
  line.type("\x0b");
  CHECK(line.screen.text() == ">");
}

TEST_CASE("a row that is just full has its cursor on the next one") {
  Drawn line(20, 10);
  line.type("123456789012345678");
  CHECK(line.screen.text() == "> 123456789012345678");
  CHECK(line.screen.row() == 1);
  CHECK(line.screen.cell() == 2);
  line.type("\x7f");
  CHECK(line.screen.row() == 0);
  CHECK(line.screen.text() == "> 12345678901234567");
  line.type("8\n9");
  CHECK(line.screen.text() == "> 123456789012345678\n  9");
}

TEST_CASE("wide characters are not cut by the edge, marks stay on theirs, tabs are blanks") {
  Drawn line(20, 10);
  line.type("12345678901234567漢e\u0301x");
  CHECK(line.screen.text() == "> 12345678901234567\n  漢e\u0301x");
  CHECK(line.screen.cell() == 6);
  line.type("\x1b[D\x1b[D");
  CHECK(line.screen.cell() == 4);
  line.type("\x15\ta\tb");
  CHECK(line.screen.text() == ">       a       be\u0301x");
}

TEST_CASE("of a text higher than the screen the rows around the cursor are drawn, and all of them at the end") {
  Drawn line(20, 3);
  line.type("1\n2\n3\n4\n5");
  CHECK(line.screen.text() == "  3\n  4\n  5");
  line.type("\x1b[A\x1b[A\x1b[A");
  CHECK(line.screen.text() == "  2\n  3\n  4");
  CHECK(line.screen.row() == 0);
  line.screen.write(line.view.finish(line.editor.text(), line.size));
  CHECK(line.screen.text() == "> 1\n  2\n  3\n  4\n  5");
  CHECK(line.screen.row() == 5);
  CHECK(line.screen.cell() == 0);
}

TEST_CASE("what is behind the line is on the row below it, and the next line is drawn there") {
  Drawn line(20, 10);
  line.type("123456789012345678");
  line.screen.write(line.view.finish(line.editor.text(), line.size));
  CHECK(line.screen.row() == 1);
  (void)line.editor.take_line();
  line.type("next");
  CHECK(line.screen.text() == "> 123456789012345678\n> next");
}

TEST_CASE("a line that is left stays as it is drawn, and what follows is on the row below it") {
  Drawn line(20, 10);
  line.type("1\n2\n3\x1b[A\x1b[A");
  CHECK(line.screen.row() == 0);
  line.screen.write(line.view.leave());
  line.screen.write("shell:");
  CHECK(line.screen.text() == "> 1\n  2\n  3\nshell:");
}

TEST_CASE("a screen that became narrower is drawn over from the line's first row") {
  LineView view("> ", 2);
  const std::string text = "123456789012345678901234567890";
  (void)view.draw(text, text.size(), {40, 10});
  CHECK(view.draw(text, text.size(), {20, 10}).starts_with("\r\x1b[1A\x1b[K\x1b[1C\x1b[J\r"));
  CHECK(view.draw(text, 0, {40, 10}).starts_with("\r\x1b[1A\x1b[K\x1b[1C\x1b[J\r"));
  CHECK(view.draw(text, 0, {40, 10}).starts_with("\r\x1b[K\x1b[1C\x1b[J\r"));
  const std::string two_rows = text + "\nend";
  (void)view.draw(two_rows, two_rows.size(), {40, 10});
  CHECK(view.draw(two_rows, two_rows.size(), {20, 10}).starts_with("\r\x1b[2A\x1b[K\x1b[1C\x1b[J\r"));
}

TEST_CASE("a line at the top of the screen is drawn anew and removed without emptying the screen") {
  Drawn line(20, 10);
  line.type("1").type("2").type("\n3").type("\x7f\x7f");
  CHECK(line.screen.text() == "> 12");
  line.screen.write(line.view.remove(line.size));
  CHECK(line.screen.text() == "");
  line.type("").type("4");
  line.screen.write(line.view.finish(line.editor.text(), line.size));
  CHECK(line.screen.text() == "> 124");
  CHECK(line.screen.emptied() == 0);
}

TEST_CASE("a screen of a few cells holds a line too") {
  Drawn line(4, 1);
  line.size.columns = 1;
  line.type("漢字 and more");
  CHECK(line.screen.unknown() == 0);
  CHECK(LineView("> ", 2).clear("a", 1, {0, 0}) == "\x1b[H\x1b[2J\r\x1b[K\x1b[1C\x1b[J\r> a\r\x1b[3C");
}

}  // namespace sa
