#include "io/control_message.h"

#include <doctest/doctest.h>

#include <string>

namespace sa {
namespace {

std::string_view bytes_of(const ControlMessage& message) { return {reinterpret_cast<const char*>(&message), sizeof message}; }

}  // namespace

TEST_CASE("a packet is one message of our version and of a known kind, or nothing") {
  const ControlMessage exited{control_version, ControlType::exited, -1, 9};
  const auto heard = read_control_packet(bytes_of(exited));
  REQUIRE(heard);
  CHECK(heard->type == ControlType::exited);
  CHECK(heard->first == -1);
  CHECK(heard->second == 9);
  CHECK_FALSE(read_control_packet(""));
  CHECK_FALSE(read_control_packet(bytes_of(exited).substr(1)));
  CHECK_FALSE(read_control_packet(std::string(bytes_of(exited)) + "x"));
  CHECK_FALSE(read_control_packet(bytes_of({control_version + 1, ControlType::gone, 0, 0})));
  CHECK_FALSE(read_control_packet(bytes_of({control_version, ControlType(0), 0, 0})));
  CHECK_FALSE(read_control_packet(bytes_of({control_version, ControlType(6), 0, 0})));
}

}  // namespace sa
