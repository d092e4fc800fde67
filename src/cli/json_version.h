// The version of what --json prints, for all commands together: fields are added; when one changes or goes this number rises.
#pragma once

namespace sa {

inline constexpr int cli_json_version = 1;

}  // namespace sa
