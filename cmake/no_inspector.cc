// The table of a build without the inspector page (-DINSPECTOR=OFF).
#include "api/ui_files.h"

namespace sa {

std::span<const UiFile> ui_files() { return {}; }

}  // namespace sa
