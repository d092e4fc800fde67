#include "files/unpack.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "files/file_bytes.h"
#include "files/tar_reader.h"
#include "files/tar_stream.h"
#include "files/tar_writer.h"
#include "files/zip_reader.h"

namespace sa {
namespace {

constexpr std::size_t tar_block = 512;

// The field a tar header's sum is in, which counts as spaces; the sum is octal. Zeros are the end of an archive.
bool is_tar_header(std::string_view block) {
  constexpr std::size_t sum_at = 148, sum_bytes = 8;
  if (block.size() < tar_block) return false;
  if (std::ranges::all_of(block, [](char c) { return c == '\0'; })) return true;
  unsigned sum = 0, said = 0;
  for (std::size_t i = 0; i < tar_block; ++i) {
    const bool counts = i < sum_at || i >= sum_at + sum_bytes;
    sum += static_cast<unsigned char>(counts ? block[i] : ' ');
  }
  for (const char c : block.substr(sum_at, sum_bytes))
    if (c >= '0' && c <= '7') said = said * 8 + static_cast<unsigned>(c - '0');
  return sum == said;
}

// The name of a format that is not unpacked here; empty when there is nothing to say against the file.
std::string_view foreign_format(std::string_view beginning) {
  if (beginning.starts_with("\xFD\x37zXZ")) return "xz";
  if (beginning.starts_with("7z\xBC\xAF\x27\x1C")) return "7-zip";
  if (beginning.starts_with("Rar!\x1A\x07")) return "rar";
  return {};
}

// A file that is all of an archive's content.
class ProgramEntry final : public TarEntries {
 public:
  ProgramEntry(int file, std::string_view name, std::string_view path, const StopFlag& stop)
      : bytes_(file, path), name_(name), stop_(stop) {}

  Result<std::optional<TarEntry>> next() override {
    if (given_) return std::nullopt;
    given_ = true;
    TRY(const std::uint64_t size, bytes_.size());
    return TarEntry{
        .kind = TarKind::file, .name = name_, .mode = 0755, .modified = {.tv_sec = 0, .tv_nsec = UTIME_NOW}, .size = size};
  }
  Result<std::optional<TarBlock>> next_block() override {
    if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
    TRY(const std::string_view bytes, bytes_.at(read_, FileBytes::most));
    if (bytes.empty()) return std::nullopt;
    return TarBlock{bytes, std::exchange(read_, read_ + bytes.size())};
  }

 private:
  FileBytes bytes_;
  const std::string name_;
  const StopFlag& stop_;
  bool given_ = false;
  std::uint64_t read_ = 0;
};

Result<Unpacked> unpack_tar(int file, const TarTarget& target, const TarLimits& limits, const StopFlag& stop) {
  FileBytes bytes(file, target.path);
  std::uint64_t read = 0;
  const TarBytes next = [&]() -> Result<std::string_view> {
    TRY(const std::string_view piece, bytes.at(read, FileBytes::most));
    read += piece.size();
    return piece;
  };
  const TarLocale names_are_bytes;
  TarStream stream(next, limits.max_unpacked_bytes, stop);
  TarReader entries(stream);
  return TarWriter(target, TarTrust::foreign).write_all(entries, limits);
}

Result<Unpacked> unpack_zip(int file, const TarTarget& target, const TarLimits& limits, const StopFlag& stop) {
  ZipReader entries(file, target.path, stop);
  return TarWriter(target, TarTrust::foreign).write_all(entries, limits);
}

Result<Unpacked> unpack_program(int file, std::string_view beginning, std::string_view name, const TarTarget& target,
                                const TarLimits& limits, const StopFlag& stop) {
  if (beginning.empty()) return fail(ErrorCode::invalid_request, "The file is empty. Fetch it again.");
  if (const std::string_view format = foreign_format(beginning); !format.empty()) {
    return fail(
        ErrorCode::invalid_request,
        fmt::format("The file is packed with {}, which is not unpacked here. Use tar (plain, gzip, bzip2, zstd) or zip.",
                    format));
  }
  ProgramEntry entries(file, name, target.path, stop);
  return TarWriter(target, TarTrust::foreign).write_all(entries, limits);
}

Result<Unpacked> unpack_any(int file, const TarTarget& target, std::string_view program_name, const TarLimits& limits,
                            const StopFlag& stop) {
  FileBytes bytes(file, target.path);
  TRY(const std::string_view beginning, bytes.at(0, tar_block));
  switch (packed_kind(beginning)) {
    case PackedKind::tar: return unpack_tar(file, target, limits, stop);
    case PackedKind::zip: return unpack_zip(file, target, limits, stop);
    default: return unpack_program(file, beginning, program_name, target, limits, stop);
  }
}

}  // namespace

PackedKind packed_kind(std::string_view beginning) {
  if (beginning.starts_with("PK\3\4") || beginning.starts_with("PK\5\6")) return PackedKind::zip;
  if (TarDecompressor::for_stream(beginning) || is_tar_header(beginning.substr(0, tar_block))) return PackedKind::tar;
  return PackedKind::program;
}

Result<void> unpack(int file, const TarTarget& target, std::string_view program_name, const TarLimits& limits,
                    const StopFlag& stop) {
  auto unpacked = unpack_any(file, target, program_name, limits, stop);
  if (!unpacked) return fail(std::move(unpacked).error());
  return {};
}

}  // namespace sa
