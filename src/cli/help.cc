#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/text_table.h"

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

constexpr std::size_t widest_name = 38;
constexpr std::size_t command_names = 28;
constexpr std::size_t least_words = 20;  // cells beside a name; with fewer they stand below it

// Words in rows of so many cells, each but the first behind `indent` blanks. `at`: where the first one begins.
void append_words(std::string& text, std::string_view words, std::size_t at, std::size_t indent, std::size_t columns) {
  bool begins = true;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const std::size_t width = width_of(word);
    if (!begins && columns > 0 && at + 1 + width > columns) {
      text.append(1, '\n').append(indent, ' ');
      at = indent;
    } else if (!begins) {
      text += ' ';
      ++at;
    }
    text += word;
    at += width;
    begins = false;
  }
  text += '\n';
}

// A name and what it means, which begins behind `names` cells.
void append_row(std::string& text, std::string_view name, std::string_view words, std::size_t names, std::size_t columns) {
  constexpr std::size_t margin = 2;
  constexpr std::size_t deep = 6;
  text.append(margin, ' ').append(name);
  const std::size_t column = margin + names + 1;
  const std::size_t end = margin + width_of(name) + 1;
  if (columns > 0 && columns < column + least_words) {
    text.append(1, '\n').append(deep, ' ');
    return append_words(text, words, deep, deep, columns);
  }
  if (columns > 0 && end > column) {
    text.append(1, '\n').append(column, ' ');
    return append_words(text, words, column, column, columns);
  }
  text.append(std::max(column, end) - end + 1, ' ');
  append_words(text, words, std::max(column, end), column, columns);
}

void append_rows(std::string& text, const std::vector<const Command*>& rows, std::size_t columns) {
  for (const Command* command : rows) append_row(text, command->name, command->summary, command_names, columns);
}

// On a narrow terminal names have no more room than they need.
std::size_t room_for_names(const Command& command, std::size_t columns) {
  if (columns == 0) return widest_name;
  std::size_t widest = 0;
  for (const Argument& argument : command.arguments) widest = std::max(widest, width_of(argument.name));
  for (const Option& option : options_of(command)) widest = std::max(widest, width_of(option_text(option)));
  return std::min({widest, widest_name, columns / 3});
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

std::string help_text(std::size_t columns) {
  std::string text;
  fmt::format_to(std::back_inserter(text), "sandbox-agent {} — coding agents behind one HTTP API\n", version);
  for (const SectionRow& section : section_rows) {
    fmt::format_to(std::back_inserter(text), "\n{}\n", section.title);
    if (section.section == Section::api) {
      append_row(text, "api …", "sandbox-agent api --help lists them", command_names, columns);
      continue;
    }
    std::vector<const Command*> rows;
    std::ranges::copy_if(commands(), std::back_inserter(rows),
                         [&](const Command* command) { return command->section == section.section; });
    append_rows(text, rows, columns);
  }
  text += '\n';
  append_words(text, "Every command explains itself with --help. Begin with: sandbox-agent run \"hello\"", 0, 0, columns);
  return text;
}

std::string group_help_text(std::string_view group, std::size_t columns) {
  std::string text;
  fmt::format_to(std::back_inserter(text), "sandbox-agent {} …\n\n", group);
  append_rows(text, commands_below(group), columns);
  fmt::format_to(std::back_inserter(text), "\nEach explains itself with --help.\n");
  return text;
}

std::string command_help_text(const Command& command, std::size_t columns) {
  const std::size_t names = room_for_names(command, columns);
  const bool has_settings = command.shared == Shared::settings || !command.settings.empty();
  std::string text = fmt::format("sandbox-agent {}\n\n", usage_of(command));
  append_words(text, fmt::format("{}.{}{}", command.summary, command.help.empty() ? "" : " ", command.help), 0, 0, columns);
  if (!command.arguments.empty()) text += '\n';
  for (const Argument& argument : command.arguments) append_row(text, argument.name, argument.help, names, columns);
  text += '\n';
  for (const Option& option : options_of(command))
    append_row(text, option_text(option), fmt::format("{}{}", option.help, has_settings ? more_of(option.name) : ""), names,
               columns);
  if (!command.example.empty()) fmt::format_to(std::back_inserter(text), "\nExample: {}\n", command.example);
  return text;
}

}  // namespace sa
