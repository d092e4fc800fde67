#include "base/sha256.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a digest is that of all the pieces") {
  CHECK(Sha256().hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 digest;
  digest.add("a");
  digest.add("bc");
  CHECK(digest.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("a digest is written as 64 hexadecimal digits") {
  CHECK(is_sha256(Sha256().hex()));
  CHECK(is_sha256(std::string(64, 'A')));
  CHECK_FALSE(is_sha256(std::string(63, 'a')));
  CHECK_FALSE(is_sha256(std::string(64, 'g')));
  CHECK_FALSE(is_sha256(""));
}

}  // namespace sa
