// What a tar archive says before an entry's content: a ustar header, and a pax header before it where that is too small. Pure
// functions.
//
// Ours and not libarchive's: that one converts names by the locale and adds times we do not want.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "files/tar_entry.h"

namespace sa {

// The blocks for an entry of any size, of time 0 and owner 0; names and link texts of any length and of any bytes but NUL. A
// file, directory or symlink.
std::string tar_header(TarKind kind, std::string_view name, std::string_view link, mode_t mode, std::uint64_t size);

// What fills up the last block of a content of this size.
std::string tar_padding(std::uint64_t size);

// What ends an archive.
std::string tar_end();

}  // namespace sa
