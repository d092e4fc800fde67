// The input is a packet that daemon or supervisor gets from the other. Held: it is taken exactly when it is one whole message
// of our version and of a kind we know, and then it says what its bytes say; its longest form fits where packets are received.
#include <cstring>
#include <string>

#include "fuzz_input.h"
#include "io/control_message.h"

namespace sa::fuzz {
namespace {

constexpr std::size_t message_bytes = 12;

// Of a little-endian machine, as all are that we build for.
std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

void check(std::string_view packet) {
  const std::vector<char> exact(packet.begin(), packet.end());  // so that reading too far is noticed
  const auto message = read_control_packet({exact.data(), exact.size()});
  const bool is_whole = packet.size() == message_bytes;
  const bool is_ours = is_whole && number(packet, 0, 2) == 1 && number(packet, 2, 2) >= 1 && number(packet, 2, 2) <= 5;
  hold(message.has_value() == is_ours, "a packet is one of our messages or nothing");
  hold(control_packet_bytes > message_bytes, "a longer packet is seen to be longer");
  if (!message) return;
  hold(static_cast<std::uint32_t>(message->first) == number(packet, 4, 4), "it says its first number");
  hold(static_cast<std::uint32_t>(message->second) == number(packet, 8, 4), "and its second");
  hold(std::memcmp(&*message, packet.data(), message_bytes) == 0, "it is sent again as it came");
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
