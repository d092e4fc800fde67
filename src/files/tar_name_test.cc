#include "files/tar_name.h"

#include <doctest/doctest.h>

#include "base/utf8.h"

namespace sa {
namespace {

std::string clean(std::string_view name) {
  auto cleaned = clean_tar_name(name);
  return cleaned ? *cleaned : "refused: " + cleaned.error().detail;
}

bool refused(std::string_view name, std::string_view why) {
  const auto cleaned = clean_tar_name(name);
  return !cleaned && cleaned.error().code == ErrorCode::invalid_request && cleaned.error().detail.contains(why);
}

TEST_CASE("a tar name keeps its components and loses what means nothing") {
  CHECK(clean("a") == "a");
  CHECK(clean("./a/b") == "a/b");
  CHECK(clean("a//b/./c/") == "a/b/c");
  CHECK(clean("...") == "...");
  CHECK(clean("a/..b/c..") == "a/..b/c..");
  CHECK(clean(" ") == " ");
  CHECK(clean("back\\slash") == "back\\slash");
}

TEST_CASE("a tar name of dots and slashes is the target itself") {
  CHECK(clean(".") == "");
  CHECK(clean("./") == "");
  CHECK(clean(".//./") == "");
}

TEST_CASE("a tar name that leads out of the target is refused") {
  CHECK(refused("..", "'..'"));
  CHECK(refused("a/../b", "'..'"));
  CHECK(refused("a/..", "'..'"));
  CHECK(refused("../", "'..'"));
  CHECK(refused("/etc/passwd", "absolute"));
  CHECK(refused("//a", "absolute"));
}

TEST_CASE("a tar name no file can bear is refused") {
  CHECK(refused("", "no name"));
  CHECK(refused(std::string_view("a\0b", 3), "NUL"));
  CHECK(clean(std::string(255, 'n')) == std::string(255, 'n'));
  CHECK(refused(std::string(256, 'n'), "longer"));
  std::string deep;
  while (deep.size() < 4096) deep += "directory/";
  CHECK(refused(deep, "longer"));
}

TEST_CASE("a refusal names the entry in well-formed words, however it is spelled") {
  const auto cleaned = clean_tar_name("/\xFF\n" + std::string(100'000, 'n'));
  REQUIRE(!cleaned);
  const Error& error = cleaned.error();
  CHECK(is_utf8(error.detail));
  CHECK(error.detail.size() < 1'000);
  REQUIRE(error.extras.size() == 1);
  CHECK(error.extras[0].name == "path");
  CHECK(error.extras[0].json.starts_with("\"/\uFFFD\\nnnn"));
}

TEST_CASE("a clean tar name splits into its directory and its last component") {
  CHECK(split_tar_name("a").directory.empty());
  CHECK(split_tar_name("a").last == "a");
  CHECK(split_tar_name("a/b/c").directory == "a/b");
  CHECK(split_tar_name("a/b/c").last == "c");
}

TEST_CASE("a link stays inside when it goes up no further than it is deep, and only at its beginning") {
  for (const std::string_view text : {"x", ".", "..", "../..", "../../x/y", ".././/../x", "...", "..x"}) {
    CAPTURE(text);
    CHECK(stays_inside("a/b/link", text));
  }
  for (const std::string_view text : {"/", "/x", "../../..", "x/..", "../x/../y", "../.././.."}) {
    CAPTURE(text);
    CHECK(!stays_inside("a/b/link", text));
  }
  CHECK(!stays_inside("link", ".."));
  CHECK(!stays_inside("a/link", std::string_view("..\0", 3)));
}

}  // namespace
}  // namespace sa
