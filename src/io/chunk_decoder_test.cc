#include "io/chunk_decoder.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

struct Decoded {
  std::string body;
  std::string rest;
  bool done = false;
  bool refused = false;
};

Decoded decode(std::string_view bytes) {
  ChunkDecoder decoder;
  Decoded out;
  while (!bytes.empty() && !decoder.done()) {
    const auto piece = decoder.next(bytes);
    if (!piece) {
      out.refused = true;
      break;
    }
    out.body += *piece;
  }
  out.rest = bytes;
  out.done = decoder.done();
  return out;
}

}  // namespace

TEST_CASE("chunks are put together, and what follows the last is left") {
  const auto out = decode("5\r\nhello\r\n1;name=value\r\n \r\n000A\r\n0123456789\r\n0\r\n\r\nrest");
  CHECK(out.body == "hello 0123456789");
  CHECK(out.done);
  CHECK(out.rest == "rest");
}

TEST_CASE("trailers are skipped") {
  const auto out = decode("1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n");
  CHECK(out.body == "x");
  CHECK(out.done);
}

TEST_CASE("chunks that are cut anywhere are the same chunks") {
  constexpr std::string_view bytes = "3;x\r\nabc\r\n2\r\nde\r\n0\r\nT: u\r\n\r\n";
  ChunkDecoder decoder;
  std::string body;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string_view piece = bytes.substr(at, 1);
    const auto taken = decoder.next(piece);
    REQUIRE(taken);
    body += *taken;
    CHECK(piece.empty());
    CHECK(decoder.done() == (at + 1 == bytes.size()));
  }
  CHECK(body == "abcde");
}

TEST_CASE("a chunk that is framed badly is refused") {
  for (const std::string_view bytes :
       {"\r\n", "x\r\n", "-1\r\n", "0x5\r\n", "5 \r\nhello", "5\nhello", "5\r\rhello", "5\r\nhelloX", "5\r\nhello\n",
        "5\r\nhello\rX", "00000000000000005\r\n", "0\r\nA: b\n", "0\r\nA: b\r\r", "0\r\n\rX", "5;a\nhello"}) {
    CAPTURE(bytes);
    CHECK(decode(bytes).refused);
  }
}

TEST_CASE("extensions and trailers are bounded") {
  CHECK(decode("5;" + std::string(5000, 'x')).refused);
  CHECK(decode("0\r\n" + std::string(70'000, 'x')).refused);
}

TEST_CASE("chunks that stop before the last are not done") {
  for (const std::string_view bytes : {"5", "5\r\nhel", "5\r\nhello\r\n", "5\r\nhello\r\n0\r\n", "5\r\nhello\r\n0\r\n\r"}) {
    CAPTURE(bytes);
    const auto out = decode(bytes);
    CHECK_FALSE(out.done);
    CHECK_FALSE(out.refused);
  }
}

}  // namespace sa
