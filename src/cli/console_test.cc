#include "cli/console.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

#include "base/unique_fd.h"

namespace sa {
namespace {

// What is written to stderr meanwhile, which is a file.
std::string said_by(const std::function<void(Console&)>& speak, const ConsoleWishes& wishes = {}) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::tmpfile(), std::fclose);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(::fileno(file.get()), STDERR_FILENO);
  Console console(wishes);
  speak(console);
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::string said(4096, '\0');
  (void)std::fseek(file.get(), 0, SEEK_SET);
  said.resize(std::fread(said.data(), 1, said.size(), file.get()));
  return said;
}

// What a terminal gets that does not block and is read slowly, in the place of `file`.
std::string shown_slowly(int file, const std::function<void(Console&)>& speak) {
  const UniqueFd ours(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  REQUIRE((::grantpt(ours.get()) == 0 && ::unlockpt(ours.get()) == 0));
  UniqueFd theirs(::open(::ptsname(ours.get()), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  termios modes{};
  REQUIRE(::tcgetattr(theirs.get(), &modes) == 0);
  ::cfmakeraw(&modes);
  REQUIRE(::tcsetattr(theirs.get(), TCSANOW, &modes) == 0);
  std::string shown;
  std::thread reader([&] {
    std::string piece(4096, '\0');
    for (ssize_t size = 0; (size = ::read(ours.get(), piece.data(), piece.size())) > 0;) {
      shown.append(piece, 0, static_cast<std::size_t>(size));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const UniqueFd before(::dup(file));
  ::dup2(theirs.get(), file);
  {
    Console console({.colour = ColourWish::never});
    speak(console);
  }
  ::dup2(before.get(), file);
  theirs.reset();
  reader.join();
  return shown;
}

}  // namespace

TEST_CASE("a long text reaches a terminal that does not block, however slowly that is read") {
  const std::string text(300'000, 'x');
  bool printed = false;
  CHECK(shown_slowly(STDOUT_FILENO, [&](Console& console) { printed = console.print(text); }) == text);
  CHECK(printed);
  CHECK(shown_slowly(STDERR_FILENO, [&](Console& console) { console.status(text); }) == text + "\n");
}

TEST_CASE("a failure is three lines at most: the first sentence, the others with the reason, what to do") {
  const auto lines = [](Failure failure) { return said_by([&](Console& console) { console.fail(failure); }); };
  CHECK(lines({.what = "There is no agent 'x'. The nearest names: a, b. Or c.", .what_to_do = "sandbox-agent agents list"}) ==
        "error: There is no agent 'x'.\n  The nearest names: a, b. Or c.\n  try: sandbox-agent agents list\n");
  CHECK(lines({.what = "It failed. Twice.", .why = "its output ended with: x"}) ==
        "error: It failed.\n  Twice. its output ended with: x\n");
  CHECK(lines({.what = "node v. 20 is needed", .why = "it is not"}) == "error: node v. 20 is needed\n  it is not\n");
}

TEST_CASE("a line is cut to the cells of a terminal, whatever its characters take") {
  CHECK(cut_to_cells("twelve cells", 12) == "twelve cells");
  CHECK(cut_to_cells("twelve cells", 11) == "twelve cel…");
  CHECK(cut_to_cells("漢字漢字", 8) == "漢字漢字");
  CHECK(cut_to_cells("漢字漢字", 7) == "漢字漢…");
  CHECK(cut_to_cells("漢字漢字", 6) == "漢字…");
  CHECK(cut_to_cells("e\u0301e\u0301", 2) == "e\u0301e\u0301");
  CHECK(cut_to_cells("abc", 1) == "…");
  CHECK(cut_to_cells("abc", 0).empty());
  CHECK(cut_to_cells("\xff\xff", 1) == "…");
}

TEST_CASE("of what a terminal would obey only our colours are left, where there are any") {
  CHECK(inert("\x1b[31merror:\x1b[0m one\ntwo\t\x1b[2Jthree", true) == "\x1b[31merror:\x1b[0m one\ntwo\t^[[2Jthree");
  CHECK(inert("\x1b[31merror:\x1b[0m", false) == "^[[31merror:^[[0m");
  CHECK(inert("\x1b]0;title\a \u009b2J\r", true) == "^[]0;title^G <9b>2J^M");
  CHECK(inert("\x1b[31;5m \x1b", true) == "^[[31;5m ^[");
}

TEST_CASE("a colour ends with the text it is in") {
  CHECK(inert("a \x1b[31mb", true) == "a \x1b[31mb\x1b[0m");
  CHECK(inert("\x1b[1ma\x1b[0m b", true) == "\x1b[1ma\x1b[0m b");
}

TEST_CASE("whatever is said, a daemon's text in it commands no terminal") {
  const std::string evil = "x\x1b[2J\x1b]0;title\a\u009b2J";
  for (const auto colour : {ColourWish::always, ColourWish::never}) {
    const ConsoleWishes wishes{.verbose = true, .colour = colour};
    for (const auto& speak : std::initializer_list<std::function<void(Console&)>>{
             [&](Console& console) { console.status(evil); }, [&](Console& console) { console.detail(evil); },
             [&](Console& console) { console.warn(evil); }, [&](Console& console) { console.question(evil); },
             [&](Console& console) { console.prompt(evil); },
             [&](Console& console) { console.fail({.what = evil, .why = evil, .what_to_do = evil, .more = evil}); }}) {
      const std::string said = said_by(speak, wishes);
      CHECK(said.contains("x"));
      CHECK_FALSE(said.contains("\x1b[2J"));
      CHECK_FALSE(said.contains("\x1b]"));
      CHECK_FALSE(said.contains("\a"));
      CHECK_FALSE(said.contains("\u009b"));
    }
  }
}

TEST_CASE("our own colours are as they were") {
  const auto speak = [](Console& console) { console.warn(console.paint(Ink::bold, "look")); };
  CHECK(said_by(speak, {.colour = ColourWish::always}) == "\x1b[33mwarning:\x1b[0m \x1b[1mlook\x1b[0m\n");
  CHECK(said_by(speak) == "warning: look\n");
}

TEST_CASE("what to do stands on one line, whoever says it") {
  const std::string said = said_by([](Console& console) { console.fail({.what = "a", .what_to_do = "b\nerror: c"}); });
  CHECK(said == "error: a\n  try: b error: c\n");
}

}  // namespace sa
