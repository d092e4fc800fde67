#include "cli/commands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "api/schema.h"
#include "cli/api_commands.h"
#include "cli/help.h"
#include "cli/text_table.h"

namespace sa {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// What is wrong with the words of a command, to be empty.
std::vector<std::string> faults_of(const Command& command) {
  std::vector<std::string> faults;
  const auto check = [&](bool good, std::string_view what) {
    if (!good) faults.push_back(fmt::format("{}: {}", command.name, what));
  };
  check(!command.name.empty() && command.run, "has no name or does nothing");
  check(!command.summary.empty() && is_upper(command.summary.front()) && !command.summary.ends_with('.'),
        "its summary is no sentence without a dot");
  check(command.help.empty() || (command.help.ends_with('.') && !command.help.starts_with(' ')),
        "its help is not of sentences");
  check(command.section == Section::hidden || command.json.schema, "nobody knows what it prints with --json");
  check(!command.json.schema || command.json.help.ends_with('.'), "what it prints with --json is not explained");
  for (const Argument& argument : command.arguments) {
    check(!argument.help.empty() && !argument.help.ends_with('.'), argument.name);
    check(std::ranges::none_of(argument.name, [](unsigned char c) { return std::islower(c); }), argument.name);
    check((argument.completes == Completes::words) == !argument.words.empty(), argument.name);
  }
  std::set<std::string_view> names, short_names;
  for (const Option& option : options_of(command)) {
    check(option.name.starts_with("--") && names.insert(option.name).second, option.name);
    check(!option.help.empty() && !option.help.ends_with('.'), option.name);
    check((option.completes == Completes::words) == !option.words.empty(), option.name);
    check(option.short_name.empty() || (option.short_name.size() == 2 && short_names.insert(option.short_name).second),
          option.short_name);
  }
  return faults;
}

}  // namespace

TEST_CASE("every command, argument and option is explained, and each name is there once") {
  std::set<std::string_view> names;
  for (const Command* command : commands()) {
    CHECK(names.insert(command->name).second);
    for (const std::string& fault : faults_of(*command)) FAIL_CHECK(fault);
  }
}

TEST_CASE("every command that is listed has a section, and what it prints with --json a schema that can be made") {
  for (const Command* command : commands()) {
    if (command->section == Section::hidden) continue;
    CHECK(std::ranges::find(sections(), command->section, &SectionRow::section) != sections().end());
    SchemaBook book;
    if (command->json.schema) CHECK_FALSE(command->json.schema(book).empty());
  }
}

TEST_CASE("the longest name that fits is the command that is meant") {
  const std::vector<std::string_view> words{"api", "acp", "list", "--json"};
  const FoundCommand found = find_command(words);
  REQUIRE(found.command);
  CHECK(found.command->name == "api acp list");
  CHECK(found.words == 3);
  CHECK_FALSE(find_command(std::vector<std::string_view>{"api"}).command);
  CHECK_FALSE(find_command(std::vector<std::string_view>{"--json", "version"}).command);
}

TEST_CASE("help is broken between words where the terminal ends, and nowhere else") {
  const auto widest_row = [](const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
      widest = std::max(widest, width_of(std::string_view(text).substr(at, end - at)));
    return widest;
  };
  const auto unspaced = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const Command& run = *find_command(std::vector<std::string_view>{"run"}).command;
  for (const std::size_t columns : {std::size_t(60), std::size_t(80), std::size_t(132)}) {
    CAPTURE(columns);
    CHECK(widest_row(command_help_text(run, columns)) <= columns);
    CHECK(widest_row(help_text(columns)) <= columns);
    CHECK(unspaced(command_help_text(run, columns)) == unspaced(command_help_text(run)));
  }
  CHECK(command_help_text(run).contains(
      "\n  -c, --continue                         go on with the last conversation with this agent in this folder\n"));
}

TEST_CASE("there is a command for every endpoint that names one, and what it takes follows from its row") {
  for (const Endpoint& endpoint : endpoints()) {
    CAPTURE(endpoint.operation);
    const auto commands_of_it = std::ranges::count(api_commands(), fmt::format("api {}", endpoint.command), &Command::name);
    CHECK(commands_of_it == (endpoint.command.empty() ? 0 : 1));
  }
  const auto row = std::ranges::find(api_commands(), "api agents install", &Command::name);
  REQUIRE(row != api_commands().end());
  REQUIRE(row->arguments.size() == 1);
  CHECK(row->arguments.front().name == "AGENT");
  CHECK(row->arguments.front().completes == Completes::agent);
  std::vector<std::string_view> names;
  for (const Option& option : row->options) names.push_back(option.name);
  CHECK(names ==
        std::vector<std::string_view>{"--reinstall", "--agent-version", "--agent-process-version", "--body", "--stream"});
}

}  // namespace sa
