#include "files/tar_extract.h"

#include "files/tar_reader.h"
#include "files/tar_stream.h"
#include "files/tar_writer.h"

namespace sa {

Result<Unpacked> extract_tar(const TarTarget& target, const TarBytes& next, const TarLimits& limits, const StopFlag& stop) {
  const TarLocale names_are_bytes;
  TarStream stream(next, limits.max_unpacked_bytes, stop);
  TarReader reader(stream);
  return TarWriter(target, TarTrust::own).write_all(reader, limits);
}

}  // namespace sa
