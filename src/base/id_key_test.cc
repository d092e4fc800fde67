#include "base/id_key.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

#include "base/json_scan.h"

namespace sa {
namespace {

std::string zeros(std::size_t count) { return std::string(count, '0'); }

// `digits` times ten to the `exponent`, spelled with the point, the padding and the exponent in a random place.
std::string random_spelling(std::mt19937& random, const std::string& digits, int exponent) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const auto size = static_cast<int>(digits.size());
  const int integer_digits = pick(-3, size + 3);  // how many digits stand before the point
  std::string text;
  if (integer_digits <= 0) {
    text = "0." + zeros(static_cast<std::size_t>(-integer_digits)) + digits;
  } else if (integer_digits >= size) {
    text = digits + zeros(static_cast<std::size_t>(integer_digits - size));
  } else {
    text = digits.substr(0, static_cast<std::size_t>(integer_digits)) + "." +
           digits.substr(static_cast<std::size_t>(integer_digits));
  }
  const bool has_point = text.find('.') != text.npos;
  if (pick(0, 1)) text += (has_point ? "" : ".") + zeros(static_cast<std::size_t>(pick(1, 4)));
  const int power = exponent + size - integer_digits;
  if (power == 0 && pick(0, 1)) return text;
  text += pick(0, 1) ? "e" : "E";
  text += power < 0 ? "-" : pick(0, 1) ? "+" : "";
  return text + zeros(static_cast<std::size_t>(pick(0, 3))) + std::to_string(std::abs(power));
}

}  // namespace

TEST_CASE("the same id in another spelling has the same key, another id has another") {
  const std::string z18 = zeros(18);
  const std::string nines(18, '9');
  // Each row is one value.
  const std::vector<std::vector<std::string>> values = {
      {"null"},
      {"true"},
      {"false"},
      // numbers
      {"0", "-0", "0.0", "0.000", "-0.0", "0e7", "0E-7", "0e0", "-0.00e+99", "0e99999999999999999999999"},
      {"1", "1.0", "1.000", "1e0", "1E+0", "1e-0", "10e-1", "0.1e1", "0.001e3", "1000e-3", "1e000", "1.0e00"},
      {"-1", "-1.0", "-1e0", "-10e-1", "-0.1e1"},
      {"10", "1e1", "10.0", "1E+01", "100e-1", "0.01e3"},
      {"17", "17.0", "1.7e1", "170e-1", "0.17e2"},
      {"101", "1.01e2", "101.000"},
      {"1010", "1.01e3"},
      {"0.1", "1e-1", "0.10", "10e-2"},
      {"100000000000000000000000", "1e23", "1.0e23", "0.1e24"},
      {"100000000000000000000001"},
      {"9007199254740992", "9007199254740992.0", "9.007199254740992e15"},
      {"9007199254740993", "9007199254740993.0"},  // the same double as the one before
      {"9007199254740993.0000000000000000000000000001"},
      {"18446744073709551615"},
      {"18446744073709551616"},
      {"3.141592653589793238462643383279"},
      {"3.141592653589793238462643383278", "3.1415926535897932384626433832780"},
      {"1e999999999", "10e999999998", "0.1e1000000000", "1E+999999999", "1e00999999999"},
      {"1e999999998"},
      {"1e-999999999", "0.1e-999999998"},
      {"1e9223372036854775807", "10e9223372036854775806", "0.1e9223372036854775808"},
      {"1e9223372036854775808", "10e9223372036854775807"},
      {"1e-9223372036854775808", "0.1e-9223372036854775807", "10e-9223372036854775809"},
      {"1e" + nines, "0.1e1" + z18, "10e" + std::string(17, '9') + "8"},
      {"1e1" + z18, "10e" + nines, "0.01e1" + zeros(17) + "2", "1e+001" + z18},
      {"1e-1" + z18, "0.1e-" + nines, "10e-1" + zeros(17) + "1"},
      {"1e" + nines + nines, "0.1e1" + z18 + z18, "0.001e1" + z18 + zeros(17) + "2"},
      {"1e1" + z18 + z18, "10e" + nines + nines, "1000e" + nines + std::string(17, '9') + "7"},
      {"1e-1" + z18 + z18, "0.1e-" + nines + nines, "10e-1" + z18 + zeros(17) + "1"},
      // strings
      {R"("")"},
      {R"("1")", R"("\u0031")"},
      {R"("0")"},
      {R"("1.0")"},
      {R"("null")"},
      {R"("true")"},
      {R"("a")", R"("\u0061")"},
      {R"("A")", R"("\u0041")"},
      {R"("ab")", R"("\u0061b")", R"("a\u0062")", R"("\u0061\u0062")"},
      {R"(" a")", R"("\u0020a")"},
      {R"("#1")"},
      {R"("sa")"},
      {R"("\\u0061")", R"("\u005cu0061")", R"("\u005Cu0061")"},
      {R"("/")", R"("\/")", R"("\u002f")"},
      {R"("\"")", R"("\u0022")"},
      {R"("\\")", R"("\u005c")"},
      {R"("\b\f\n\r\t")", R"("\u0008\u000c\u000A\u000d\u0009")"},
      {R"("bfnrt")"},
      {R"("\u0000")"},
      {R"("\u0000\u0000")"},
      {R"("\u007f")", "\"\x7F\""},
      {R"("é")", R"("\u00e9")", R"("\u00E9")"},
      {R"("€")", R"("\u20ac")"},
      {R"("\uffff")", R"("\uFFFF")", "\"\uFFFF\""},
      {R"("😀")", R"("\ud83d\ude00")", R"("\uD83D\uDE00")"},
      {R"("𐀀")", R"("\ud800\udc00")"},
      {"\"\U0010FFFF\"", R"("\udbff\udfff")"},
      {R"("\ud83d")", R"("\uD83D")"},
      {R"("\ude00")"},
      {R"("\ude00\ud83d")"},
      {R"("\ud83d\ud83d\ude00")", R"("\ud83d😀")"},
      {R"("\ud83d\ud83d")"},
      {R"("\ud83d \ude00")"},
      {R"("\ud83dde00")"},
      {R"("\ud83d\n")"},
      {R"("\ufffd")", "\"\uFFFD\""},
      // containers
      {"[]", "[ ]", "[\n\t]"},
      {"{}", "{ }"},
      {"[1]", "[ 1 ]", "[\r\n1]"},
      {R"(["1"])"},
      {"[1,2]", "[1, 2]", " [ 1 ,\t2 ]"},
      {"[12]"},
      {"[[1],2]"},
      {R"({"a":"b c"})", R"({ "a" : "b c" })"},
      {R"({"a":"bc"})"},
      {R"({"a":"\" "})", R"({"a": "\" "})"},
      {R"({"a":"\\"})", R"({"a": "\\" })"},
      {R"({"a":"\"  "})"},
  };
  std::set<std::string> keys;
  for (const auto& spellings : values) {
    const std::string key = id_key(std::string_view(spellings[0]));
    CAPTURE(spellings[0]);
    CHECK_MESSAGE(keys.insert(key).second, "not distinct: ", key);
    for (const std::string& spelling : spellings) {
      CAPTURE(spelling);
      CHECK(scan_json(spelling).kind != JsonKind::invalid);
      CHECK(id_key(std::string_view(spelling).substr(spelling.find_first_not_of(' '))) == key);
    }
  }
}

