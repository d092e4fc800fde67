// Numbers in a zip file: little-endian, at fixed places of a record. Pure functions; the record must be long enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sa {

inline std::uint64_t zip_number(std::string_view record, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  while (bytes-- > 0) number = number << 8 | static_cast<std::uint8_t>(record[at + bytes]);
  return number;
}
inline std::uint16_t zip_u16(std::string_view record, std::size_t at) {
  return static_cast<std::uint16_t>(zip_number(record, at, 2));
}
inline std::uint32_t zip_u32(std::string_view record, std::size_t at) {
  return static_cast<std::uint32_t>(zip_number(record, at, 4));
}
inline std::uint64_t zip_u64(std::string_view record, std::size_t at) { return zip_number(record, at, 8); }

// What stands in a field whose number does not fit; it is elsewhere then.
inline constexpr std::uint16_t zip_no_u16 = 0xFFFF;
inline constexpr std::uint32_t zip_no_u32 = 0xFFFFFFFF;

}  // namespace sa
