// Opens a link in the user's browser, where there is one: $BROWSER, else what the desktop opens links with.
#pragma once

#include <string>

namespace sa {

// False when there is none. Does not wait for it.
bool open_in_browser(const std::string& link);

}  // namespace sa
