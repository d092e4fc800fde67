// `sandbox-agent reference …`: the generated pages under docs/reference.
#include <fmt/format.h>

#include <algorithm>

#include "api/api.h"
#include "base/settings.h"
#include "cli/agents_reference.h"
#include "cli/cli_reference.h"
#include "cli/commands.h"
#include "cli/errors_reference.h"
#include "cli/http_reference.h"
#include "client/acp_methods.h"

namespace sa {

namespace {

void print_settings() {
  fmt::print("# Settings of `sandbox-agent server`\n\n<!-- generated from src/base/settings.cc by `make reference` -->\n\n");
  fmt::print("Flags beat environment variables.\n\n| Flag | Environment | Default | What it does |\n|---|---|---|---|\n");
  for (const SettingRow& row : setting_rows()) {
    const std::string name = fmt::format("`{}{}{}`{}", row.flag, row.value.empty() ? "" : " ", row.value,
                                         row.short_flag.empty() ? "" : fmt::format(", `{}`", row.short_flag));
    const std::string environment = row.environment.empty() ? "" : fmt::format("`{}`", row.environment);
    fmt::print("| {} | {} | {} | {} |\n", name, environment, default_text(row), row.help);
  }
}

void print_openapi() { fmt::print("{}", openapi_document()); }
void print_cli_schema() { fmt::print("{}", cli_schema()); }

struct Page {
  std::string_view name;
  void (*print)();
};
constexpr Page pages[] = {{"acp-methods", [] { fmt::print("{}\n", acp_methods_document()); }},
                          {"agents", print_agents_reference},
                          {"cli", print_cli_reference},
                          {"cli-schema", print_cli_schema},
                          {"errors", print_errors_reference},
                          {"http", print_http_reference},
                          {"openapi", print_openapi},
                          {"settings", print_settings}};

constexpr Argument reference_arguments[] = {{"PAGE", "which page", Argument::Count::one}};

Outcome<Exit> print_page(Invocation& given) {
  const auto* page = std::ranges::find(pages, given.argument(), &Page::name);
  if (page == std::end(pages)) {
    std::string names;
    for (const Page& one : pages) names.append(names.empty() ? "" : ", ").append(one.name);
    return failed({.exit = Exit::usage,
                   .what = fmt::format("there is no page '{}'", given.argument()),
                   .why = "there are: " + names,
                   .what_to_do = "sandbox-agent reference settings"});
  }
  page->print();
  return Exit::success;
}

}  // namespace

extern const Command reference_command{.name = "reference",
                                       .section = Section::hidden,
                                       .summary = "Print a reference page",
                                       .arguments = reference_arguments,
                                       .run = print_page};

}  // namespace sa
