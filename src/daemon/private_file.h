// A small file for this user only, replaced as a whole: readers see the old or the new one. Blocking; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

// Its folder must be there. Error: internal with the reason; nothing is left behind.
Result<void> write_private_file(const std::string& path, std::string_view bytes);

}  // namespace sa
