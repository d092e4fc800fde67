#include "files/zip_reader.h"

#include <fmt/format.h>
#include <limits.h>

#include <algorithm>

#include "files/tar_problem.h"
#include "files/zip_fields.h"

namespace sa {
namespace {

constexpr std::string_view local_mark = "PK\3\4";
constexpr std::size_t local_bytes = 30;
constexpr std::uint16_t stored = 0, deflated = 8;
constexpr int raw_deflate = -15;  // zlib's word for the largest window and no header

// What a name may not have that is only dangerous elsewhere, but does not belong into a zip file.
std::string_view objection_to_entry(std::string_view name) {
  if (name.contains('\\')) return "its name contains a backslash";
  if (name.size() >= 2 && name[1] == ':' && ((name[0] | 32) >= 'a' && (name[0] | 32) <= 'z'))
    return "its name begins with a drive letter";
  return {};
}

}  // namespace

ZipReader::ZipReader(int file, std::string_view path, const StopFlag& stop)
    : file_(file), path_(path), stop_(stop), bytes_(file, path), out_(std::size_t{128} << 10, '\0') {
  ::inflateInit2(&inflater_, raw_deflate);
}

ZipReader::~ZipReader() { ::inflateEnd(&inflater_); }

std::unexpected<Error> ZipReader::damaged() const { return refuse_tar_entry(name_, "it is damaged"); }

Result<std::optional<TarEntry>> ZipReader::next() {
  if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
  if (!directory_) {
    TRY(directory_, ZipDirectory::open(file_, path_));
    packed_room_ = directory_->begin();
  }
  const std::uint64_t before = directory_->position();
  TRY(const std::optional<ZipRecord> record, directory_->next());
  if (!record) return std::nullopt;
  name_ = record->name;
  if (auto right = check(*record); !right) return fail(std::move(right).error());
  if (auto found = find_content(*record); !found) return fail(std::move(found).error());
  unpacked_ += directory_->position() - before;
  TarEntry entry{.kind = record->kind,
                 .name = name_,
                 .mode = record->mode,
                 .modified = record->modified,
                 .size = record->kind == TarKind::file ? size_ : 0,
                 .position = unpacked_};
  if (entry.kind == TarKind::symlink) {
    TRY(link_, link_text());
    entry.link = link_;
  }
  unpacked_ += std::min(size_, UINT64_MAX - unpacked_);
  return entry;
}

Result<void> ZipReader::check(const ZipRecord& record) const {
  if (const std::string_view why = objection_to_entry(record.name); !why.empty()) return refuse_tar_entry(name_, why);
  if (record.encrypted) return refuse_tar_entry(name_, "it is encrypted");
  if (record.method != stored && record.method != deflated)
    return refuse_tar_entry(name_, fmt::format("it is compressed with method {}, which is not known here", record.method));
  if (record.method == stored && record.packed_size != record.size) return damaged();
  if (record.size == 0 && record.crc != 0) return damaged();
  if (record.kind == TarKind::directory && record.size != 0) return refuse_tar_entry(name_, "it is a directory with content");
  return {};
}

// The local header says once more what the directory says, and where the content begins. Entries that share their content
// would be a way to grow without end: together they take up no more than there is.
Result<void> ZipReader::find_content(const ZipRecord& record) {
  TRY(const std::string_view fixed, bytes_.at(record.offset, local_bytes));
  if (fixed.size() < local_bytes || !fixed.starts_with(local_mark)) return damaged();
  const std::size_t name_bytes = zip_u16(fixed, 26), header_bytes = local_bytes + name_bytes + zip_u16(fixed, 28);
  if (zip_u16(fixed, 8) != record.method) return damaged();
  TRY(const std::string_view header, bytes_.at(record.offset, header_bytes));
  if (header.size() < header_bytes || header.substr(local_bytes, name_bytes) != name_) return damaged();
  if (header_bytes > packed_room_ || record.packed_size > packed_room_ - header_bytes) return damaged();
  packed_room_ -= header_bytes + record.packed_size;

  packed_at_ = record.offset + header_bytes;
  if (packed_at_ > directory_->begin() || record.packed_size > directory_->begin() - packed_at_) return damaged();
  packed_left_ = record.packed_size;
  method_ = record.method;
  size_ = record.size;
  crc_ = record.crc;
  made_ = 0;
  crc_made_ = 0;
  stream_ended_ = false;
  ::inflateReset(&inflater_);
  return {};
}

Result<std::optional<TarBlock>> ZipReader::next_block() {
  TRY(const std::string_view bytes, unpack());
  if (bytes.empty()) {
    if (auto right = check_end(); !right) return fail(std::move(right).error());
    return std::nullopt;
  }
  const std::uint64_t offset = made_;
  if (bytes.size() > size_ - made_) return damaged();
  made_ += bytes.size();
  crc_made_ = static_cast<std::uint32_t>(
      ::crc32(crc_made_, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  return TarBlock{bytes, offset};
}

Result<void> ZipReader::check_end() {
  if (made_ != size_ || packed_left_ != 0) return damaged();
  if (crc_made_ != crc_) return refuse_tar_entry(name_, "its checksum is wrong");
  return {};
}

// The next bytes of the entry, empty at its end.
Result<std::string_view> ZipReader::unpack() {
  if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
  if (method_ == deflated) return inflate_some();
  TRY(const std::string_view bytes, bytes_.at(packed_at_, std::min<std::uint64_t>(packed_left_, out_.size())));
  packed_at_ += bytes.size();
  packed_left_ -= bytes.size();
  return bytes;
}

Result<std::string_view> ZipReader::inflate_some() {
  while (!stream_ended_) {
    TRY(const std::string_view packed, bytes_.at(packed_at_, std::min<std::uint64_t>(packed_left_, out_.size())));
    inflater_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib does not write to it
    inflater_.avail_in = static_cast<uInt>(packed.size());
    inflater_.next_out = reinterpret_cast<Bytef*>(out_.data());
    inflater_.avail_out = static_cast<uInt>(out_.size());
    const int status = ::inflate(&inflater_, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) return damaged();  // also when there is nothing more to take
    stream_ended_ = status == Z_STREAM_END;
    packed_at_ += packed.size() - inflater_.avail_in;
    packed_left_ -= packed.size() - inflater_.avail_in;
    if (const std::size_t made = out_.size() - inflater_.avail_out; made > 0) return std::string_view(out_).substr(0, made);
  }
  return std::string_view();
}

Result<std::string> ZipReader::link_text() {
  if (size_ >= PATH_MAX) return refuse_tar_entry(name_, "it is a symbolic link to a name longer than file systems take");
  std::string text;
  for (;;) {
    TRY(const std::optional<TarBlock> block, next_block());
    if (!block) break;
    text += block->bytes;
  }
  if (text.contains('\0')) return refuse_tar_entry(name_, "it is a symbolic link to a name that contains NUL");
  return text;
}

}  // namespace sa
