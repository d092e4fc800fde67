// Compressed streams made by hand, so that no tool is needed and a bomb costs nothing. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rig {

// A gzip member with stored blocks.
std::string gzipped(std::string_view bytes);
// A gzip member that unpacks to `start` and then (at least) so many zero bytes, a 150th in size. Its checksum is wrong.
std::string gzip_bomb(std::string_view start, std::uint64_t zeros);
// A zstd frame with raw blocks.
std::string zstd_packed(std::string_view bytes);
// A zstd frame that unpacks to `start` and then (at least) so many zero bytes.
std::string zstd_bomb(std::string_view start, std::uint64_t zeros);

}  // namespace rig
