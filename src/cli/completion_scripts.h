// The completion scripts. Each asks the binary for candidates (`sandbox-agent complete`), so that none knows a command.
#pragma once

#include <span>
#include <string_view>

namespace sa {

struct CompletionScript {
  std::string_view shell;
  std::string_view text;
};

std::span<const CompletionScript> completion_scripts();

}  // namespace sa
