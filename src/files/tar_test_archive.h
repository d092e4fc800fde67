// For tests: archives made by hand, block by block, so that they can be as wrong as they like; and a place to unpack them in.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch_folder.h"
#include "files/tar_extract.h"

namespace sa::tar_test {

struct Header {
  std::string name;
  char type = '0';
  mode_t mode = 0644;
  std::uint64_t size = 0;
  std::int64_t modified = 1'000'000'000;
  std::string link;
  std::string magic = std::string(
      "ustar\0"
      "00",
      8);
  std::string prefix;
};

inline const std::string gnu_magic = std::string("ustar  \0", 8);

inline void put(std::string& block, std::size_t at, std::string_view text) { block.replace(at, text.size(), text); }

// A block whose checksum is right.
inline std::string summed(std::string block) {
  put(block, 148, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, 148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return block;
}

inline std::string header_block(const Header& header) {
  std::string block(512, '\0');
  put(block, 0, header.name);
  put(block, 100, fmt::format("{:07o}", header.mode));
  put(block, 108, "0000000");
  put(block, 116, "0000000");
  put(block, 124, fmt::format("{:011o}", header.size));
  put(block, 136, fmt::format("{:011o}", header.modified));
  block[156] = header.type;
  put(block, 157, header.link);
  put(block, 257, header.magic);
  put(block, 345, header.prefix);
  return summed(block);
}

inline std::string padded(std::string content) {
  content.resize((content.size() + 511) / 512 * 512);
  return content;
}

// One "length key=value" line of a pax header.
inline std::string pax_record(std::string_view key, std::string_view value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) ++length;
  return fmt::format("{} {}=", length, key).append(value) + "\n";
}

class Archive {
 public:
  Archive& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  Archive& entry(Header header, std::string content = {}) {
    header.size = content.size();
    return raw(header_block(header)).raw(padded(std::move(content)));
  }
  Archive& file(std::string name, std::string content = "content", mode_t mode = 0644) {
    return entry({.name = std::move(name), .mode = mode}, std::move(content));
  }
  Archive& directory(std::string name, mode_t mode = 0755) {
    return entry({.name = std::move(name), .type = '5', .mode = mode});
  }
  Archive& symlink(std::string name, std::string text) {
    return entry({.name = std::move(name), .type = '2', .mode = 0777, .link = std::move(text)});
  }
  Archive& hard_link(std::string name, std::string to) {
    return entry({.name = std::move(name), .type = '1', .link = std::move(to)});
  }
  // What the next entry is to have instead of what its own header says.
  Archive& pax(std::string records) { return entry({.name = "pax", .type = 'x'}, std::move(records)); }
  Archive& gnu_long_name(std::string name) {
    return entry({.name = "././@LongLink", .type = 'L', .magic = gnu_magic}, std::move(name) + '\0');
  }
  std::string end() const { return bytes_ + std::string(1024, '\0'); }
  const std::string& endless() const { return bytes_; }

 private:
  std::string bytes_;
};

// `window`: 15 + 16 for gzip, -15 for nothing around it.
inline std::string deflate(std::string_view bytes, int window, int level = 6) {
  z_stream stream{};
  REQUIRE(::deflateInit2(&stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

inline std::string gzip(std::string_view bytes, int level = 6) { return deflate(bytes, 15 + 16, level); }

inline std::string zstd(std::string_view bytes) {
  std::string out(::ZSTD_compressBound(bytes.size()), '\0');
  out.resize(::ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

// A stream that comes in pieces; `before_piece` runs before each is handed out.
struct Pieces {
  std::string bytes;
  std::size_t piece = 65'536;
  std::size_t given = 0;
  std::function<void()> before_piece = [] {};

  TarBytes next() {
    return [this]() -> Result<std::string_view> {
      before_piece();
      const std::string_view out = std::string_view(bytes).substr(given, piece);
      given += out.size();
      return out;
    };
  }
};

// A directory to unpack in, and one beside it that must stay as it is.
class Scratch {
 public:
  Scratch() {
    std::filesystem::create_directories(target());
    std::filesystem::create_directories(outside());
  }

  std::filesystem::path target() const { return folder_.at("target"); }
  std::filesystem::path outside() const { return folder_.at("outside"); }
  std::filesystem::path operator/(std::string_view name) const { return target() / name; }

  Result<Unpacked> unpack(std::string bytes, TarLimits limits = {}) const {
    Pieces pieces{.bytes = std::move(bytes)};
    return unpack(pieces.next(), limits);
  }
  Result<Unpacked> unpack(const TarBytes& next, TarLimits limits = {}, const StopFlag& stop = never()) const {
    const TarTarget target_directory{UniqueFd(::open(target().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), target()};
    REQUIRE(target_directory.directory);
    return extract_tar(target_directory, next, limits, stop);
  }

  std::string read(std::string_view name) const {
    std::ifstream in(*this / name, std::ios::binary);
    std::string content(std::filesystem::file_size(*this / name), '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    return content;
  }
  void write(const std::filesystem::path& path, std::string_view content) const {
    std::ofstream(path, std::ios::binary) << content;
  }
  struct stat look(std::string_view name) const {
    struct stat found{};
    REQUIRE(::lstat((*this / name).c_str(), &found) == 0);
    return found;
  }
  mode_t mode(std::string_view name) const { return look(name).st_mode & 07777; }
  // Every name below the target, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& found : std::filesystem::recursive_directory_iterator(target()))
      all.push_back(found.path().lexically_relative(target()));
    std::ranges::sort(all);
    return all;
  }

 private:
  static const StopFlag& never() {
    static const StopFlag no{false};
    return no;
  }
  ScratchFolder folder_{::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"};  // many small files, quickly
};

using Names = std::vector<std::string>;

}  // namespace sa::tar_test
