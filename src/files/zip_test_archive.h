// For tests: zip files made by hand, record by record, so that they can be as wrong as they like.
#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "files/tar_test_archive.h"

namespace sa::zip_test {

struct Entry {
  std::string name;
  std::string content;
  std::uint32_t mode = S_IFREG | 0644;
  bool deflated = false;
  bool descriptor = false;  // the local header leaves sizes and checksum to what follows the content
  bool large = false;       // all numbers in 64 bits
  std::uint8_t system = 3;  // Unix
  std::uint32_t attributes = 0;

  // What is said instead of the truth.
  std::uint16_t flags = 0;
  int method = -1;
  std::int64_t size = -1, offset = -1, crc = -1;
  std::string local_name;
};

inline std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 0xFF);
  return out;
}

class Zip {
 public:
  Zip& entry(const Entry& entry) {
    const std::string packed = entry.deflated ? tar_test::deflate(entry.content, -15) : entry.content;
    const std::uint64_t offset = entry.offset < 0 ? bytes_.size() : static_cast<std::uint64_t>(entry.offset);
    const std::uint64_t size = entry.size < 0 ? entry.content.size() : static_cast<std::uint64_t>(entry.size);
    const std::uint64_t packed_size = entry.size < 0 || entry.deflated ? packed.size() : size;
    const auto* content = reinterpret_cast<const Bytef*>(entry.content.data());
    const std::uint64_t crc =
        entry.crc < 0 ? ::crc32(0, content, static_cast<uInt>(entry.content.size())) : static_cast<std::uint64_t>(entry.crc);
    const auto method = static_cast<std::uint64_t>(entry.method < 0 ? (entry.deflated ? 8 : 0) : entry.method);
    const std::string flags = number(entry.flags | (entry.descriptor ? 8u : 0u), 2);
    const std::string time = number(0x6000, 2) + number(0x2921, 2);  // 2000-09-01, noon
    const std::string sums =
        number(crc, 4) + number(entry.large ? UINT32_MAX : packed_size, 4) + number(entry.large ? UINT32_MAX : size, 4);
    const std::string& local_name = entry.local_name.empty() ? entry.name : entry.local_name;
    const std::string sizes64 = number(size, 8) + number(packed_size, 8);
    const std::string local_extra = entry.large ? number(1, 2) + number(16, 2) + sizes64 : "";
    bytes_ += "PK\3\4" + number(20, 2) + flags + number(method, 2) + time + (entry.descriptor ? std::string(12, '\0') : sums) +
              number(local_name.size(), 2) + number(local_extra.size(), 2) + local_name + local_extra + packed;
    if (entry.descriptor) bytes_ += "PK\7\10" + sums;

    const std::string extra =
        entry.large ? number(0x5455, 2) + number(1, 2) + "x" + number(1, 2) + number(24, 2) + sizes64 + number(offset, 8) : "";
    const std::uint32_t attributes = entry.attributes != 0 ? entry.attributes : entry.mode << 16;
    directory_ += "PK\1\2" + number(20, 1) + number(entry.system, 1) + number(20, 2) + flags + number(method, 2) + time + sums +
                  number(entry.name.size(), 2) + number(extra.size(), 2) + std::string(6, '\0') + number(attributes, 4) +
                  number(entry.large ? UINT32_MAX : offset, 4) + entry.name + extra;
    ++entries_;
    return *this;
  }
  Zip& file(std::string name, std::string content = "content", std::uint32_t mode = 0644) {
    return entry({.name = std::move(name), .content = std::move(content), .mode = S_IFREG | mode});
  }
  Zip& directory(std::string name, std::uint32_t mode = 0755) {
    return entry({.name = std::move(name), .mode = S_IFDIR | mode});
  }
  Zip& symlink(std::string name, std::string text) {
    return entry({.name = std::move(name), .content = std::move(text), .mode = S_IFLNK | 0777});
  }

  std::string end(std::string_view comment = {}) const {
    return bytes_ + directory_ + end_record(entries_, directory_.size(), bytes_.size(), comment);
  }
  // The end as it is when its numbers are too large.
  std::string end64() const {
    const std::string end64 = "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) + std::string(8, '\0') +
                              number(entries_, 8) + number(entries_, 8) + number(directory_.size(), 8) +
                              number(bytes_.size(), 8);
    const std::string locator = "PK\6\7" + number(0, 4) + number(bytes_.size() + directory_.size(), 8) + number(1, 4);
    return bytes_ + directory_ + end64 + locator + end_record(UINT16_MAX, UINT32_MAX, UINT32_MAX, "");
  }

 private:
  static std::string end_record(std::uint64_t entries, std::uint64_t size, std::uint64_t offset, std::string_view comment) {
    return ("PK\5\6" + std::string(4, '\0') + number(entries, 2) + number(entries, 2) + number(size, 4) + number(offset, 4) +
            number(comment.size(), 2))
        .append(comment);
  }

  std::string bytes_, directory_;
  std::uint64_t entries_ = 0;
};

}  // namespace sa::zip_test
