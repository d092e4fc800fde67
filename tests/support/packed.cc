#include "packed.h"

#include <algorithm>

namespace rig {
namespace {

constexpr std::string_view gzip_head("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
constexpr std::string_view zstd_head("\x28\xb5\x2f\xfd\x00\x58", 6);  // no size, no checksum, a window of 2 MiB
constexpr std::size_t zstd_block = 128 * 1024;

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

std::string stored_blocks(std::string_view bytes, bool last) {
  std::string out;
  do {
    const auto piece = bytes.substr(0, 65535);
    bytes.remove_prefix(piece.size());
    out += last && bytes.empty() ? '\1' : '\0';
    out += little_endian(piece.size(), 2) + little_endian(~piece.size(), 2);
    out += piece;
  } while (!bytes.empty());
  return out;
}

// Bits as deflate packs them: lowest first; Huffman codes with their highest bit first.
class Bits {
 public:
  void plain(unsigned value, int count) {
    for (int i = 0; i < count; ++i) push((value >> static_cast<unsigned>(i)) & 1U);
  }
  void code(unsigned value, int count) {
    for (int i = count - 1; i >= 0; --i) push((value >> static_cast<unsigned>(i)) & 1U);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void push(unsigned bit) {
    if (used_ == 0) bytes_ += '\0';
    bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | (bit << used_));
    used_ = (used_ + 1) % 8;
  }
  std::string bytes_;
  unsigned used_ = 0;
};

// One block of fixed codes: a zero byte, and then matches of 258 bytes one byte back.
std::string deflated_zeros(std::uint64_t count) {
  Bits bits;
  bits.plain(1, 1);
  bits.plain(1, 2);
  bits.code(0b00110000, 8);
  for (std::uint64_t made = 1; made < count; made += 258) {
    bits.code(0b11000101, 8);
    bits.code(0, 5);
  }
  bits.code(0, 7);
  return bits.bytes();
}

std::string zstd_raw_blocks(std::string_view bytes, bool last) {
  std::string out;
  do {
    const auto piece = bytes.substr(0, zstd_block);
    bytes.remove_prefix(piece.size());
    out += little_endian((piece.size() << 3U) | (last && bytes.empty() ? 1U : 0U), 3);
    out += piece;
  } while (!bytes.empty());
  return out;
}

}  // namespace

std::string gzipped(std::string_view bytes) {
  return std::string(gzip_head) + stored_blocks(bytes, true) + little_endian(crc32(bytes), 4) + little_endian(bytes.size(), 4);
}

std::string gzip_bomb(std::string_view start, std::uint64_t zeros) {
  return std::string(gzip_head) + stored_blocks(start, false) + deflated_zeros(zeros) + little_endian(0, 8);
}

std::string zstd_packed(std::string_view bytes) { return std::string(zstd_head) + zstd_raw_blocks(bytes, true); }

std::string zstd_bomb(std::string_view start, std::uint64_t zeros) {
  constexpr unsigned repeated = 1U << 1U;
  std::string out = std::string(zstd_head) + zstd_raw_blocks(start, false);
  for (std::uint64_t made = 0; made < zeros; made += zstd_block) {
    const bool last = made + zstd_block >= zeros;
    out += little_endian((zstd_block << 3U) | repeated | (last ? 1U : 0U), 3) + '\0';
  }
  return out;
}

}  // namespace rig
