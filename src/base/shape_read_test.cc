#include "base/shape_read.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

enum class Fuel : std::uint8_t { wood, coal };

struct Lid {
  std::optional<std::string> colour;
};

struct Pot {
  std::string name;
  std::uint8_t litres = 0;
};

struct Stove {
  bool lit = false;
  Fuel fuel = Fuel::wood;
  std::int32_t height = 0;
  std::variant<std::string, std::vector<std::string>> owners;
  std::vector<Pot> pots;
  std::optional<std::map<std::string, std::string>> labels;
  std::optional<std::uint64_t> serial;
  std::optional<std::variant<bool, Lid>> lid;
};

}  // namespace

template <>
struct Words<Fuel> {
  static constexpr std::string_view all[] = {"wood", "coal"};
};
template <>
struct Shape<Lid> {
  static constexpr std::tuple fields{Field{"colour", &Lid::colour, ""}};
};
template <>
struct Shape<Pot> {
  static constexpr std::tuple fields{Field{"name", &Pot::name, ""}, Field{"litres", &Pot::litres, ""}};
};
template <>
struct Shape<Stove> {
  static constexpr std::tuple fields{
      Field{"isLit", &Stove::lit, ""},     Field{"fuel", &Stove::fuel, ""}, Field{"height", &Stove::height, ""},
      Field{"owners", &Stove::owners, ""}, Field{"pots", &Stove::pots, ""}, Field{"labels", &Stove::labels, ""},
      Field{"serial", &Stove::serial, ""}, Field{"lid", &Stove::lid, ""},
  };
  static constexpr FieldAlias aliases[] = {{"number", "serial"}, {"no", "serial"}, {"tall", "height"}};
};

namespace {

boost::json::object stove() {
  return boost::json::parse(R"({"isLit":true,"fuel":"coal","height":-3,"owners":"me","pots":[{"name":"a","litres":255}]})")
      .as_object();
}

// The stove with one member changed, read: how that fails, as "field: detail".
std::string complaint(std::string_view member, std::string_view text) {
  boost::json::object document = stove();
  document[member] = boost::json::parse(text);
  const auto result = from_json<Stove>(document);
  if (result) return "none";
  CHECK(result.error().code == ErrorCode::unprocessable);
  CHECK(result.error().extras.size() == 1);
  CHECK(result.error().extras[0].name == "field");
  return result.error().extras[0].json + ": " + result.error().detail;
}

}  // namespace

TEST_CASE("what is read from JSON is what is written as JSON") {
  for (
      const char* text : {
          R"({"isLit":true,"fuel":"coal","height":-2147483648,"owners":"me","pots":[]})",
          R"({"isLit":false,"fuel":"wood","height":0,"owners":["a","b"],"pots":[{"name":"","litres":0},{"name":"x","litres":255}],)"
          R"("labels":{"":"e","k":"v"},"serial":18446744073709551615,"lid":{"colour":"ü"}})",
          R"({"isLit":false,"fuel":"wood","height":1,"owners":[],"pots":[],"labels":{},"serial":0,"lid":false})",
      }) {
    const auto read = from_json<Stove>(boost::json::parse(text));
    REQUIRE(read);
    CHECK(to_json(*read) == text);
  }
}

TEST_CASE("optional members may be absent or null, unknown ones are ignored") {
  boost::json::object document = stove();
  const std::string before = to_json(*from_json<Stove>(document));
  document["labels"] = nullptr;
  document["lid"] = nullptr;
  document["stranger"] = {1, 2, 3};
  const auto read = from_json<Stove>(document);
  REQUIRE(read);
  CHECK(to_json(*read) == before);
}

TEST_CASE("a member of the wrong shape is named by its path, with what it must be") {
  CHECK(complaint("isLit", "1") == R"("isLit": 'isLit' must be true or false.)");
  CHECK(complaint("isLit", "null") == R"("isLit": 'isLit' must be true or false.)");
  CHECK(complaint("fuel", "\"gas\"") == R"("fuel": 'fuel' must be 'wood' or 'coal'.)");
  CHECK(complaint("fuel", "0") == R"("fuel": 'fuel' must be 'wood' or 'coal'.)");
  CHECK(complaint("owners", "{}") == R"("owners": 'owners' must be a string or a list.)");
  CHECK(complaint("owners", R"(["a",2])") == R"("owners[1]": 'owners[1]' must be a string.)");
  CHECK(complaint("pots", R"([{"name":"a","litres":1},{"name":2,"litres":1}])") ==
        R"("pots[1].name": 'pots[1].name' must be a string.)");
  CHECK(complaint("pots", "[[]]") == R"("pots[0]": 'pots[0]' must be an object.)");
  CHECK(complaint("pots", "{}") == R"("pots": 'pots' must be a list.)");
  CHECK(complaint("labels", R"({"PATH":1})") == R"("labels.PATH": 'labels.PATH' must be a string.)");
  CHECK(complaint("labels", "[]") == R"("labels": 'labels' must be an object.)");
  CHECK(complaint("lid", "3") == R"("lid": 'lid' must be true or false or an object.)");
  CHECK(complaint("lid", R"({"colour":3})") == R"("lid.colour": 'lid.colour' must be a string.)");
}

