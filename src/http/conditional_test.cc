#include "http/conditional.h"

#include <doctest/doctest.h>

#include "http/http_date.h"

namespace sa {
namespace {

const Version version{"\"v1\"", 1'794'739'720};  // Sun, 15 Nov 2026 10:48:40 GMT

Request with(std::vector<Header> headers) {
  Request request;
  request.headers = std::move(headers);
  return request;
}

std::string part(std::string_view range, std::uint64_t size = 100) {
  const PartWanted wanted = part_wanted(with({{"Range", range}}), version, size);
  if (wanted.kind == PartWanted::Kind::whole) return "whole";
  if (wanted.kind == PartWanted::Kind::nothing) return "nothing";
  return std::to_string(wanted.first) + "+" + std::to_string(wanted.length);
}

}  // namespace

TEST_CASE("a list of entity tags is compared tag by tag") {
  CHECK(lists_etag("\"v1\"", "\"v1\"", Comparison::strong));
  CHECK(lists_etag("\"a\", \"v1\" ,\"b\"", "\"v1\"", Comparison::strong));
  CHECK(lists_etag(" * ", "\"v1\"", Comparison::strong));
  CHECK(lists_etag("W/\"v1\"", "\"v1\"", Comparison::weak));
  CHECK(!lists_etag("W/\"v1\"", "\"v1\"", Comparison::strong));
  CHECK(!lists_etag("\"v2\"", "\"v1\"", Comparison::weak));
  CHECK(!lists_etag("\"x,\"v1\"\"", "\"v1\"", Comparison::weak));
  for (const std::string_view broken : {"", "v1", "\"v1", "W/", "W/v1", ",,,", "\""})
    CHECK(!lists_etag(broken, "\"v1\"", Comparison::weak));
}

TEST_CASE("a copy is still good by its tag, or else by its date") {
  CHECK(is_unchanged(with({{"If-None-Match", "W/\"v1\""}}), version));
  CHECK(!is_unchanged(with({{"If-None-Match", "\"v0\""}, {"If-Modified-Since", "Sun, 15 Nov 2026 10:48:40 GMT"}}), version));
  CHECK(is_unchanged(with({{"If-Modified-Since", "Sun, 15 Nov 2026 10:48:40 GMT"}}), version));
  CHECK(!is_unchanged(with({{"If-Modified-Since", "Sun, 15 Nov 2026 10:48:39 GMT"}}), version));
  CHECK(!is_unchanged(with({{"If-Modified-Since", "yesterday"}}), version));
  CHECK(!is_unchanged(with({}), version));
}

TEST_CASE("a date proves nothing as long as another version may come to bear it") {
  const Version fresh{"\"v1\"", version.modified, false};
  const std::string_view date = "Sun, 15 Nov 2026 10:48:40 GMT";
  CHECK(!is_unchanged(with({{"If-Modified-Since", date}}), fresh));
  CHECK(part_wanted(with({{"Range", "bytes=0-1"}, {"If-Range", date}}), fresh, 100).kind == PartWanted::Kind::whole);
  CHECK(is_version_meant(with({{"If-Unmodified-Since", date}}), fresh));
  CHECK(is_unchanged(with({{"If-None-Match", "\"v1\""}}), fresh));
  CHECK(part_wanted(with({{"Range", "bytes=0-1"}, {"If-Range", "\"v1\""}}), fresh, 100).kind == PartWanted::Kind::part);
}

TEST_CASE("only the version that is meant is given") {
  CHECK(is_version_meant(with({}), version));
  CHECK(is_version_meant(with({{"If-Match", "\"v0\", \"v1\""}}), version));
  CHECK(!is_version_meant(with({{"If-Match", "W/\"v1\""}}), version));
  CHECK(!is_version_meant(with({{"If-Unmodified-Since", "Sun, 15 Nov 2026 10:48:39 GMT"}}), version));
}

TEST_CASE("one range of bytes is understood in its three forms") {
  CHECK(part("bytes=0-9") == "0+10");
  CHECK(part("bytes=90-") == "90+10");
  CHECK(part("bytes=-10") == "90+10");
  CHECK(part("Bytes= 5 - 6 ") == "5+2");
  CHECK(part("bytes=0-0") == "0+1");
  CHECK(part("bytes=99-99999999999999999999999") == "99+1");
  CHECK(part("bytes=-500") == "0+100");
}

TEST_CASE("a range outside is nothing; what is no single range means the whole") {
  CHECK(part("bytes=100-") == "nothing");
  CHECK(part("bytes=-0") == "nothing");
  CHECK(part("bytes=0-", 0) == "nothing");
  CHECK(part("bytes=-5", 0) == "nothing");
  for (const char* other :
       {"bytes=5-4", "bytes=", "bytes=-", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes 1-2", "", "bytes=+1-2"})
    CHECK_MESSAGE(part(other) == "whole", other);
}

TEST_CASE("If-Range makes a range depend on the version") {
  auto kind = [](std::string_view if_range) {
    return part_wanted(with({{"Range", "bytes=0-1"}, {"If-Range", if_range}}), version, 100).kind;
  };
  CHECK(kind("\"v1\"") == PartWanted::Kind::part);
  CHECK(kind("W/\"v1\"") == PartWanted::Kind::whole);
  CHECK(kind("\"v0\"") == PartWanted::Kind::whole);
  CHECK(kind("Sun, 15 Nov 2026 10:48:40 GMT") == PartWanted::Kind::part);
  CHECK(kind("Sun, 15 Nov 2026 10:48:41 GMT") == PartWanted::Kind::whole);
}

TEST_CASE("dates are written and read as HTTP has them, and nothing else is taken for one") {
  CHECK(http_date(1'794'739'720) == "Sun, 15 Nov 2026 10:48:40 GMT");
  CHECK(parse_http_date("Sun, 15 Nov 2026 10:48:40 GMT") == 1'794'739'720);
  for (const char* other : {"", "Mon, 15 Nov 2026 10:48:40 GMT", "Sun, 15 Nov 2026 10:48:40 CET", "2026-11-15",
                            "Sun, 31 Feb 2026 10:48:40 GMT", "Sun, 15 Nov 2026 10:48:40 GMT "})
    CHECK_MESSAGE(!parse_http_date(other), other);
}

}  // namespace sa
