// `sandbox-agent server`: the daemon in the foreground.
#include <fmt/format.h>

#include <algorithm>

#include "base/settings.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "daemon/daemon.h"

namespace sa {
namespace {

void print_help() {
  fmt::print("sandbox-agent server [options]\n\nRuns the daemon in the foreground until Ctrl-C.\n\n");
  for (const SettingRow& row : setting_rows()) {
    const std::string name = fmt::format("{}{}{}{}", row.short_flag, row.short_flag.empty() ? "" : ", ", row.flag,
                                         row.value.empty() ? "" : fmt::format(" {}", row.value));
    const std::string initial = default_text(row);
    fmt::print("  {:<38} {}", name, row.help);
    if (!row.value.empty() && !initial.empty()) fmt::print(" [{}]", initial);
    if (!row.environment.empty()) fmt::print(" ({})", row.environment);
    fmt::print("\n");
  }
}

}  // namespace

int run_server_command(Arguments arguments) {
  if (std::ranges::any_of(arguments, [](std::string_view argument) { return argument == "--help" || argument == "-h"; })) {
    print_help();
    return 0;
  }
  const auto settings = parse_settings(arguments, from_environment);
  if (!settings) {
    fmt::print(stderr, "error: {}\n  try: sandbox-agent server --help\n", settings.error().detail);
    return 2;
  }
  return run_daemon(*settings);
}

}  // namespace sa