TEST_CASE("a missing member is named, with what it must be") {
  for (const char* name : {"isLit", "fuel", "height", "owners", "pots"}) {
    boost::json::object document = stove();
    document.erase(name);
    CHECK(from_json<Stove>(document).error().extras[0].json == "\"" + std::string(name) + "\"");
  }
  CHECK(complaint("pots", R"([{"name":"a"}])") ==
        R"("pots[0].litres": 'pots[0].litres' must be given: a whole number from 0 to 255.)");
}

TEST_CASE("numbers must be whole and within range; how they are spelled does not matter") {
  for (const char* wrong : {"2147483648", "-2147483649", "1.5", "1e99", "1e400", "\"1\"", "true"})
    CHECK(complaint("height", wrong) == R"("height": 'height' must be a whole number from -2147483648 to 2147483647.)");
  for (const char* wrong : {"-1", "18446744073709551616", "0.5", "-1e0"})
    CHECK(complaint("serial", wrong) == R"("serial": 'serial' must be a whole number from 0 to 18446744073709551615.)");
  CHECK(complaint("height", "2147483647") == "none");
  CHECK(complaint("serial", "1.0") == "none");
  CHECK(complaint("serial", "1e3") == "none");
}

TEST_CASE("another spelling of a member is read, named in complaints, and not taken beside the first") {
  CHECK(from_json<Stove>([] {
          boost::json::object document = stove();
          document["number"] = 7;
          return document;
        }())
            ->serial == 7U);
  CHECK(complaint("number", "-1").starts_with(R"("number": )"));
  CHECK(complaint("tall", "2") == R"("tall": 'tall' must not be given together with 'height', which means the same.)");
  CHECK(complaint("tall", "null") == "none");

  boost::json::object document = stove();
  document["serial"] = nullptr;
  document["number"] = 7;
  CHECK(from_json<Stove>(document)->serial == 7U);
  document["no"] = 7;
  CHECK(from_json<Stove>(document).error().extras[0].json == "\"no\"");
}

TEST_CASE("a document that is no object is a complaint about the body") {
  for (const char* text : {"[]", "null", "3", "\"x\""}) {
    const auto read = from_json<Stove>(boost::json::parse(text));
    REQUIRE_FALSE(read);
    CHECK(read.error().detail == "The body must be an object.");
    CHECK(read.error().extras[0].json == "\"body\"");
  }
}

TEST_CASE("the path of a member with an endless name is cut") {
  const std::string complaint_text = complaint("labels", "{\"" + std::string(100'000, 'x') + "\":1}");
  CHECK(complaint_text.size() < 600);
}

TEST_CASE("a body is parsed as one JSON value, or refused with the place of the mistake") {
  CHECK(parse_json(R"( {"a":[1,2.5,"x"]} )").value() == boost::json::parse(R"({"a":[1,2.5,"x"]})"));
  CHECK(parse_json(R"({"a":1,"a":2})").value() == boost::json::parse(R"({"a":2})"));
  struct {
    std::string_view text;
    std::string_view says;
  } const wrong[] = {
      {"", "at byte 0 it ends too early."},
      {"{\"a\":", "at byte 5 it ends too early."},
      {"[1,]", "at byte 3 it is not JSON."},
      {"{\"a\":1}}", "at byte 7 something follows it."},
      {std::string_view("\0", 1), "at byte 0 it is not JSON."},
      {"\"\xff\"", "at byte 1 it is not JSON."},
      {"[NaN]", "at byte 1 it is not JSON."},
  };
  for (const auto& [text, says] : wrong) {
    const auto parsed = parse_json(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == ErrorCode::invalid_request);
    CHECK(parsed.error().detail == "The body must be one JSON value; " + std::string(says));
  }
}

TEST_CASE("a body may nest 256 levels deep and no deeper") {
  CHECK(parse_json(std::string(256, '[') + std::string(256, ']')));
  CHECK(parse_json(std::string(257, '[') + std::string(257, ']')).error().detail.ends_with("it nests deeper than 256 levels."));
  CHECK_FALSE(parse_json(std::string(4'000'000, '[')));
}

}  // namespace sa
