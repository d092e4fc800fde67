#include "files/zip_directory.h"

#include <algorithm>

#include "files/tar_problem.h"
#include "files/zip_fields.h"

namespace sa {
namespace {

constexpr std::string_view end_mark = "PK\5\6", end64_mark = "PK\6\6", locator_mark = "PK\6\7", record_mark = "PK\1\2";
constexpr std::size_t end_bytes = 22, end64_bytes = 56, locator_bytes = 20, record_bytes = 46;
constexpr std::size_t longest_comment = 0xFFFF;
constexpr std::uint16_t sizes64_tag = 1;

constexpr unsigned encrypted_flags = 1u << 0 | 1u << 6 | 1u << 13;  // the content, strongly, the directory

std::unexpected<Error> damaged_directory() { return damaged_tar("the zip file's directory makes no sense"); }

// MS-DOS has no time zone; it is taken for UTC.
timespec time_of(std::uint16_t date, std::uint16_t time) {
  std::tm parts{};
  parts.tm_year = (date >> 9) + 80;
  parts.tm_mon = (date >> 5 & 15) - 1;
  parts.tm_mday = date & 31;
  parts.tm_hour = time >> 11;
  parts.tm_min = time >> 5 & 63;
  parts.tm_sec = (time & 31) * 2;
  return {.tv_sec = ::timegm(&parts), .tv_nsec = 0};
}

void read_attributes(ZipRecord& record, std::uint8_t system, std::uint32_t attributes) {
  constexpr std::uint8_t unix_system = 3, macos_system = 19;
  constexpr std::uint32_t msdos_directory = 0x10;
  const bool has_mode = system == unix_system || system == macos_system;
  const mode_t mode = has_mode ? attributes >> 16 : 0;
  const mode_t type = mode & S_IFMT;
  if (type == S_IFLNK) {
    record.kind = TarKind::symlink;
  } else if (type == S_IFDIR || record.name.ends_with('/') || (!has_mode && (attributes & msdos_directory) != 0)) {
    record.kind = TarKind::directory;
  } else {
    record.kind = type == 0 || type == S_IFREG ? TarKind::file : TarKind::other;
  }
  const mode_t usual = record.kind == TarKind::directory ? 0755 : 0644;
  record.mode = mode != 0 ? mode & 01777 : usual;
}

// Takes the numbers that did not fit from the extra fields.
bool read_sizes64(ZipRecord& record, std::string_view extra) {
  std::uint64_t* const numbers[] = {&record.size, &record.packed_size, &record.offset};
  const auto missing = [](const std::uint64_t* number) { return *number == zip_no_u32; };
  if (std::ranges::none_of(numbers, missing)) return true;
  while (extra.size() >= 4) {
    const std::uint16_t tag = zip_u16(extra, 0);
    std::string_view field = extra.substr(4, zip_u16(extra, 2));
    extra.remove_prefix(std::min(extra.size(), 4 + std::size_t{zip_u16(extra, 2)}));
    if (tag != sizes64_tag) continue;
    for (std::uint64_t* number : numbers) {
      if (!missing(number)) continue;
      if (field.size() < 8) return false;
      *number = zip_u64(field, 0);
      field.remove_prefix(8);
    }
    return true;
  }
  return false;
}

}  // namespace

Result<ZipDirectory> ZipDirectory::open(int file, std::string_view path) {
  ZipDirectory directory(FileBytes(file, path));
  if (auto found = directory.find(); !found) return fail(std::move(found).error());
  return directory;
}

// The end record is the last thing in the file, but for a comment whose length it says.
Result<void> ZipDirectory::find() {
  TRY(const std::uint64_t size, bytes_.size());
  const std::uint64_t tail_begin = size - std::min<std::uint64_t>(size, end_bytes + longest_comment);
  TRY(const std::string_view tail_bytes, bytes_.at(tail_begin, end_bytes + longest_comment));
  const std::string tail(tail_bytes);
  for (std::size_t at = tail.rfind(end_mark); at != tail.npos; at = at == 0 ? tail.npos : tail.rfind(end_mark, at - 1)) {
    const std::string_view end = std::string_view(tail).substr(at);
    if (end.size() >= end_bytes && end_bytes + zip_u16(end, 20) == end.size()) return read_end(end, tail_begin + at);
  }
  return damaged_tar("the zip file's directory is missing, it may be cut off");
}

Result<void> ZipDirectory::read_end(std::string_view end, std::uint64_t position) {
  entries_left_ = zip_u16(end, 10);
  begin_ = zip_u32(end, 16);
  if (entries_left_ == zip_no_u16 || zip_u32(end, 12) == zip_no_u32 || begin_ == zip_no_u32) return read_end64(position);
  if (zip_u16(end, 4) != 0 || zip_u16(end, 6) != 0 || zip_u16(end, 8) != entries_left_) return damaged_directory();
  return check_place(zip_u32(end, 12), position);
}

Result<void> ZipDirectory::read_end64(std::uint64_t end_position) {
  if (end_position < locator_bytes) return damaged_directory();
  TRY(const std::string_view locator, bytes_.at(end_position - locator_bytes, locator_bytes));
  if (locator.size() < locator_bytes || !locator.starts_with(locator_mark)) return damaged_directory();
  const std::uint64_t position = zip_u64(locator, 8);
  TRY(const std::string_view end, bytes_.at(position, end64_bytes));
  if (position >= end_position || end.size() < end64_bytes || !end.starts_with(end64_mark)) return damaged_directory();
  entries_left_ = zip_u64(end, 32);
  begin_ = zip_u64(end, 48);
  if (zip_u32(end, 16) != 0 || zip_u32(end, 20) != 0 || zip_u64(end, 24) != entries_left_) return damaged_directory();
  return check_place(zip_u64(end, 40), position);
}

Result<void> ZipDirectory::check_place(std::uint64_t size, std::uint64_t limit) {
  if (begin_ > limit || size > limit - begin_) return damaged_directory();
  at_ = begin_;
  end_ = begin_ + size;
  return {};
}

Result<std::optional<ZipRecord>> ZipDirectory::next() {
  if (entries_left_ == 0 && at_ != end_) return damaged_directory();
  if (entries_left_ == 0) return std::nullopt;
  --entries_left_;
  TRY(const std::string_view fixed, bytes_.at(at_, record_bytes));
  if (fixed.size() < record_bytes || !fixed.starts_with(record_mark)) return damaged_directory();
  const std::size_t name_bytes = zip_u16(fixed, 28), extra_bytes = zip_u16(fixed, 30), comment_bytes = zip_u16(fixed, 32);
  const std::size_t whole = record_bytes + name_bytes + extra_bytes + comment_bytes;
  TRY(const std::string_view bytes, bytes_.at(at_, whole));
  if (bytes.size() < whole || whole > end_ - at_) return damaged_directory();
  at_ += whole;

  ZipRecord record{.name = bytes.substr(record_bytes, name_bytes),
                   .modified = time_of(zip_u16(bytes, 14), zip_u16(bytes, 12)),
                   .encrypted = (zip_u16(bytes, 8) & encrypted_flags) != 0,
                   .method = zip_u16(bytes, 10),
                   .crc = zip_u32(bytes, 16),
                   .packed_size = zip_u32(bytes, 20),
                   .size = zip_u32(bytes, 24),
                   .offset = zip_u32(bytes, 42)};
  read_attributes(record, static_cast<std::uint8_t>(bytes[5]), zip_u32(bytes, 38));
  if (!read_sizes64(record, bytes.substr(record_bytes + name_bytes, extra_bytes))) return damaged_directory();
  return record;
}

}  // namespace sa
