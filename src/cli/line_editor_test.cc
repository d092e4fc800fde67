#include "cli/line_editor.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

// The text with a | where the cursor is.
std::string edited(LineEditor& editor, std::string_view keys) {
  for (const char key : keys) editor.take(key);
  std::string shown = editor.text();
  return shown.insert(editor.cursor(), "|");
}

std::string edited(std::string_view keys) {
  LineEditor editor;
  return edited(editor, keys);
}

LineEvent last_event(LineEditor& editor, std::string_view keys) {
  LineEvent event = LineEvent::none;
  for (const char key : keys) event = editor.take(key);
  return event;
}

constexpr std::string_view up = "\x1b[A", down = "\x1b[B", right = "\x1b[C", left = "\x1b[D";
constexpr std::string_view paste = "\x1b[200~", pasted = "\x1b[201~";

std::string keys_of(std::initializer_list<std::string_view> parts) {
  std::string keys;
  for (const std::string_view part : parts) keys += part;
  return keys;
}

}  // namespace

TEST_CASE("what is typed is inserted at the cursor, which the arrow keys move") {
  CHECK(edited("hello") == "hello|");
  CHECK(edited(keys_of({"ac", left, "b"})) == "ab|c");
  CHECK(edited(keys_of({"ab", left, left, left, right, "x"})) == "ax|b");
  CHECK(edited("ab\x02\x02\x06x") == "ax|b");
  CHECK(edited("ab\x1bOD\x1bODx\x1bOC") == "xa|b");
  CHECK(edited("a\tb") == "a\tb|");
}

TEST_CASE("Home, End and their control keys go to the ends of the line") {
  for (const std::string_view home : {"\x01", "\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"})
    CHECK(edited(keys_of({"one\ntwo", home})) == "one\n|two");
  for (const std::string_view end : {"\x05", "\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"})
    CHECK(edited(keys_of({"one\ntwo", up, "\x01", end})) == "one|\ntwo");
}

TEST_CASE("Ctrl and Alt with an arrow move by words") {
  for (const std::string_view word_left : {"\x1b[1;5D", "\x1b[1;3D", "\x1b\x1b[D",
                                           "\x1b"
                                           "b"}) {
    INFO(word_left.substr(1));
    CHECK(edited(keys_of({"one, two.", word_left})) == "one, |two.");
    CHECK(edited(keys_of({"one, two.", word_left, word_left, word_left})) == "|one, two.");
  }
  for (const std::string_view word_right : {"\x1b[1;5C", "\x1b[1;3C", "\x1b\x1b[C",
                                            "\x1b"
                                            "f"})
    CHECK(edited(keys_of({"one, zwölf.", "\x01", word_right, word_right})) == "one, zwölf|.");
  CHECK(edited("ab\x1b[1;2D") == "a|b");
  CHECK(edited(keys_of({"a b\x1b\x1b[D", right, left})) == "a |b");
}

TEST_CASE("what is erased is a whole character, a word, or a part of the line") {
  CHECK(edited("ab\x7f") == "a|");
  CHECK(edited("ab\b\b\b") == "|");
  CHECK(edited("né\x7f") == "n|");
  CHECK(edited("ne\u0301\x7f") == "n|");
  CHECK(edited("👩\u200D💻\x7f") == "|");
  CHECK(edited(keys_of({"abc", left, left, "\x1b[3~"})) == "a|c");
  CHECK(edited(keys_of({"abc", left, "\x04"})) == "ab|");
  CHECK(edited("one two-three\x17") == "one |");
  CHECK(edited("one two-three\x1b\x7f") == "one two-|");
  CHECK(edited("one two\x01\x1b"
               "d") == "| two");
  CHECK(edited(keys_of({"one two", left, left, "\x15"})) == "|wo");
  CHECK(edited(keys_of({"one two", left, left, "\x0b"})) == "one t|");
  CHECK(edited("one\ntwo\x15\x15") == "one|");
  CHECK(edited(keys_of({"one\ntwo", up, "\x0b"})) == "one|two");
}

TEST_CASE("Enter submits; Ctrl-J and Alt-Enter begin another line") {
  LineEditor editor;
  CHECK(last_event(editor, "one\ntwo\x1b\rthree\r") == LineEvent::submit);
  CHECK(editor.take_line() == "one\ntwo\nthree");
  CHECK(editor.text().empty());
  CHECK(editor.cursor() == 0);
  CHECK(last_event(editor, "x\x1bOM") == LineEvent::submit);
}

TEST_CASE("Ctrl-C clears a line and is an interrupt without one; Ctrl-D ends only there") {
  LineEditor editor;
  CHECK(last_event(editor, "half a line\x03") == LineEvent::none);
  CHECK(editor.text().empty());
  CHECK(editor.take('\x03') == LineEvent::interrupt);
  CHECK(editor.take('\x04') == LineEvent::end);
  CHECK(last_event(editor, "x\x04") == LineEvent::none);
  CHECK(editor.text() == "x");
  CHECK(editor.take('\x0c') == LineEvent::clear_screen);
  CHECK(editor.take('\x1a') == LineEvent::suspend);
}

