#include "base/json_scan.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace sa {
namespace {

using namespace std::string_view_literals;

std::string repeat(std::string_view piece, std::size_t count) {
  std::string out;
  out.reserve(piece.size() * count);
  while (count-- > 0) out += piece;
  return out;
}

}  // namespace

TEST_CASE("valid documents have the kind of their value") {
  const std::map<JsonKind, std::vector<std::string_view>> documents = {
      {JsonKind::object, {"{}", "\t{\r\n}\n", R"({"a":{"a":{"a":[[[]]]}}})", R"({"":0})", R"({"a":1,"a":1})"}},
      {JsonKind::array, {"[]", " [ ] ", R"([null,true,false,1,"",[],{}])", "[0,-1,2.5]", R"(["a,b]","{"])"}},
      {JsonKind::null, {"null", "\nnull"}},
      {JsonKind::boolean, {"true", " false "}},
      {JsonKind::number,
       {"0", "-0", "-0.0e-0", "10", "-123.456", "1e5", "1E+05", "1.000000000000000000000000000000000000001e-1",
        "123456789012345678901234567890", "1e999999999999999999999"}},
      {JsonKind::string,
       {R"("")", R"("\"\\\/\b\f\n\r\t")", R"("\u0000\uABCD\uabcd\u12aF")", R"("\ud83d\ude00")", R"("\ud83d")",
        R"("\ude00\ud83d")", R"("\uDEAD x")", "\"\x7F\"", "\"é€😀\"", "\"\xF4\x8F\xBF\xBF\xEF\xBF\xBF\"",
        "\"\u2028\u2029\uFEFF\"", R"("/*not a comment*/")"}},
  };
  for (const auto& [kind, texts] : documents) {
    for (const std::string_view text : texts) {
      CAPTURE(text);
      const JsonScan scan = scan_json(text);
      CHECK(scan.kind == kind);
      CHECK(scan.error == nullptr);
    }
  }
}

