// `sandbox-agent reference …`: the generated pages under docs/reference.
#include <fmt/format.h>

#include "base/settings.h"
#include "cli/commands.h"

namespace sa {

int run_reference_command(Arguments arguments) {
  if (arguments.size() != 1 || arguments.front() != "settings") {
    fmt::print(stderr, "error: there is no such page\n  try: sandbox-agent reference settings\n");
    return 2;
  }
  fmt::print("# Settings of `sandbox-agent server`\n\n<!-- generated from src/base/settings.cc by `make reference` -->\n\n");
  fmt::print("Flags beat environment variables.\n\n| Flag | Environment | Default | What it does |\n|---|---|---|---|\n");
  for (const SettingRow& row : setting_rows()) {
    const std::string name = fmt::format("`{}{}{}`{}", row.flag, row.value.empty() ? "" : " ", row.value,
                                         row.short_flag.empty() ? "" : fmt::format(", `{}`", row.short_flag));
    const std::string environment = row.environment.empty() ? "" : fmt::format("`{}`", row.environment);
    fmt::print("| {} | {} | {} | {} |\n", name, environment, default_text(row), row.help);
  }
  return 0;
}

}  // namespace sa
