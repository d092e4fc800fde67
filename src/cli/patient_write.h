// Writing to somebody who may take it late, or never: the reader of a pipe, a terminal.
#pragma once

#include <string_view>

namespace sa {

// All of it; who wants to end or stop us meanwhile is heard. 0, or an errno; EINTR: somebody wants to end us.
int write_patiently(int file, std::string_view bytes);

}  // namespace sa
