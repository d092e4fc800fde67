#include "base/nearest.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("the distance of two words is the number of letters to insert, delete, change or swap") {
  CHECK(distance_between("", "") == 0);
  CHECK(distance_between("", "abc") == 3);
  CHECK(distance_between("abc", "") == 3);
  CHECK(distance_between("agents", "agents") == 0);
  CHECK(distance_between("agent", "agents") == 1);
  CHECK(distance_between("kitten", "sitting") == 3);
  CHECK(distance_between("stauts", "status") == 1);
  CHECK(distance_between("ab", "ba") == 1);
  CHECK(distance_between("abcd", "badc") == 2);
}

TEST_CASE("the nearest word is found, and none when all are far") {
  constexpr std::string_view words[] = {"--port", "--host", "--token-file"};
  CHECK(nearest("--prot", words) == "--port");
  CHECK(nearest("--tokenfile", words) == "--token-file");
  CHECK(nearest("--port", words) == "--port");
  CHECK(nearest("completely-different", words).empty());
  CHECK(nearest("--port", {}).empty());
}

}  // namespace sa
