#include "daemon/background_words.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "daemon/places.h"

namespace sa {

using Words = std::vector<std::string>;

TEST_CASE("paths among a daemon's settings mean the same from every directory") {
  CHECK(from_anywhere({"--token-file", "a b", "--fs-root=c", "--log-file", "/x"}) ==
        Words{"--token-file", absolute_path("a b"), "--fs-root=" + absolute_path("c"), "--log-file", "/x"});
  CHECK(from_anywhere({"--registry-url", "file.json"}) == Words{"--registry-url", absolute_path("file.json")});
  CHECK(from_anywhere({"--registry-url", "https://x/y"}) == Words{"--registry-url", "https://x/y"});
}

TEST_CASE("an agent's program is the same from every directory, what follows it stays") {
  CHECK(from_anywhere({"--agent", "a=./b c"}) == Words{"--agent", "a=" + absolute_path("./b") + " c"});
  CHECK(from_anywhere({"--agent=a='my bin/b' 'c d' ./e"}) == Words{"--agent=a='" + absolute_path("my bin/b") + "' 'c d' ./e"});
  const Words words{"--agent", "a=/b/c d", "--agent", "a=b  'c'", "--agent", "no command", "--agent", "a='./b"};
  CHECK(from_anywhere(words) == words);
}

TEST_CASE("other settings and what is none stay as they are") {
  const Words words{"--host", "--token-file", "-p", "1", "--no-token", "--agent", "a=b ./c", "--what", "=", "", "--token-file"};
  CHECK(from_anywhere(words) == words);
  CHECK(from_anywhere({"--token-file="}) == Words{"--token-file="});
}

TEST_CASE("a port is named by flag, by short flag, by variable, and not by a value") {
  CHECK(name_a_port({"--port", "1"}));
  CHECK(name_a_port({"--no-token", "-p", "1"}));
  CHECK(name_a_port({"--port=1"}));
  CHECK_FALSE(name_a_port({"--host", "--port"}));
  CHECK_FALSE(name_a_port({}));
  ::setenv("SANDBOX_AGENT_PORT", "1", 1);
  CHECK(name_a_port({}));
  ::unsetenv("SANDBOX_AGENT_PORT");
}

}  // namespace sa
