#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "cli/commands.h"

namespace sa {
namespace {

constexpr SectionRow section_rows[] = {
    {Section::first, "First steps"},
    {Section::daemon, "The daemon"},
    {Section::instances, "What is running"},
    {Section::agents, "Agents and keys"},
    {Section::tools, "Tools"},
    {Section::api, "The HTTP API, one command per route"},
};

std::string argument_text(const Argument& argument) {
  switch (argument.count) {
    case Argument::Count::one: return std::string(argument.name);
    case Argument::Count::optional: return fmt::format("[{}]", argument.name);
    case Argument::Count::some: return fmt::format("{}…", argument.name);
    case Argument::Count::any: return fmt::format("[{}…]", argument.name);
  }
  return "";
}

void append_rows(std::string& text, const std::vector<const Command*>& rows) {
  for (const Command* command : rows)
    fmt::format_to(std::back_inserter(text), "  {:<28} {}\n", command->name, command->summary);
}

// What the settings table knows besides.
std::string more_of(std::string_view option) {
  const auto row = std::ranges::find(setting_rows(), option, &SettingRow::flag);
  if (row == setting_rows().end()) return "";
  const std::string initial = default_text(*row);
  std::string more;
  if (!row->value.empty() && !initial.empty()) more += fmt::format(" [{}]", initial);
  if (!row->environment.empty()) more += fmt::format(" ({})", row->environment);
  return more;
}

}  // namespace

std::span<const SectionRow> sections() { return section_rows; }

std::string usage_of(const Command& command) {
  std::string text(command.name);
  for (const Argument& argument : command.arguments) text += " " + argument_text(argument);
  text += " [options]";
  if (command.takes_rest) text += " [-- COMMAND…]";
  return text;
}

std::string option_text(const Option& option) {
  return fmt::format("{}{}{}{}{}", option.short_name, option.short_name.empty() ? "" : ", ", option.name,
                     option.value.empty() ? "" : " ", option.value);
}

std::string group_words(std::string_view group) {
  std::vector<std::string_view> words;
  for (const Command* command : commands_below(group)) {
    std::string_view rest = command->name.substr(group.size() + 1);
    rest = rest.substr(0, rest.find(' '));
    if (std::ranges::find(words, rest) == words.end()) words.push_back(rest);
  }
  return fmt::format("one of: {}", fmt::join(words, ", "));
}

std::string help_text() {
  std::string text;
  fmt::format_to(std::back_inserter(text), "sandbox-agent {} — coding agents behind one HTTP API\n", version);
  for (const SectionRow& section : section_rows) {
    fmt::format_to(std::back_inserter(text), "\n{}\n", section.title);
    if (section.section == Section::api) {
      fmt::format_to(std::back_inserter(text), "  {:<28} {}\n", "api …", "sandbox-agent api --help lists them");
      continue;
    }
    std::vector<const Command*> rows;
    std::ranges::copy_if(commands(), std::back_inserter(rows),
                         [&](const Command* command) { return command->section == section.section; });
    append_rows(text, rows);
  }
  fmt::format_to(std::back_inserter(text),
                 "\nEvery command explains itself with --help. Begin with: sandbox-agent run \"hello\"\n");
  return text;
}

std::string group_help_text(std::string_view group) {
  std::string text;
  fmt::format_to(std::back_inserter(text), "sandbox-agent {} …\n\n", group);
  append_rows(text, commands_below(group));
  fmt::format_to(std::back_inserter(text), "\nEach explains itself with --help.\n");
  return text;
}

std::string command_help_text(const Command& command) {
  std::string text;
  fmt::format_to(std::back_inserter(text), "sandbox-agent {}\n\n{}.", usage_of(command), command.summary);
  if (!command.help.empty()) fmt::format_to(std::back_inserter(text), " {}", command.help);
  fmt::format_to(std::back_inserter(text), "\n");
  if (!command.arguments.empty()) fmt::format_to(std::back_inserter(text), "\n");
  for (const Argument& argument : command.arguments)
    fmt::format_to(std::back_inserter(text), "  {:<38} {}\n", argument.name, argument.help);
  fmt::format_to(std::back_inserter(text), "\n");
  for (const Option& option : options_of(command))
    fmt::format_to(std::back_inserter(text), "  {:<38} {}{}\n", option_text(option), option.help,
                   command.shared == Shared::settings || !command.settings.empty() ? more_of(option.name) : "");
  if (!command.example.empty()) fmt::format_to(std::back_inserter(text), "\nExample: {}\n", command.example);
  return text;
}

}  // namespace sa