TEST_CASE("Up and Down go through the lines of before, and the half-typed one is kept") {
  LineEditor editor;
  for (const char* line : {"one\r", "two\r", "two\r", " \r"}) {
    CHECK(last_event(editor, line) == LineEvent::submit);
    (void)editor.take_line();
  }
  CHECK(edited(editor, keys_of({"half", up})) == "two|");
  CHECK(edited(editor, up) == "one|");
  CHECK(edited(editor, up) == "one|");
  CHECK(edited(editor, down) == "two|");
  CHECK(edited(editor, "\x0e") == "half|");
  CHECK(edited(editor, down) == "half|");
  CHECK(edited(editor, "\x10!") == "two!|");
  CHECK(last_event(editor, "\r") == LineEvent::submit);
  CHECK(editor.take_line() == "two!");
  CHECK(edited(editor, up) == "two!|");
  CHECK(edited(editor, down) == "|");
}

TEST_CASE("a line that Ctrl-C cleared can be had back") {
  LineEditor editor;
  CHECK(edited(editor, "long thoughts\x03") == "|");
  CHECK(edited(editor, up) == "long thoughts|");
}

TEST_CASE("Up and Down move between the lines of a text before they leave it") {
  LineEditor editor;
  CHECK(last_event(editor, "before\r") == LineEvent::submit);
  (void)editor.take_line();
  CHECK(edited(editor, "漢字 one\nab\nthree") == "漢字 one\nab\nthree|");
  CHECK(edited(editor, up) == "漢字 one\nab|\nthree");
  CHECK(edited(editor, up) == "漢字| one\nab\nthree");
  CHECK(edited(editor, down) == "漢字 one\nab|\nthree");
  CHECK(edited(editor, keys_of({up, up})) == "before|");
  CHECK(edited(editor, down) == "漢字 one\nab\nthree|");
}

TEST_CASE("a paste is one text with its line breaks, and none of its bytes is a key") {
  LineEditor editor;
  const std::string keys = keys_of({"say ", paste, "one\rtwo\r\nthree\n\tfour\x03\x04\x1b[D\x1b[31m\x7f\b\u0085", pasted, "!"});
  CHECK(last_event(editor, keys) == LineEvent::none);
  CHECK(editor.text() == "say one\ntwo\nthree\n\tfour[D[31m!");
  CHECK(editor.cursor() == editor.text().size());
  CHECK(edited(keys_of({paste, "\x1b\x1b[20", pasted, "x"})) == "[20x|");
  CHECK(edited(keys_of({paste, "a\xc3", pasted, "b"})) == "a\uFFFDb|");
}

TEST_CASE("an escape sequence nobody knows is no text") {
  for (const std::string_view unknown :
       {"\x1b[24~", "\x1b[1;2P", "\x1b[?62;4c", "\x1b[<0;10;10M", "\x1bOP", "\x1b[[A", "\x1b]11;rgb:00/00/00\a",
        "\x1b]0;x\x1b\\", "\x1bP1$r0m\x1b\\", "\x1bz", "\x1b\xc3\xa4", "\x1b[\xc3\xa4", "\x1b[I", "\x1b[201~",
        "\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1m", "\x00", "\x07", "\x1c"}) {
    INFO(unknown.substr(std::min<std::size_t>(unknown.size(), 1)));
    CHECK(edited(keys_of({"a", unknown, "b"})) == "ab|");
  }
}

TEST_CASE("a key interrupts a sequence that does not end") {
  LineEditor editor;
  CHECK(edited(editor, "a\x1b[1;\x7f") == "|");
  CHECK(last_event(editor, "a\x1b]0;title\r") == LineEvent::submit);
  CHECK(last_event(editor, "\x03\x1b[\x03") == LineEvent::interrupt);
  CHECK(last_event(editor, "\x1b[\x1b[200~\x03") == LineEvent::none);
  CHECK(editor.text().empty());
}

TEST_CASE("an Escape that nothing follows is a key of its own") {
  LineEditor editor;
  editor.take('\x1b');
  editor.settle();
  CHECK(edited(editor, "[A") == "[A|");
  CHECK(edited(editor, "\x1b]x") == "[A|");
  editor.settle();
  CHECK(edited(editor, "y") == "[Ay|");
  CHECK(edited(editor, paste) == "[Ay|");
  editor.settle();
  CHECK(edited(editor, keys_of({"\x03z", pasted})) == "[Ayz|");
}

TEST_CASE("bytes that are no UTF-8 become one sign each, and nothing that follows is lost") {
  CHECK(edited("a\xff"
               "b") == "a\uFFFDb|");
  CHECK(edited("a\xc3"
               "b") == "a\uFFFDb|");
  CHECK(edited("\xe6\xbc") == "|");
  CHECK(edited("\xe6\xbc\xa2") == "漢|");
  CHECK(edited("\xed\xa0\x80x") == "\uFFFDx|");
  CHECK(edited("\xf0\x9f\x99\x82") == "🙂|");
  CHECK(edited("a\xc2\x9b"
               "b") == "ab|");
}

}  // namespace sa
