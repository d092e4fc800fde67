#include "base/shape.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

enum class Colour : std::uint8_t { red, green };

struct Wheel {
  std::string name;
  int spokes = 0;
};

struct Cart {
  bool painted = false;
  Colour colour = Colour::red;
  std::optional<std::string> owner;
  std::vector<Wheel> wheels;
  std::vector<std::vector<int>> rows;
  std::map<std::string, std::uint64_t> loads;
};

}  // namespace

template <>
struct Words<Colour> {
  static constexpr std::string_view all[] = {"red", "green"};
};
template <>
struct Shape<Wheel> {
  static constexpr std::tuple fields{Field{"name", &Wheel::name, ""}, Field{"spokes", &Wheel::spokes, ""}};
};
template <>
struct Shape<Cart> {
  static constexpr std::tuple fields{
      Field{"isPainted", &Cart::painted, ""}, Field{"colour", &Cart::colour, ""}, Field{"owner", &Cart::owner, ""},
      Field{"wheels", &Cart::wheels, ""},     Field{"rows", &Cart::rows, ""},     Field{"loads", &Cart::loads, ""},
  };
};

TEST_CASE("a shaped struct is written under its fields' names; a field without a value is left out") {
  Cart cart;
  CHECK(to_json(cart) == R"({"isPainted":false,"colour":"red","wheels":[],"rows":[],"loads":{}})");

  cart = {true, Colour::green, "O'Neill \"x\"", {{"left", 8}, {"[", -1}}, {{}, {1, 2}, {}}, {{"{", 1}, {"~", ~0ULL}}};
  CHECK(to_json(cart) == R"({"isPainted":true,"colour":"green","owner":"O'Neill \"x\"","wheels":[{"name":"left","spokes":8},)"
                         R"({"name":"[","spokes":-1}],"rows":[[],[1,2],[]],"loads":{"{":1,"~":18446744073709551615}})");
}

}  // namespace sa
