// The entries of a tar stream, in order, by libarchive. Blocking; one thread. The stream must outlive it.
//
// Names are bytes and stay as they are: it must run under a TarLocale.
#pragma once

#include <locale.h>
#include <sys/stat.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "files/tar_stream.h"

struct archive;

namespace sa {

enum class TarKind : std::uint8_t { file, directory, symlink, hard_link, other };

// One header. Its words are valid until the next one is asked for.
struct TarEntry {
  TarKind kind = TarKind::other;
  std::string_view name;  // as the archive says, unchecked
  std::string_view link;  // what a link leads to, unchecked
  mode_t mode = 0;        // permissions, without set-user-id and set-group-id
  timespec modified{};
  std::uint64_t size = 0;      // of a file, holes included
  std::uint64_t position = 0;  // of the entry's content in the unpacked stream
};

// Bytes of a file at an offset. What no block covers is a hole.
struct TarBlock {
  std::string_view bytes;
  std::uint64_t offset = 0;
};

// While it lives, this thread reads names as bytes: libarchive converts UTF-8 names to the locale's character set, and hands
// them out untouched when that is not possible, which in the locale "C" (always there, unlike C.UTF-8) is whenever it matters.
// A UTF-8 locale would have it change decomposed characters to composed ones.
class TarLocale {
 public:
  TarLocale();
  ~TarLocale();
  TarLocale(const TarLocale&) = delete;
  TarLocale& operator=(const TarLocale&) = delete;

 private:
  locale_t bytes_;
  locale_t before_;
};

class TarReader {
 public:
  explicit TarReader(TarStream& stream);
  TarReader(const TarReader&) = delete;  // libarchive knows its address
  TarReader& operator=(const TarReader&) = delete;

  // The next entry, or nothing at the end, once the stream has been read to its end.
  Result<std::optional<TarEntry>> next();
  // The next bytes of the entry, valid until the next call, or nothing at its end.
  Result<std::optional<TarBlock>> next_block();

 private:
  static long pull(archive*, void* self, const void** bytes);
  Result<std::string_view> pull();
  Result<std::optional<TarEntry>> finish();
  std::unexpected<Error> failure(int status) const;

  struct Free {
    void operator()(archive* handle) const;
  };

  TarStream& stream_;
  std::unique_ptr<archive, Free> tar_;
  bool opened_ = false;
  std::optional<std::uint64_t> header_bytes_;  // pulled for the header being read; nothing while content is
  std::optional<Error> failure_;
};

}  // namespace sa
