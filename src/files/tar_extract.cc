#include "files/tar_extract.h"

#include "files/tar_problem.h"
#include "files/tar_reader.h"
#include "files/tar_stream.h"
#include "files/tar_writer.h"

namespace sa {
namespace {

Result<void> check_size(const TarEntry& entry, std::uint64_t limit) {
  if (limit == 0 || (entry.position <= limit && entry.size <= limit - entry.position)) return {};
  return tar_too_large(limit);
}

Result<Unpacked> unpack(TarReader& reader, TarWriter& writer, const TarLimits& limits) {
  Unpacked unpacked;
  for (;;) {
    TRY(const std::optional<TarEntry> entry, reader.next());
    if (!entry) return unpacked;
    if (auto fits = check_size(*entry, limits.max_unpacked_bytes); !fits) return fail(std::move(fits).error());
    TRY(std::string path, writer.write(*entry, reader));
    if (path.empty()) continue;
    if (unpacked.paths.size() < limits.max_paths) {
      unpacked.paths.push_back(std::move(path));
    } else {
      unpacked.truncated = true;
    }
  }
}

}  // namespace

Result<Unpacked> extract_tar(const TarTarget& target, const TarBytes& next, const TarLimits& limits, const StopFlag& stop) {
  const TarLocale names_are_bytes;
  TarStream stream(next, limits.max_unpacked_bytes, stop);
  TarReader reader(stream);
  TarWriter writer(target);
  auto unpacked = unpack(reader, writer, limits);
  auto finished = writer.finish();
  if (unpacked && !finished) return fail(std::move(finished).error());
  return unpacked;
}

}  // namespace sa
