#include "files/tar_stream.h"

#include "files/tar_problem.h"

namespace sa {
TarStream::TarStream(const TarBytes& next, std::uint64_t max_bytes, const StopFlag& stop)
    : next_(next), max_bytes_(max_bytes), stop_(stop) {}

Result<std::string_view> TarStream::next() {
  if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
  TRY(const std::string_view bytes, begun_ ? unpack() : begin());
  unpacked_bytes_ += bytes.size();
  if (max_bytes_ != 0 && unpacked_bytes_ > max_bytes_) return tar_too_large(max_bytes_);
  return bytes;
}

Result<void> TarStream::drain() {
  for (;;) {
    TRY(const std::string_view bytes, next());
    if (bytes.empty()) return {};
  }
}

// Collects what tells the compression, in however small pieces it comes.
Result<std::string_view> TarStream::begin() {
  begun_ = true;
  while (beginning_.size() < TarDecompressor::beginning_bytes) {
    TRY(const std::string_view bytes, pull());
    if (bytes.empty()) break;
    beginning_ += bytes;
  }
  decompressor_ = TarDecompressor::for_stream(beginning_);
  if (!decompressor_) return beginning_;
  packed_ = beginning_;
  return unpack();
}

Result<std::string_view> TarStream::unpack() {
  if (!decompressor_) return pull();
  for (;;) {
    if (packed_.empty()) {
      TRY(packed_, pull());
    }
    const bool last = packed_.empty();
    if (last && decompressor_->complete()) return std::string_view();
    TRY(const std::string_view bytes, decompressor_->run(packed_));
    if (!bytes.empty()) return bytes;
    if (last && !decompressor_->complete()) return damaged_tar("its compressed stream is cut off");
  }
}

Result<std::string_view> TarStream::pull() {
  if (ended_) return std::string_view();
  if (stop_.load(std::memory_order_relaxed)) return fail_stopped();
  auto bytes = next_();
  if (!bytes) return bytes;
  packed_bytes_ += bytes->size();
  ended_ = bytes->empty();
  return bytes;
}

}  // namespace sa