TEST_CASE("any spelling of a random number has one key") {
  std::mt19937 random(20240611);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  std::set<std::string> keys, numbers;
  for (int round = 0; round < 600; ++round) {
    std::string digits = std::to_string(pick(1, 9));
    for (int more = pick(0, 25); more > 0; --more) digits += static_cast<char>('0' + pick(0, 9));
    if (digits.back() == '0') digits.back() = '7';
    const int exponent = pick(-12, 12);
    const std::string key = id_key(digits + "e" + std::to_string(exponent));
    keys.insert(key);
    numbers.insert(digits + "e" + std::to_string(exponent));
    for (int i = 0; i < 8; ++i) {
      const std::string spelling = random_spelling(random, digits, exponent);
      if (scan_json(spelling).kind != JsonKind::number) FAIL_CHECK("not a number: ", spelling);
      if (id_key(spelling) != key) FAIL_CHECK(spelling, " has the key ", id_key(spelling), " and not ", key);
      if (id_key("-" + spelling) == key) FAIL_CHECK("the sign of ", spelling, " is lost");
    }
  }
  CHECK(keys.size() == numbers.size());
}

TEST_CASE("a huge number costs its own length") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(id_key("1e999999999").size() < 20);
  CHECK(id_key("-1e-99999999999999999999").size() < 30);

  const std::string many = zeros(1'000'000);
  CHECK(id_key("1" + many) == id_key("1e1000000"));
  CHECK(id_key("0." + many + "1") == id_key("1e-1000001"));
  CHECK(id_key("1e" + many + "5") == id_key("100000"));
  CHECK(id_key("1" + many + "e-1000000") == id_key("1"));
  CHECK(id_key("10e" + std::string(1'000'000, '9')) == id_key("1e1" + many));
  CHECK(id_key("0.1e1" + many) == id_key("1e" + std::string(1'000'000, '9')));
  // Anything worse than linear takes minutes.
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

}  // namespace sa
