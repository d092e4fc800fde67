#include "files/tar_stream.h"

#include <doctest/doctest.h>

#include "files/tar_test_archive.h"

namespace sa::tar_test {
namespace {

ErrorCode code_of(const Result<Unpacked>& result) {
  REQUIRE(!result);
  return result.error().code;
}

TEST_CASE("an archive is unpacked plain, with gzip and with zstd, in pieces of any size") {
  const std::string plain = Archive().file("a", std::string(3'000, 'a')).file("b/c", "c").end();
  for (const std::string& bytes : {plain, gzip(plain), zstd(plain)}) {
    for (const std::size_t piece : {1u, 100u, 512u, 65'536u}) {
      const Scratch scratch;
      Pieces pieces{.bytes = bytes, .piece = piece};
      REQUIRE(scratch.unpack(pieces.next()));
      CHECK(scratch.read("a") == std::string(3'000, 'a'));
      CHECK(scratch.read("b/c") == "c");
    }
  }
}

TEST_CASE("an archive without entries is fine") {
  const Scratch scratch;
  for (const std::string& bytes : {std::string(512, '\0'), std::string(10'240, '\0'), gzip(std::string(1'024, '\0'))}) {
    const auto unpacked = scratch.unpack(bytes);
    REQUIRE(unpacked);
    CHECK(unpacked->paths.empty());
    CHECK(!unpacked->truncated);
  }
}

TEST_CASE("a body that is no tar archive is refused in a sentence") {
  const Scratch scratch;
  const std::string zip = std::string("PK\3\4\24\0\0\0", 8) + std::string(2'000, 'z');
  for (const std::string& bytes : {zip, std::string("x"), std::string(5'000, 'g'), gzip("short"), gzip(""),
                                   std::string(100, '\0'), zstd(std::string(600, 'g'))}) {
    const auto unpacked = scratch.unpack(bytes);
    CHECK(code_of(unpacked) == ErrorCode::invalid_request);
    CHECK(unpacked.error().detail.contains("not a tar archive"));
  }
  const auto nothing = scratch.unpack("");
  CHECK(code_of(nothing) == ErrorCode::invalid_request);
  CHECK(nothing.error().detail.contains("empty"));
}

TEST_CASE("a compressed stream that is cut or broken is refused") {
  const std::string plain = Archive().file("a", std::string(300'000, 'a')).end();
  for (const std::string& whole : {gzip(plain), zstd(plain)}) {
    const Scratch scratch;
    CHECK(code_of(scratch.unpack(whole.substr(0, whole.size() / 2))) == ErrorCode::invalid_request);
    std::string broken = whole;
    for (std::size_t at = broken.size() / 3; at < broken.size(); ++at) broken[at] = static_cast<char>(~broken[at]);
    CHECK(code_of(scratch.unpack(broken)) == ErrorCode::invalid_request);
    CHECK(scratch.names().empty());
  }
}

TEST_CASE("a compressed stream whose content was changed is refused") {
  std::string stored = gzip(Archive().file("a", "unchanged").end(), 0);
  const std::size_t at = stored.find("unchanged");
  REQUIRE(at != stored.npos);
  stored[at] = 'X';
  const Scratch scratch;
  const auto unpacked = scratch.unpack(stored);
  CHECK(code_of(unpacked) == ErrorCode::invalid_request);
  CHECK(unpacked.error().detail.contains("damaged"));
}

TEST_CASE("an archive that is compressed more than once is refused") {
  const Scratch scratch;
  const auto unpacked = scratch.unpack(gzip(zstd(Archive().file("a").end())));
  CHECK(code_of(unpacked) == ErrorCode::invalid_request);
  CHECK(unpacked.error().detail.contains("not a tar archive"));
}

TEST_CASE("an archive may be compressed in parts, and end with padding") {
  const std::string bytes = Archive().file("a", std::string(3'000, 'a')).file("b", "").end();
  const std::string first = bytes.substr(0, 700), second = bytes.substr(700), padding(600, '\0');
  const std::string skipped("\x5A\x2A\x4D\x18\3\0\0\0abc", 11);
  const auto joined = [](const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, "")); };
  for (const std::string& packed :
       {joined({gzip(first), gzip(""), gzip(second), padding}), joined({zstd(first), zstd(second), padding}),
        joined({skipped, zstd(first), skipped, zstd(second), skipped})}) {
    for (const std::size_t piece : {1u, 65'536u}) {
      const Scratch scratch;
      Pieces pieces{.bytes = packed, .piece = piece};
      REQUIRE(scratch.unpack(pieces.next()));
      CHECK(scratch.read("a") == std::string(3'000, 'a'));
      CHECK(pieces.given == packed.size());
    }
  }
}

TEST_CASE("the stream is not asked again once it has ended") {
  const std::string bytes = Archive().file("a").end();
  for (const std::string& packed :
       {bytes, gzip(bytes), zstd(bytes), Archive().file("a").endless(), std::string(), std::string("x")}) {
    const Scratch scratch;
    Pieces pieces{.bytes = packed};
    int ends = 0;
    const auto next = [&, from = pieces.next()] {
      if (pieces.given == packed.size()) ++ends;
      return from();
    };
    std::ignore = scratch.unpack(next);
    CHECK(ends == 1);
  }
}

TEST_CASE("what unpacks to much more than a piece arrives whole") {
  std::string large(3u << 20, 'z');
  for (std::size_t at = 0; at < large.size(); at += 1'000) large[at] = static_cast<char>(at / 1'000);
  const std::string bytes = Archive().file("large", large).end();
  for (const std::string& packed : {gzip(bytes), zstd(bytes)}) {
    for (const std::size_t piece : {7u, 1u << 20}) {
      const Scratch scratch;
      Pieces pieces{.bytes = packed, .piece = piece};
      REQUIRE(scratch.unpack(pieces.next()));
      CHECK(scratch.read("large") == large);
    }
  }
}

TEST_CASE("what follows the end of an archive is read to the end of the stream") {
  const std::string padding(300'000, '\0');
  const std::string archive = Archive().file("a").end();
  for (const std::string& bytes :
       {archive + padding, gzip(archive + padding), gzip(archive) + padding, archive + "trailing", zstd(archive) + padding}) {
    const Scratch scratch;
    Pieces pieces{.bytes = bytes, .piece = 1'000};
    REQUIRE(scratch.unpack(pieces.next()));
    CHECK(pieces.given == bytes.size());
  }
}

TEST_CASE("an error of the stream is returned as it is, wherever it happens") {
  const std::string bytes = Archive().file("a", std::string(2'000, 'a')).file("b").end();
  for (std::size_t whole = 0; whole <= bytes.size(); whole += 256) {
    const Scratch scratch;
    Pieces pieces{.bytes = bytes.substr(0, whole), .piece = 256};
    const auto next = [&, from = pieces.next()]() -> Result<std::string_view> {
      if (pieces.given == whole) return fail(ErrorCode::request_timeout, "The client was silent.");
      return from();
    };
    const auto unpacked = scratch.unpack(next);
    CHECK(code_of(unpacked) == ErrorCode::request_timeout);
    CHECK(unpacked.error().detail == "The client was silent.");
    for (const std::string& name : scratch.names())
      CHECK(scratch.read(name) == (name == "a" ? std::string(2'000, 'a') : "content"));
  }
}

TEST_CASE("the limit counts the unpacked stream with its headers and its padding") {
  const std::string bytes = Archive().file("a").file("b").end();
  for (const std::string& packed : {bytes, gzip(bytes)}) {
    const Scratch scratch;
    CHECK(scratch.unpack(packed, {.max_unpacked_bytes = bytes.size()}));
    const auto unpacked = scratch.unpack(packed, {.max_unpacked_bytes = bytes.size() - 1});
    CHECK(code_of(unpacked) == ErrorCode::payload_too_large);
    CHECK(unpacked.error().extra("limit") == std::to_string(bytes.size() - 1));
  }
}

TEST_CASE("an entry that says it is larger than the limit is refused before it is written") {
  const Scratch scratch;
  Pieces pieces{.bytes = Archive().file("a").raw(header_block({.name = "b", .size = 1u << 30})).endless(), .piece = 512};
  CHECK(code_of(scratch.unpack(pieces.next(), {.max_unpacked_bytes = 1u << 20})) == ErrorCode::payload_too_large);
  CHECK(scratch.names() == Names{"a"});
}

TEST_CASE("a small body that unpacks without end reaches the limit, whatever it unpacks to") {
  const auto bomb = [](const std::string& block) {
    std::string unpacked;
    while (unpacked.size() < (16u << 20)) unpacked += block;
    return zstd(unpacked);
  };
  const TarLimits limits{.max_unpacked_bytes = 1u << 20};
  const Scratch scratch;
  CHECK(code_of(scratch.unpack(bomb(Archive().file("a", "").endless()), limits)) == ErrorCode::payload_too_large);
  CHECK(code_of(scratch.unpack(bomb(std::string(512, '\0')), limits)) == ErrorCode::payload_too_large);
}

TEST_CASE("unpacking ends when the daemon does") {
  const std::string bytes = Archive().file("a", std::string(100'000, 'a')).file("b").end();
  for (std::size_t piece = 1; piece < 98; piece += 7) {
    const Scratch scratch;
    StopFlag stop{false};
    std::size_t left = piece;
    Pieces pieces{.bytes = bytes, .piece = 1'024, .before_piece = [&] {
                    if (--left == 0) stop = true;
                  }};
    const auto unpacked = scratch.unpack(pieces.next(), {}, stop);
    CHECK(code_of(unpacked) == ErrorCode::overloaded);
    CHECK(unpacked.error().detail.starts_with("The daemon is shutting down."));
    CHECK(scratch.names().empty());
  }
}

TEST_CASE("a long compressed piece does not delay the end of the daemon") {
  const Scratch scratch;
  StopFlag stop{false};
  Pieces pieces{.bytes = zstd(std::string(64u << 20, '\0')), .piece = 1u << 20, .before_piece = [&] { stop = true; }};
  CHECK(code_of(scratch.unpack(pieces.next(), {}, stop)) == ErrorCode::overloaded);
}

}  // namespace
}  // namespace sa::tar_test
