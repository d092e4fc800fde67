#include "base/utf8.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "base/json_scan.h"

namespace sa {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

// Every scalar value has exactly one well-formed spelling; this is the textbook encoder.
std::string encode(std::uint32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST_CASE("every code point but the surrogates is well-formed") {
  for (std::uint32_t code = 0; code < 0x120000; code += code < 0x11000 ? 1 : 61) {
    const std::string bytes = encode(code);
    const bool scalar = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
    if (utf8_sequence(bytes) != (scalar ? bytes.size() : 0)) FAIL_CHECK("code point ", code);
    if (is_utf8(bytes) != scalar) FAIL_CHECK("code point ", code);
  }
  CHECK(utf8_sequence("\xF4\x8F\xBF\xBF") == 4);
  CHECK(utf8_sequence("\xF4\x90\x80\x80") == 0);
}

TEST_CASE("a sequence is measured at the start, whatever follows") {
  CHECK(utf8_sequence("") == 0);
  CHECK(utf8_sequence("a\xFF") == 1);
  CHECK(utf8_sequence("\0"sv) == 1);
  CHECK(utf8_sequence("é\xFF") == 2);
  CHECK(utf8_sequence("€x") == 3);
  CHECK(utf8_sequence("😀😀") == 4);
}

TEST_CASE("malformed bytes are not UTF-8 wherever they stand") {
  const std::string_view malformed[] = {
      "\x80",                      // a continuation alone
      "\xBF\xBF",                  //
      "\xC3",                      // truncated
      "\xE2\x82",                  //
      "\xF0\x9F\x98",              //
      "\xC3\x28",                  // the second byte is none
      "\xE2\x28\xA1",              //
      "\xE2\x82\x28",              //
      "\xF0\x9F\x98\x28",          //
      "\xC0\x80",                  // overlong
      "\xC1\xBF",                  //
      "\xE0\x9F\xBF",              //
      "\xF0\x8F\xBF\xBF",          //
      "\xED\xA0\x80",              // surrogates
      "\xED\xBF\xBF",              //
      "\xF4\x90\x80\x80",          // above U+10FFFF
      "\xF5\x80\x80\x80",          //
      "\xF8\x88\x80\x80\x80",      //
      "\xFC\x84\x80\x80\x80\x80",  //
      "\xFE",
      "\xFF",
      "\xFF\xFE\x00",  //
  };
  for (const std::string_view bytes : malformed) {
    CAPTURE(bytes.size());
    CHECK(utf8_sequence(bytes) == 0);
    for (std::size_t before = 0; before < 20; ++before) {
      for (const std::size_t after : {0uz, 1uz, 9uz, 17uz}) {
        if (is_utf8(std::string(before, 'x').append(bytes).append(after, 'y'))) FAIL_CHECK("accepted after ", before);
      }
    }
  }
}

TEST_CASE("text of any length and mixture is UTF-8") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("\0\x01\x7F"sv));
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += std::string_view("plain ascii of some length").substr(0, static_cast<std::size_t>(i) % 26);
    text += i % 3 == 0 ? "é" : i % 3 == 1 ? "中文" : "😀";
    if (!is_utf8(text)) FAIL_CHECK("refused after ", i);
  }
}

TEST_CASE("repair leaves good text alone and marks every malformed byte") {
  CHECK(repair_utf8("", kNoLimit) == "");
  CHECK(repair_utf8("plain, é, 中, 😀", kNoLimit) == "plain, é, 中, 😀");
  CHECK(repair_utf8("a\xFF"
                    "b",
                    kNoLimit) == "a\uFFFDb");
  CHECK(repair_utf8("\xC0\x80", kNoLimit) == "\uFFFD\uFFFD");
  CHECK(repair_utf8("caf\xC3", kNoLimit) == "caf\uFFFD");
  CHECK(repair_utf8("\xED\xA0\x80!", kNoLimit) == "\uFFFD\uFFFD\uFFFD!");
  CHECK(repair_utf8("\0x"sv, kNoLimit) == "\0x"sv);
}

TEST_CASE("repaired text is cut between characters") {
  CHECK(repair_utf8("abc", 0) == "");
  CHECK(repair_utf8("abc", 2) == "ab");
  CHECK(repair_utf8("abc", 3) == "abc");
  CHECK(repair_utf8("a€b", 3) == "a");
  CHECK(repair_utf8("a€b", 4) == "a€");
  CHECK(repair_utf8("\xFF\xFF", 5) == "\uFFFD");
  CHECK(repair_utf8("😀", 3) == "");

  std::string every_byte;
  for (int i = 0; i < 1024; ++i) every_byte += static_cast<char>(i * 37);
  for (std::size_t limit = 0; limit < 1024; ++limit) {
    const std::string repaired = repair_utf8(every_byte, limit);
    if (repaired.size() > limit || repaired.size() + 4 < limit || !is_utf8(repaired)) FAIL_CHECK("limit ", limit);
  }
}

TEST_CASE("printable text holds no control character and no malformed byte") {
  CHECK(is_printable_utf8(""));
  CHECK(is_printable_utf8("Demo agent 1.0 ~ é 中 😀"));
  CHECK(is_printable_utf8("\u00A0"));
  CHECK(is_printable_utf8("\u0100"));
  CHECK_FALSE(is_printable_utf8("tab\t"));
  CHECK_FALSE(is_printable_utf8("line\n"));
  CHECK_FALSE(is_printable_utf8("nul\0"sv));
  CHECK_FALSE(is_printable_utf8("\x1B[31m"));
  CHECK_FALSE(is_printable_utf8("\x7F"));
  CHECK_FALSE(is_printable_utf8("\xC2\x80"));
  CHECK_FALSE(is_printable_utf8("\xC2\x9F"));
  CHECK_FALSE(is_printable_utf8("\xC2"));
  CHECK_FALSE(is_printable_utf8("ok\xFF"));
}

TEST_CASE("a JSON string escapes quotes, backslashes and control characters and nothing else") {
  CHECK(json_string("") == R"("")");
  CHECK(json_string("plain / é 中 😀 \x7F") == "\"plain / é 中 😀 \x7F\"");
  CHECK(json_string(R"(say "C:\dir")") == R"("say \"C:\\dir\"")");
  CHECK(json_string("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json_string("\0\x01\x1F"sv) == R"("\u0000\u0001\u001f")");

  std::string out = "{\"raw\":";
  append_json_string(out, "x");
  CHECK(out == R"({"raw":"x")");
}

TEST_CASE("blank is nothing but blanks, tabs and line breaks") {
  CHECK(is_blank(""));
  CHECK(is_blank(" \t\r\n"));
  CHECK_FALSE(is_blank("  x "));
  CHECK_FALSE(is_blank("\0"sv));
}

TEST_CASE("every character makes a valid JSON string") {
  std::string all;
  for (std::uint32_t code = 0; code < 0x3000; ++code) {
    if (code < 0xD800 || code > 0xDFFF) all += encode(code);
  }
  const JsonScan scan = scan_json(json_string(all));
  CHECK(scan.kind == JsonKind::string);
}

}  // namespace sa
