#include "files/tar_stream.h"

#include <archive.h>

#include "files/tar_problem.h"

namespace sa {
namespace {

constexpr int kFiltersOfPlainStream = 1;

std::unexpected<Error> shutting_down() {
  return fail(ErrorCode::overloaded, "The daemon is shutting down. Send the archive again when it is back.");
}

}  // namespace

void ArchiveCloser::operator()(archive* handle) const { ::archive_read_free(handle); }

// libarchive's "raw" format hands out what its filters have unpacked, so that every unpacked block passes through here before
// anybody interprets it: a small upload that grows without end is noticed whatever it consists of.
TarStream::TarStream(const TarBytes& next, std::uint64_t max_bytes, const std::atomic<bool>& stop)
    : next_(next), max_bytes_(max_bytes), stop_(stop), unpacker_(::archive_read_new()) {
  ::archive_read_support_filter_gzip(unpacker_.get());
  ::archive_read_support_filter_zstd(unpacker_.get());
  ::archive_read_support_format_raw(unpacker_.get());
}

Result<std::string_view> TarStream::next() {
  if (failure_) return fail(*failure_);
  auto bytes = unpack();
  if (!bytes && !failure_) failure_ = bytes.error();
  return bytes;
}

Result<void> TarStream::drain() {
  for (;;) {
    TRY(const std::string_view bytes, next());
    if (bytes.empty()) break;
  }
  for (;;) {  // what follows the end of a compressed stream
    TRY(const std::string_view bytes, pull());
    if (bytes.empty()) return {};
  }
}

Result<std::string_view> TarStream::unpack() {
  if (!opened_) {
    if (auto opened = open(); !opened) return fail(std::move(opened).error());
  }
  if (nothing_inside_) return std::string_view();
  if (stop_.load(std::memory_order_relaxed)) return shutting_down();
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int status = ::archive_read_data_block(unpacker_.get(), &bytes, &size, &offset);
  if (failure_) return fail(*failure_);
  if (status == ARCHIVE_EOF) return std::string_view();
  if (status != ARCHIVE_OK) return failure();
  unpacked_bytes_ += size;
  if (max_bytes_ != 0 && unpacked_bytes_ > max_bytes_) return tar_too_large(max_bytes_);
  return std::string_view(static_cast<const char*>(bytes), size);
}

Result<void> TarStream::open() {
  opened_ = true;
  const int status = ::archive_read_open(unpacker_.get(), this, nullptr, &TarStream::pull, nullptr);
  if (failure_) return fail(*failure_);
  if (status != ARCHIVE_OK) return failure();
  archive_entry* entry = nullptr;
  nothing_inside_ = ::archive_read_next_header(unpacker_.get(), &entry) != ARCHIVE_OK;
  if (failure_) return fail(*failure_);
  if (::archive_filter_count(unpacker_.get()) > kFiltersOfPlainStream + 1)
    return fail(ErrorCode::invalid_request, "The archive is compressed more than once. Compress it once, with gzip or zstd.");
  return {};
}

std::unexpected<Error> TarStream::failure() const {
  const char* words = ::archive_error_string(unpacker_.get());
  return damaged_tar(words ? words : "it cannot be decompressed");
}

Result<std::string_view> TarStream::pull() {
  if (stop_.load(std::memory_order_relaxed)) return shutting_down();
  auto bytes = next_();
  if (bytes) packed_bytes_ += bytes->size();
  return bytes;
}

long TarStream::pull(archive*, void* self, const void** bytes) {
  auto& stream = *static_cast<TarStream*>(self);
  if (stream.failure_) return ARCHIVE_FATAL;
  auto pulled = stream.pull();
  if (!pulled) {
    stream.failure_ = std::move(pulled).error();
    return ARCHIVE_FATAL;
  }
  *bytes = pulled->data();
  return static_cast<long>(pulled->size());
}

}  // namespace sa
