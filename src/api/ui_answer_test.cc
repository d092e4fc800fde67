#include "api/ui_answer.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>

namespace sa {
namespace {

// "hello, hello, hello" as gzip packs it.
constexpr char packed_text[] = {31,  -117, 8,   0,  0,   0, 0,   0,   2,   3, -53, 72, -51, -55, -55,
                                -41, 81,   -56, 64, -94, 0, -97, -95, -54, 9, 19,  0,  0,   0};
constexpr std::string_view packed{packed_text, sizeof packed_text};
constexpr std::string_view plain = "hello, hello, hello";

constexpr UiFile page[] = {
    {"assets/a-1.js", "text/javascript; charset=utf-8", "\"a\"", "\"a-gzip\"", packed, plain.size(), true},
    {"index.html", "text/html; charset=utf-8", "\"i\"", "\"i-gzip\"", packed, plain.size(), false},
};

Response get(std::string_view path, std::vector<Header> headers = {}, std::span<const UiFile> files = page) {
  Request request;
  request.method = "GET";
  request.path = path;
  request.headers = std::move(headers);
  return ui_answer(files, path, request);
}

std::string body_of(const Response& response) {
  if (const auto* text = std::get_if<std::string>(&response.body)) return *text;
  if (const auto* shared = std::get_if<SharedBytes>(&response.body)) return std::string(shared->bytes);
  return "";
}

bool says(const Response& response, std::string_view line) {
  return response.headers.find(std::string(line) + "\r\n") != std::string::npos;
}

// The checksum that gzip keeps of what it packed.
std::uint32_t told_sum(std::string_view gzip) {
  std::uint32_t sum = 0;
  std::memcpy(&sum, gzip.data() + gzip.size() - 8, sizeof sum);
  return sum;
}

}  // namespace

TEST_CASE("gzip is chosen when it is liked at least as much as plain bytes") {
  for (const char* value : {"gzip", "GZIP", "deflate, gzip;q=0.5, br", "gzip;q=0.001", "*", "*;q=0.5", "gzip, identity",
                            "identity;q=0.5, gzip", "gzip ; q=1.0", "identity;q=0, *", "br;q=0, gzip"})
    CHECK_MESSAGE(prefers_gzip(value), value);
  for (const char* value : {"", " ", "identity", "br", "gzip;q=0", "gzip;q=0.000", "gzip;q=0, *", "*;q=0",
                            "gzip;q=0.5, identity", "gzip;q=0.4, *;q=0.5", "gzipped", "gzip;q=x"})
    CHECK_FALSE_MESSAGE(prefers_gzip(value), value);
}

TEST_CASE("a file is sent as it lies in the binary to who takes gzip, and unpacked to the others") {
  const Response as_it_is = get("assets/a-1.js", {{"accept-encoding", "br"}, {"Accept-Encoding", "gzip"}});
  CHECK(as_it_is.content_type == "text/javascript; charset=utf-8");
  CHECK(says(as_it_is, "content-encoding: gzip"));
  CHECK(says(as_it_is, "etag: \"a-gzip\""));
  CHECK(std::get<SharedBytes>(as_it_is.body).bytes.data() == packed.data());

  const Response opened = get("assets/a-1.js");
  CHECK(opened.headers.find("content-encoding") == std::string::npos);
  CHECK(says(opened, "etag: \"a\""));
  CHECK(body_of(opened) == plain);
  for (const Response* response : {&as_it_is, &opened}) CHECK(says(*response, "vary: Accept-Encoding"));
}

TEST_CASE("what changes its name with its content is kept for good, the rest is asked for again") {
  CHECK(says(get("assets/a-1.js"), "cache-control: public, max-age=31536000, immutable"));
  CHECK(says(get("index.html"), "cache-control: no-cache"));
}

TEST_CASE("a copy that is still good is not sent again") {
  for (const char* copies : {"\"i\"", "W/\"i\"", "\"x\", \"i\"", "*"}) {
    const Response same = get("index.html", {{"if-none-match", copies}});
    CHECK(same.status == 304);
    CHECK(body_of(same).empty());
    CHECK(same.content_type.empty());
    CHECK(says(same, "etag: \"i\""));
    CHECK(says(same, "cache-control: no-cache"));
    CHECK(says(same, "vary: Accept-Encoding"));
  }
  CHECK(get("index.html", {{"if-none-match", "\"i-gzip\""}}).status == 200);  // the copy is packed, but gzip is not taken now
  CHECK(get("index.html", {{"if-none-match", "\"i-gzip\""}, {"accept-encoding", "gzip"}}).status == 304);
  CHECK(get("index.html", {{"if-modified-since", "Thu, 01 Jan 2026 00:00:00 GMT"}}).status == 200);
}

TEST_CASE("a place within the page is the page, and only files can be missing") {
  for (const char* place : {"", "index.html", "s/a b/c", "trace/x", "assets", "nothing.js", "../index.html"}) {
    const Response response = get(place);
    CHECK_MESSAGE(response.status == 200, place);
    CHECK(response.content_type == "text/html; charset=utf-8");
    CHECK(body_of(response) == plain);
  }
  for (const char* missing : {"assets/", "assets/a-2.js", "assets/../index.html"}) {
    const Response response = get(missing);
    CHECK_MESSAGE(response.status == 404, missing);
    CHECK(response.content_type == "application/problem+json");
    CHECK(says(response, "cache-control: no-store"));
  }
}

TEST_CASE("every answer is guarded") {
  const Response answers[] = {get(""),         get("assets/a-1.js"), get("assets/no.js"), get("", {{"if-none-match", "*"}}),
                              get("", {}, {}), ui_redirect()};
  for (const Response& response : answers) {
    CHECK(says(response,
               "content-security-policy: default-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
               "object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"));
    CHECK(says(response, "referrer-policy: no-referrer"));
    CHECK(says(response, "x-content-type-options: nosniff"));
  }
}

TEST_CASE("a build without the page says so at every place below /ui/") {
  for (const char* place : {"", "s/a/b", "assets/a-1.js"}) {
    const Response response = get(place, {{"accept-encoding", "gzip"}}, {});
    CHECK(response.status == 200);
    CHECK(response.content_type == "text/html; charset=utf-8");
    CHECK(body_of(response).find("This build has no inspector page.") != std::string::npos);
    CHECK(body_of(response).find("/v1/health") != std::string::npos);
  }
}

TEST_CASE("every file in this binary can be unpacked, and the page is among them if there are any") {
  bool has_page = ui_files().empty();
  for (const UiFile& file : ui_files()) {
    const std::string bytes = unpacked(file);
    const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    CHECK_MESSAGE(sum == told_sum(file.gzip), file.path);
    CHECK(file.etag != file.gzip_etag);
    CHECK(file.immutable == file.path.starts_with("assets/"));
    has_page = has_page || file.path == "index.html";
  }
  CHECK(has_page);
}

}  // namespace sa
