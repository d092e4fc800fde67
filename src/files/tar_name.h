// The name an archive gives an entry, checked in words. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

// The way below the target: components joined by single slashes, none of them empty, "." or ".."; empty for the target itself.
// invalid_request for what may not be written: an absolute name, "..", NUL, longer than file systems take, nothing at all.
Result<std::string> clean_tar_name(std::string_view name);

// A clean name's directory (empty: the target) and its last component.
struct TarNameParts {
  std::string_view directory;
  std::string_view last;
};
TarNameParts split_tar_name(std::string_view clean_name);

// True when the symbolic link with this clean name and text cannot lead out of the target, whatever other such links its way
// leads through. So "..", as often as its directory is deep, may only stand at the beginning: behind a name, which may be
// that of a link, it leads to nobody knows where.
bool stays_inside(std::string_view clean_name, std::string_view text);

}  // namespace sa