TEST_CASE("invalid documents are refused with a reason and its place") {
  const struct {
    std::string_view text;
    std::size_t at;
    std::string_view reason;
  } documents[] = {
      {"", 0, "unexpected end"},
      {"  ", 2, "unexpected end"},
      {"\xEF\xBB\xBF{}", 0, "expected a value"},
      {"\0"sv, 0, "expected a value"},
      {"{}\0"sv, 2, "unexpected bytes after the value"},
      {"{}{}", 2, "unexpected bytes after the value"},
      {"1 2", 2, "unexpected bytes after the value"},
      {"{} x", 3, "unexpected bytes after the value"},
      {"[]]", 2, "unexpected bytes after the value"},
      {"\"a\"b", 3, "unexpected bytes after the value"},
      {"\f1", 0, "expected a value"},
      {"\xC2\xA0[]", 0, "expected a value"},
      {"//x\n1", 0, "expected a value"},
      {"1/**/", 1, "unexpected bytes after the value"},
      {"'a'", 0, "expected a value"},
      {"NaN", 0, "expected a value"},
      {"Infinity", 0, "expected a value"},
      {"undefined", 0, "expected a value"},
      // literals
      {"nul", 3, "unexpected end"},
      {"nulL", 3, "bad literal"},
      {"truE", 3, "bad literal"},
      {"flase", 1, "bad literal"},
      {"nulll", 4, "unexpected bytes after the value"},
      {"True", 0, "expected a value"},
      // numbers
      {"-", 1, "unexpected end"},
      {"[-]", 2, "expected a digit"},
      {"+1", 0, "expected a value"},
      {".5", 0, "expected a value"},
      {"-.5", 1, "expected a digit"},
      {"1.", 2, "unexpected end"},
      {"[1.]", 3, "expected a digit"},
      {"1.e5", 2, "expected a digit"},
      {"1e", 2, "unexpected end"},
      {"[1e]", 3, "expected a digit"},
      {"1e+", 3, "unexpected end"},
      {"1E-x", 3, "expected a digit"},
      {"1e1.5", 3, "unexpected bytes after the value"},
      {"01", 1, "unexpected bytes after the value"},
      {"-01", 2, "unexpected bytes after the value"},
      {"00", 1, "unexpected bytes after the value"},
      {"[012]", 2, "expected ',' or ']'"},
      {"--1", 1, "expected a digit"},
      {"-Infinity", 1, "expected a digit"},
      {"0x1F", 1, "unexpected bytes after the value"},
      {"1_000", 1, "unexpected bytes after the value"},
      {"1.2.3", 3, "unexpected bytes after the value"},
      {"1\xEF\xBC\x91", 1, "unexpected bytes after the value"},
      // arrays
      {"[", 1, "unexpected end"},
      {"]", 0, "expected a value"},
      {"[1", 2, "unexpected end"},
      {"[1,", 3, "unexpected end"},
      {"[1,]", 3, "expected a value"},
      {"[,1]", 1, "expected a value"},
      {"[,]", 1, "expected a value"},
      {"[1,,2]", 3, "expected a value"},
      {"[1 2]", 3, "expected ',' or ']'"},
      {"[1}", 2, "expected ',' or ']'"},
      {"[}", 1, "expected a value"},
      {"[\"a\":1]", 4, "expected ',' or ']'"},
      {"[1:2]", 2, "expected ',' or ']'"},
      {"[[1]", 4, "unexpected end"},
      {"[\v1]", 1, "expected a value"},
      // objects
      {"{", 1, "unexpected end"},
      {"}", 0, "expected a value"},
      {"{]", 1, "expected a key"},
      {"{\"a\"", 4, "unexpected end"},
      {"{\"a\":", 5, "unexpected end"},
      {"{\"a\":1", 6, "unexpected end"},
      {"{\"a\":1,", 7, "unexpected end"},
      {"{\"a\"}", 4, "expected ':'"},
      {"{\"a\":}", 5, "expected a value"},
      {"{\"a\":1,}", 7, "expected a key"},
      {"{,}", 1, "expected a key"},
      {"{\"a\":1,,}", 7, "expected a key"},
      {"{\"a\":1 \"b\":2}", 7, "expected ',' or '}'"},
      {"{\"a\":1]", 6, "expected ',' or '}'"},
      {"{\"a\",1}", 4, "expected ':'"},
      {"{\"a\"::1}", 5, "expected a value"},
      {"{a:1}", 1, "expected a key"},
      {"{'a':1}", 1, "expected a key"},
      {"{1:1}", 1, "expected a key"},
      {"{null:1}", 1, "expected a key"},
      {"{\"a\":[1}", 7, "expected ',' or ']'"},
      // strings
      {"\"", 1, "unexpected end"},
      {"\"abc", 4, "unexpected end"},
      {"\"a\\\"", 4, "unexpected end"},
      {"\"\\", 2, "unexpected end"},
      {"\"\\u12", 5, "unexpected end"},
      {"\"\\x41\"", 2, "bad escape"},
      {"\"\\a\"", 2, "bad escape"},
      {"\"\\'\"", 2, "bad escape"},
      {"\"\\\0\""sv, 2, "bad escape"},
      {"\"\\U0041\"", 2, "bad escape"},
      {"\"\\u\"", 3, "bad escape"},
      {"\"\\u123\"", 6, "bad escape"},
      {"\"\\u12G4\"", 5, "bad escape"},
      {"\"\\u+123\"", 3, "bad escape"},
      {"\"\\u00\xC3\xA9\"", 5, "bad escape"},
      {"\"\\u\x10\x11\x12\x13\"", 3, "bad escape"},
      {"\"\\\n\"", 2, "bad escape"},
      {"\"a\nb\"", 2, "control character in string"},
      {"\"a\tb\"", 2, "control character in string"},
      {"\"\0\""sv, 1, "control character in string"},
      {"\"\x1F\"", 1, "control character in string"},
      {"{\"a\n\":1}", 3, "control character in string"},
      {"\"\x80\"", 1, "invalid UTF-8"},
      {"\"\xC3\"", 1, "invalid UTF-8"},
      {"\"\xC3", 1, "invalid UTF-8"},
      {"\"\xC0\x80\"", 1, "invalid UTF-8"},
      {"\"é\xE9\"", 3, "invalid UTF-8"},
      {"\"\xED\xA0\x80\"", 1, "invalid UTF-8"},
      {"\"\xF4\x90\x80\x80\"", 1, "invalid UTF-8"},
      {"\"\xFF\"", 1, "invalid UTF-8"},
      {"{\"\xFF\":1}", 2, "invalid UTF-8"},
  };
  for (const auto& [text, at, reason] : documents) {
    CAPTURE(text);
    const JsonScan scan = scan_json(text);
    CHECK(scan.kind == JsonKind::invalid);
    REQUIRE(scan.error != nullptr);
    CHECK(scan.error == reason);
    CHECK(scan.error_at == at);
  }
}

