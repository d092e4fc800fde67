// A small file for this user only, replaced as a whole: readers see the old or the new one. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

// Error: internal with the reason; nothing is left behind.
Result<void> write_private_file(const std::string& path, std::string_view bytes);

// A folder and those above it, as far as they are missing, for this user only. Error: internal with the reason.
Result<void> make_private_folder(const std::string& path);

}  // namespace sa
