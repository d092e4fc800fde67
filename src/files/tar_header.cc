#include "files/tar_header.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace sa {
namespace {

constexpr std::size_t block_bytes = 512;
constexpr std::size_t longest_name = 100;
constexpr std::uint64_t largest_size = (std::uint64_t{1} << 33) - 1;  // eleven octal digits

char type_of(TarKind kind) {
  switch (kind) {
    case TarKind::directory: return '5';
    case TarKind::symlink: return '2';
    default: return '0';
  }
}

// What does not fit is cut; a pax header said it before.
std::string ustar_block(char type, std::string_view name, std::string_view link, mode_t mode, std::uint64_t size) {
  std::string block(block_bytes, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { block.replace(at, text.size(), text); };
  put(0, name.substr(0, longest_name));
  put(100, fmt::format("{:07o}", mode));
  put(108, "0000000");  // owner
  put(116, "0000000");  // group
  put(124, fmt::format("{:011o}", size > largest_size ? 0 : size));
  put(136, "00000000000");  // time
  block[156] = type;
  put(157, link.substr(0, longest_name));
  put(257, "ustar");
  put(263, "00");
  put(148, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  block[154] = '\0';
  return block;
}

// "length key=value", the length's own digits included.
std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (fmt::formatted_size("{}", length) + rest != length) ++length;
  return fmt::format("{} {}=", length, key).append(value) + '\n';
}

}  // namespace

std::string tar_header(TarKind kind, std::string_view name, std::string_view link, mode_t mode, std::uint64_t size) {
  std::string records;
  if (name.size() > longest_name) records += pax_record("path", name);
  if (link.size() > longest_name) records += pax_record("linkpath", link);
  if (!is_utf8(records)) records.insert(0, pax_record("hdrcharset", "BINARY"));
  if (size > largest_size) records += pax_record("size", fmt::format("{}", size));
  std::string blocks;
  if (!records.empty()) {
    blocks = ustar_block('x', "pax", {}, 0644, records.size()) + records + tar_padding(records.size());
  }
  return blocks + ustar_block(type_of(kind), name, link, mode, size);
}

std::string tar_padding(std::uint64_t size) { return std::string((block_bytes - size % block_bytes) % block_bytes, '\0'); }

std::string tar_end() { return std::string(2 * block_bytes, '\0'); }

}  // namespace sa