TEST_CASE("no proper prefix of an object is valid") {
  const std::string text = R"({"id":1.5e3,"method":"a\u00e9é😀","params":{"sessionId":"s","x":[true,null,{}]}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    CHECK(scan_json(text.substr(0, length)).kind == JsonKind::invalid);
  }
  CHECK(scan_json(text).kind == JsonKind::object);
}

TEST_CASE("a special byte is seen at every offset of a long string") {
  for (std::size_t before = 0; before < 40; ++before) {
    for (const std::size_t after : {0uz, 3uz, 40uz}) {
      const auto kind_with = [&](std::string_view middle) {
        return scan_json("\"" + repeat("x", before) + std::string(middle) + repeat("y", after) + "\"").kind;
      };
      for (const std::string_view good : {"", "\\n", "\\u00e9", "é", "😀", " ", "!", "#", "[", "]", "~", "\x7F"}) {
        if (kind_with(good) != JsonKind::string) FAIL_CHECK("refused ", good, " after ", before);
      }
      for (const std::string_view bad : {"\x1F"sv, "\0"sv, "\n"sv, "\x80"sv, "\xFF"sv, "\""sv, "\\x"sv, "\xE2\x82"sv}) {
        if (kind_with(bad) != JsonKind::invalid) FAIL_CHECK("accepted a bad byte after ", before);
      }
    }
  }
}

TEST_CASE("the members of interest are shown as they are spelled") {
  const JsonScan request =
      scan_json(R"( { "jsonrpc":"2.0", "id" : 1.50e1 , "method":"session\/prompt","params":{"sessionId":"s-1"} } )");
  CHECK(request.kind == JsonKind::object);
  CHECK(request.members.id == "1.50e1");
  CHECK(request.members.method == R"("session\/prompt")");
  CHECK(request.members.result.empty());
  CHECK(request.members.error.empty());

  const JsonScan response = scan_json(R"({"id":"a","result":{ "sessionId" : "s\u0032" , "modes":[ ] }})");
  CHECK(response.members.id == R"("a")");
  CHECK(response.members.result == R"({ "sessionId" : "s\u0032" , "modes":[ ] })");
  CHECK(response.members.method.empty());

  const JsonScan failure = scan_json(R"({"error":{"code":-32601},"id":null})");
  CHECK(failure.members.error == R"({"code":-32601})");
  CHECK(failure.members.id == "null");
}

TEST_CASE("an id may be of any type") {
  for (const std::string_view id : {"null", "true", "0", "-1e400", "\"\"", "[]", "{}", "[1, {\"id\":2}]", "{\"id\":[3]}"}) {
    CAPTURE(id);
    CHECK(scan_json("{\"id\":" + std::string(id) + "}").members.id == id);
    CHECK(scan_json("{\"id\" : " + std::string(id) + " , \"x\":0}").members.id == id);
  }
}

TEST_CASE("only the top level counts, and only in an object") {
  CHECK(scan_json(R"({"params":{"id":1,"method":"x","result":2,"error":3}})").members.id.empty());
  CHECK(scan_json(R"({"params":{"id":1,"method":"x"}})").members.method.empty());
  CHECK(scan_json(R"([{"id":1,"method":"x"}])").members.id.empty());
  CHECK(scan_json(R"([{"id":1,"method":"x"}])").members.method.empty());
  CHECK(scan_json(R"({"result":{"id":1},"id":2})").members.id == "2");
  CHECK(scan_json(R"({"id":2,"result":[{"id":1}]})").members.id == "2");
  CHECK(scan_json(R"(["id","method"])").members.id.empty());
  CHECK(scan_json(R"({"x":"id","y":"method"})").members.id.empty());
}

