#include "base/telling_line.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("the last line that says something is told") {
  CHECK(last_line("one\ntwo\tx \r\n\n") == "two x");
  CHECK(last_line("one") == "one");
  CHECK(last_line(" \n\t\n") == "");
  CHECK(last_line("") == "");
}

TEST_CASE("what is told is short, cut between characters, and nothing a terminal would obey") {
  CHECK(last_line("a\x1b[2Jb\u009bc\xff") == "a [2Jb c\uFFFD");
  const std::string long_line = last_line("x" + std::string(9000, 'y') + "\n");
  CHECK(long_line.size() == 500);
  std::string wide;
  for (int i = 0; i < 400; ++i) wide += "é";
  CHECK(last_line("x" + wide) == "x" + wide.substr(0, 498));
}

TEST_CASE("of an agent that died of an exception the exception is told, not the end of its trace") {
  CHECK(cause_line("/a/x.mjs:3\n  throw new Error(\"no key\");\n        ^\n\nError: no key\n    at file:///a/x.mjs:3:9\n"
                   "    at process.processTimers (node:internal/timers:519:7)\n\nNode.js v20.20.2\n") == "Error: no key");
  CHECK(cause_line("node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/x'\n"
                   "    at Module._load (x:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n") ==
        "Error: Cannot find module '/x'");
  CHECK(cause_line("/a/x.mjs:1\nthrow 'boom'\n^\nboom\n(Use `node --trace-uncaught ...` to show where it was thrown)\n\n"
                   "Node.js v20.20.2\n") == "boom");
  CHECK(cause_line("panic: no key\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/x.go:5 +0x1d\nexit status 2\n") ==
        "panic: no key");
  CHECK(cause_line("Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\nValueError: no key\n") ==
        "ValueError: no key");
}

TEST_CASE("of what names no error the last line is told, and something of everything") {
  CHECK(cause_line("starting\nno key, leaving \n\n") == "no key, leaving");
  CHECK(cause_line("one line") == "one line");
  CHECK(cause_line("    at a (x:1:2)\n    at b (x:1:2)\n\n") == "    at b (x:1:2)");
  CHECK(cause_line("\n") == "");
  CHECK(cause_line("") == "");
  std::string chatter;
  for (int i = 0; i < 100; ++i) chatter += "line\n";
  CHECK(cause_line("error: of long ago\n" + chatter) == "line");
}

TEST_CASE("of npm's errors the first in words is told, its details are not") {
  CHECK(npm_line("npm error code E404\nnpm error 404 Not Found\nnpm error A complete log of this run is in x\n") ==
        "404 Not Found");
  CHECK(npm_line("npm error code E404\nnpm error errno 7\nlast words\n") == "last words");
  CHECK(npm_line("") == "");
}

}  // namespace sa
