// The entries of a tar stream, in order, by libarchive. Blocking; one thread. The stream must outlive it.
//
// Names are bytes and stay as they are: it must run under a TarLocale.
#pragma once

#include <locale.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "files/tar_entry.h"
#include "files/tar_stream.h"

struct archive;

namespace sa {

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

class TarReader final : public TarEntries {  // libarchive knows its address
 public:
  explicit TarReader(TarStream& stream);

  // Nothing at the end, once the stream has been read to its end.
  Result<std::optional<TarEntry>> next() override;
  Result<std::optional<TarBlock>> next_block() override;

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