TEST_CASE("of duplicate members the last counts, whatever its spelling") {
  CHECK(scan_json(R"({"id":1,"id":2})").members.id == "2");
  CHECK(scan_json(R"({"id":1,"i\u0064":2})").members.id == "2");
  CHECK(scan_json(R"({"\u0069\u0064":1,"id":[2]})").members.id == "[2]");
}

TEST_CASE("an escaped spelling of a key counts") {
  CHECK(scan_json(R"({"\u006dethod":"x"})").members.method == R"("x")");
  CHECK(scan_json(R"({"metho\u0064":"x"})").members.method == R"("x")");
  CHECK(scan_json(R"({"\u006D\u0065\u0074\u0068\u006F\u0064":"x"})").members.method == R"("x")");
  CHECK(scan_json(R"({"r\u0065sult":1})").members.result == "1");
  CHECK(scan_json(R"({"erro\u0072":1})").members.error == "1");
}

TEST_CASE("a key that only resembles a member does not count") {
  for (const std::string_view key :
       {"Id", "ID", "id ", " id", "i", "idx", R"(id\u0000)", R"(\u0000id)", R"(\u0169d)", R"(i\u0044)", R"(\id)", R"(i\/d)",
        R"(\\u0069d)", R"(\u0069)", R"(\u0069\u0064\u0064)", R"(i\n)", R"(\ud800id)", R"(i\u6400)", ""}) {
    CAPTURE(key);
    CHECK(scan_json("{\"" + std::string(key) + "\":1}").members.id.empty());
  }
}

TEST_CASE("an invalid document shows no members") {
  const JsonScan scan = scan_json(R"({"id":1,"method":"x","params":{"sessionId":"s"})");
  CHECK(scan.kind == JsonKind::invalid);
  CHECK(scan.members.id.empty());
  CHECK(scan.members.method.empty());
}

TEST_CASE("raw line ends between tokens are noticed, escaped ones and other blanks are not") {
  for (const std::string_view text :
       {"\n{}", "{}\n", "{\r}", "[1,\n2]", "[1\n,2]", "{\"a\"\n:1}", "{\"a\":\r1}", "{\"a\":1\n}"}) {
    CAPTURE(text);
    CHECK(scan_json(text).kind != JsonKind::invalid);
    CHECK(scan_json(text).has_newline);
  }
  for (const std::string_view text : {"{}", " { }\t", R"(["\n\r"])", R"(["\u000a"])", "[1, 2]"}) {
    CAPTURE(text);
    CHECK(scan_json(text).kind != JsonKind::invalid);
    CHECK_FALSE(scan_json(text).has_newline);
  }
}

TEST_CASE("nesting is limited by nothing but the input") {
  constexpr std::size_t kDeep = 1'000'000;
  CHECK(scan_json(repeat("[", kDeep)).error == "unexpected end"sv);
  CHECK(scan_json(repeat("[", kDeep) + repeat("]", kDeep)).kind == JsonKind::array);
  CHECK(scan_json(repeat("[", kDeep) + repeat("]", kDeep - 1) + "}").error_at == 2 * kDeep - 1);
  CHECK(scan_json(repeat("{\"a\":", kDeep / 8) + "0" + repeat("}", kDeep / 8)).kind == JsonKind::object);

  const std::string deep = repeat("[", kDeep / 8) + repeat("]", kDeep / 8);
  CHECK(scan_json("{\"id\":" + deep + ",\"method\":1}").members.id == deep);
}

TEST_CASE("every bracket closes its own kind at any depth") {
  for (const std::size_t depth : {1uz, 2uz, 63uz, 64uz, 65uz, 128uz, 129uz, 4095uz, 4096uz, 4097uz, 4160uz, 4161uz, 9000uz}) {
    CAPTURE(depth);
    std::mt19937 random(static_cast<unsigned>(depth));
    std::string open, close;
    for (std::size_t i = 0; i < depth; ++i) {
      const bool object = random() % 2 == 0;
      open += object ? "{\"k\":" : "[";
      close.insert(0, 1, object ? '}' : ']');
    }
    open += '1';
    CHECK(scan_json(open + close).error == nullptr);
    const std::size_t wrong = random() % depth;
    close[wrong] = close[wrong] == '}' ? ']' : '}';
    CHECK(scan_json(open + close).error_at == open.size() + wrong);
  }
}

}  // namespace sa
