#include "io/fetch_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/openssl_start.h"
#include "base/sha256.h"
#include "io/tls_context.h"

namespace sa {
namespace {

Result<void> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const bool is_full = errno == ENOSPC || errno == EDQUOT;
      return fail(is_full ? ErrorCode::no_space : ErrorCode::internal,
                  fmt::format("The file cannot be written: {}.", errno_text(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

template <class Fetch>
std::expected<FetchedFile, FetchError> write_and_hash(int fd, const Fetch& fetch_into) {
  start_openssl();
  Sha256 hash;
  TRY(FetchAnswer answer, fetch_into([&](std::string_view bytes) {
        hash.add(bytes);
        return write_all(fd, bytes);
      }));
  const std::uint64_t bytes = answer.bytes;
  return FetchedFile{std::move(answer), hash.hex(), bytes};
}

}  // namespace

std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd) {
  return write_and_hash(fd, [&](const FetchSink& sink) { return fetch(request, sink); });
}

std::expected<FetchedFile, FetchError> fetch_to_file(const FetchRequest& request, int fd, const Environment& environment) {
  return write_and_hash(fd, [&](const FetchSink& sink) { return fetch(request, sink, environment); });
}

}  // namespace sa
