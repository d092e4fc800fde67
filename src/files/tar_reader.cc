#include "files/tar_reader.h"

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>

#include "files/tar_problem.h"

namespace sa {
namespace {

// libarchive keeps a file's map of holes in memory, so headers must end somewhere. This is a map of half a million pieces.
constexpr std::uint64_t most_header_bytes = 8ull << 20;

constexpr int not_converted = EILSEQ;  // libarchive's word for a name outside the locale's characters

std::string_view view(const char* text) { return text ? text : std::string_view(); }

TarKind kind_of(archive_entry* entry, std::string_view name) {
  if (::archive_entry_hardlink(entry)) return TarKind::hard_link;
  switch (::archive_entry_filetype(entry)) {
    case AE_IFREG: return name.ends_with('/') ? TarKind::directory : TarKind::file;  // as old writers mark directories
    case AE_IFDIR: return TarKind::directory;
    case AE_IFLNK: return TarKind::symlink;
    default: return TarKind::other;
  }
}

TarEntry entry_of(archive_entry* entry, std::uint64_t position) {
  const std::string_view name = view(::archive_entry_pathname(entry));
  const TarKind kind = kind_of(entry, name);
  const la_int64_t size = kind == TarKind::file ? ::archive_entry_size(entry) : 0;
  return {.kind = kind,
          .name = name,
          .link = view(kind == TarKind::hard_link ? ::archive_entry_hardlink(entry) : ::archive_entry_symlink(entry)),
          .mode = ::archive_entry_perm(entry) & 01777,
          .modified = {.tv_sec = ::archive_entry_mtime(entry), .tv_nsec = ::archive_entry_mtime_nsec(entry)},
          .size = size < 0 ? 0 : static_cast<std::uint64_t>(size),
          .position = position};
}

}  // namespace

TarLocale::TarLocale() : bytes_(::newlocale(LC_CTYPE_MASK, "C", nullptr)), before_(::uselocale(bytes_)) {}

TarLocale::~TarLocale() {
  ::uselocale(before_);
  ::freelocale(bytes_);
}

void TarReader::Free::operator()(archive* handle) const { ::archive_read_free(handle); }

TarReader::TarReader(TarStream& stream) : stream_(stream), tar_(::archive_read_new()) {
  ::archive_read_support_format_tar(tar_.get());
}

Result<std::optional<TarEntry>> TarReader::next() {
  int status = ARCHIVE_OK;
  if (!opened_) {
    opened_ = true;
    status = ::archive_read_open(tar_.get(), this, nullptr, &TarReader::pull, nullptr);
  } else {
    status = ::archive_read_data_skip(tar_.get());
  }
  if (failure_ || status != ARCHIVE_OK) return failure(status);

  archive_entry* entry = nullptr;
  errno = 0;  // libarchive takes a name it cannot convert for a lack of memory if that was the last thing that failed
  header_bytes_ = 0;
  status = ::archive_read_next_header(tar_.get(), &entry);
  header_bytes_.reset();
  if (failure_) return failure(status);
  if (status == ARCHIVE_EOF) return finish();
  // A warning is a name that was not converted, which is what we want; all other warnings are damages.
  const bool name_kept = status == ARCHIVE_WARN && ::archive_errno(tar_.get()) == not_converted;
  if (status != ARCHIVE_OK && !name_kept) return failure(status);
  return entry_of(entry, static_cast<std::uint64_t>(::archive_filter_bytes(tar_.get(), 0)));
}

Result<std::optional<TarBlock>> TarReader::next_block() {
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int status = ::archive_read_data_block(tar_.get(), &bytes, &size, &offset);
  if (status == ARCHIVE_EOF && !failure_) return std::nullopt;
  if (failure_ || status != ARCHIVE_OK || offset < 0) return failure(status);
  return TarBlock{{static_cast<const char*>(bytes), size}, static_cast<std::uint64_t>(offset)};
}

Result<std::optional<TarEntry>> TarReader::finish() {
  auto drained = stream_.drain();
  if (!drained) return fail(std::move(drained).error());
  return std::nullopt;
}

std::unexpected<Error> TarReader::failure(int status) const {
  if (failure_) return fail(*failure_);
  if (stream_.was_empty()) return fail(ErrorCode::invalid_request, "The body is empty. Send a tar archive.");
  if (::archive_format(tar_.get()) == 0 && status == ARCHIVE_FATAL) {
    return fail(ErrorCode::invalid_request,
                "The body is not a tar archive. Send one, plain or compressed with gzip, bzip2 or zstd.");
  }
  const char* words = ::archive_error_string(tar_.get());
  return damaged_tar(words ? words : "a header makes no sense");
}

Result<std::string_view> TarReader::pull() {
  TRY(const std::string_view bytes, stream_.next());
  if (header_bytes_) *header_bytes_ += bytes.size();
  if (header_bytes_ > most_header_bytes) return damaged_tar("the headers of an entry do not end");
  return bytes;
}

long TarReader::pull(archive*, void* self, const void** bytes) {
  auto& reader = *static_cast<TarReader*>(self);
  if (reader.failure_) return ARCHIVE_FATAL;
  auto pulled = reader.pull();
  if (!pulled) {
    reader.failure_ = std::move(pulled).error();
    return ARCHIVE_FATAL;
  }
  *bytes = pulled->data();
  return static_cast<long>(pulled->size());
}

}  // namespace sa
