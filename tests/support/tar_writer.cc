#include "tar_writer.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace rig {
namespace {

constexpr std::size_t block_size = 512;
constexpr std::size_t checksum_at = 148;

void put_text(std::string& header, std::size_t at, std::size_t width, std::string_view text) {
  header.replace(at, std::min(width, text.size()), text.substr(0, width));
}

void put_octal(std::string& header, std::size_t at, std::size_t width, std::uint64_t value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%0*llo", static_cast<int>(width) - 1, static_cast<unsigned long long>(value));
  put_text(header, at, width, digits);
}

void put_checksum(std::string& header) {
  put_text(header, checksum_at, 8, "        ");
  const auto sum = std::accumulate(header.begin(), header.end(), 0U,
                                   [](unsigned total, char c) { return total + static_cast<unsigned char>(c); });
  put_octal(header, checksum_at, 7, sum);
  header[checksum_at + 6] = '\0';
  header[checksum_at + 7] = ' ';
}

// "<length> key=value\n", where the length counts itself.
std::string pax_record(const std::string& key, const std::string& value) {
  const auto rest = " " + key + "=" + value + "\n";
  std::size_t length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length) ++length;
  return std::to_string(length) + rest;
}

}  // namespace

void TarWriter::block(const TarEntry& entry) {
  std::string header(block_size, '\0');
  put_text(header, 0, 100, entry.name);
  put_octal(header, 100, 8, entry.mode);
  put_octal(header, 108, 8, entry.owner);
  put_octal(header, 116, 8, entry.owner);
  put_octal(header, 124, 12, entry.announced > 0 ? entry.announced : entry.content.size());
  put_octal(header, 136, 12, static_cast<std::uint64_t>(entry.modified));
  header[156] = entry.type;
  put_text(header, 157, 100, entry.link);
  put_text(header, 257, 8, std::string_view("ustar\00000", 8));
  put_octal(header, 329, 8, 1);
  put_octal(header, 337, 8, 3);
  put_checksum(header);
  last_header_ = bytes_.size();
  bytes_ += header;
  bytes_ += entry.content;
  bytes_.append((block_size - entry.content.size() % block_size) % block_size, '\0');
}

TarWriter& TarWriter::add(const TarEntry& entry) {
  for (const auto& [type, text] : {std::pair('K', entry.link), std::pair('L', entry.name)}) {
    if (text.size() > 100) block({.name = "././@LongLink", .type = type, .content = text + '\0'});
  }
  block(entry);
  return *this;
}

TarWriter& TarWriter::file(std::string_view name, std::string_view content, unsigned mode, std::int64_t modified) {
  return add({.name = std::string(name), .content = std::string(content), .mode = mode, .modified = modified});
}

TarWriter& TarWriter::directory(std::string_view name, unsigned mode, std::int64_t modified) {
  return add({.name = std::string(name), .type = '5', .mode = mode, .modified = modified});
}

TarWriter& TarWriter::symlink(std::string_view name, std::string_view target) {
  return add({.name = std::string(name), .type = '2', .link = std::string(target), .mode = 0777});
}

TarWriter& TarWriter::hard_link(std::string_view name, std::string_view target) {
  return add({.name = std::string(name), .type = '1', .link = std::string(target)});
}

TarWriter& TarWriter::pax(const std::vector<std::pair<std::string, std::string>>& records) {
  std::string content;
  for (const auto& [key, value] : records) content += pax_record(key, value);
  block({.name = "PaxHeaders/next", .type = 'x', .content = content});
  return *this;
}

TarWriter& TarWriter::spoil_checksum() {
  bytes_[last_header_ + checksum_at] ^= 1;
  return *this;
}

std::string tar_of(std::string_view name, std::string_view content) { return TarWriter().file(name, content).finished(); }

}  // namespace rig
