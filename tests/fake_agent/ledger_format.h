// What an agent said and heard, as a shared file: the agent stores a hash of every line before it writes the line, so whoever
// received the line can check it against what was really said, without a copy of it. The file outlives the agent, also
// a killed one. Written by the agent's only thread, read by any other process through its own mapping.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fake {

inline constexpr std::uint64_t ledger_magic = 0x4c45444745523031;  // "LEDGER01"
inline constexpr std::uint64_t ledger_capacity = 1U << 20U;
inline constexpr std::uint64_t unverifiable = 0;  // the hash of a line that the proxy is expected to replace

struct LedgerHeader {
  std::uint64_t magic;
  std::atomic<std::uint64_t> begun;        // lines whose hash is stored
  std::atomic<std::uint64_t> written;      // lines the pipe has taken completely
  std::atomic<std::uint64_t> bytes;        // of the begun lines
  std::atomic<std::uint64_t> heard;        // lines read
  std::atomic<std::uint64_t> heard_twice;  // requests whose id was read before
};
inline constexpr std::size_t ledger_file_bytes = sizeof(LedgerHeader) + ledger_capacity * sizeof(std::uint64_t);

inline std::uint64_t line_hash(const char* bytes, std::size_t size) {
  constexpr std::uint64_t mix = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = (size + 1) * mix;
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    hash = (hash ^ word) * mix;
    hash ^= hash >> 32U;
    bytes += 8;
    size -= 8;
  }
  std::uint64_t tail = 0;
  std::memcpy(&tail, bytes, size);
  hash = (hash ^ tail) * mix;
  hash ^= hash >> 29U;
  return hash == unverifiable ? 1 : hash;
}

}  // namespace fake
