// Puts what a downloaded file holds into an empty directory: the entries of an archive, or the file itself when it is a
// program. Blocking; a thread of its own.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop_flag.h"
#include "files/tar_extract.h"

namespace sa {

enum class PackedKind : std::uint8_t { tar, zip, program };  // tar: plain, gzip, bzip2 or zstd

// What a file is, told by its first bytes (512 are enough). Anything that is no archive is a program.
PackedKind packed_kind(std::string_view beginning);

// `file`: open for reading, at any position. `program_name`: what a program is called in the target; it becomes executable.
// It may have '/' in it. No entry leaves the target by name, absolute path or link; a symbolic link that leads out of it is
// refused, and only the owner may write what is unpacked. Errors as those
// of extract_tar().
Result<void> unpack(int file, const TarTarget& target, std::string_view program_name, const TarLimits& limits,
                    const StopFlag& stop);

}  // namespace sa
