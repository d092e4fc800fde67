#include "io/fetch_file.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/write_all.h"

namespace sa {
namespace {

Result<void> write_piece(int fd, std::string_view bytes) {
  const int error = write_all(fd, bytes);
  if (error == 0) return {};
  const bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return fail(is_full ? ErrorCode::no_space : ErrorCode::internal,
              fmt::format("The file cannot be written: {}.", errno_text(error)));
}

template <class Fetch>
std::expected<FetchedFile, FetchError> write_and_hash(int fd, const Fetch& fetch_into) {
  Sha256 hash;
  TRY(FetchAnswer answer, fetch_into([&](std::string_view bytes) {
        hash.add(bytes);
        return write_piece(fd, bytes);
      }));
  return FetchedFile{std::move(answer), hash.hex()};
}

}  // namespace

std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd) {
  return write_and_hash(fd, [&](const FetchSink& sink) { return fetch(request, sink); });
}

std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd, const Environment& environment) {
  return write_and_hash(fd, [&](const FetchSink& sink) { return fetch(request, sink, environment); });
}

}  // namespace sa
