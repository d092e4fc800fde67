#include "cli/commands.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <functional>

#include "cli/advice.h"
#include "cli/api_commands.h"
#include "cli/help.h"
#include "cli/meant_command.h"

namespace sa {

extern const Command run_command_row, up_command, ui_command;
extern const Command server_command, daemon_start_command, daemon_stop_command, daemon_status_command;
extern const Command ps_command, logs_command, attach_command, stop_command, trace_export_command, trace_import_command,
    trace_check_command;
extern const Command agents_list_command, agents_info_command, agents_install_command, agents_remove_command,
    agents_bundle_command, install_agent_command;
extern const Command credentials_status_command, credentials_extract_command, credentials_extract_env_command;
extern const Command doctor_command;
extern const Command version_command, help_command;
extern const Command completion_command, complete_command;
extern const Command mock_agent_command, reference_command;

namespace {

std::vector<const Command*> all_commands() {
  std::vector<const Command*> all{
      &run_command_row,
      &up_command,
      &ui_command,
      &server_command,
      &daemon_start_command,
      &daemon_stop_command,
      &daemon_status_command,
      &ps_command,
      &logs_command,
      &attach_command,
      &stop_command,
      &trace_export_command,
      &trace_import_command,
      &trace_check_command,
      &agents_list_command,
      &agents_info_command,
      &agents_install_command,
      &agents_remove_command,
      &agents_bundle_command,
      &install_agent_command,
      &credentials_status_command,
      &credentials_extract_command,
      &credentials_extract_env_command,
      &doctor_command,
      &completion_command,
      &version_command,
      &help_command,
      &mock_agent_command,
      &reference_command,
      &complete_command,
  };
  for (const Command& command : api_commands()) all.push_back(&command);
  return all;
}

// Groups whose bare name means one of their commands.
constexpr std::pair<std::string_view, std::string_view> shortcuts[] = {{"agents", "list"}};

std::vector<std::string_view> as_meant(CommandWords words) {
  std::vector<std::string_view> meant(words.begin(), words.end());
  if (meant.front() == "--help" || meant.front() == "-h") meant.front() = "help";
  if (meant.front() == "--version" || meant.front() == "-V") meant.front() = "version";
  if (meant.size() > 1 && meant[0] == "api" && meant[1] == "v1") meant.erase(meant.begin() + 1);
  for (const auto& [group, command] : shortcuts)
    if (meant.front() == group &&
        (meant.size() == 1 || (meant[1].starts_with('-') && meant[1] != "--help" && meant[1] != "-h")))
      meant.insert(meant.begin() + 1, command);
  return meant;
}

// The longest beginning of the words that other words may follow: "api fs" of {"api", "fs", "sat"}.
struct Group {
  std::string name;
  std::size_t words = 0;
};

Group group_of(const std::vector<std::string_view>& words) {
  Group group;
  for (const std::string_view word : words) {
    const std::string longer = group.name.empty() ? std::string(word) : fmt::format("{} {}", group.name, word);
    if (commands_below(longer).empty()) break;
    group = {longer, group.words + 1};
  }
  return group;
}

// Options may stand in front of the command's name: behind it they mean the same.
std::vector<std::string_view> options_behind(std::vector<std::string_view> words) {
  std::size_t options = 0;
  while (options < words.size() && words[options].starts_with('-')) options += takes_next_word(words[options]) ? 2 : 1;
  if (options == 0 || options >= words.size()) return words;
  const std::vector<std::string_view> front(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(options));
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(options));
  const std::size_t name = std::max<std::size_t>(find_command(words).words, 1);
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(name), front.begin(), front.end());
  return words;
}

int show_help(const std::function<std::string(std::size_t columns)>& text) {
  Console console(ConsoleWishes{});
  if (console.print(text(console.result_columns())) || console.write_error() == EPIPE) return 0;
  console.fail({.what = "stdout cannot be written", .why = errno_text(console.write_error())});
  return static_cast<int>(Exit::failure);
}

int refuse_unknown(const std::vector<std::string_view>& words) {
  const Group group = group_of(words);
  const bool wants_help = std::ranges::any_of(words, [](std::string_view word) { return word == "--help" || word == "-h"; });
  if (group.words > 0 && wants_help)
    return show_help([&group](std::size_t columns) { return group_help_text(group.name, columns); });
  std::string name = group.name;
  if (group.words < words.size()) name.append(name.empty() ? "" : " ").append(words[group.words]);
  const std::vector<std::string> meant = meant_commands(words);
  const std::string explain =
      group.words > 0 ? fmt::format("sandbox-agent {} --help", group.name) : std::string("sandbox-agent help");
  Failure failure{.exit = Exit::usage,
                  .what = fmt::format("there is no command '{}'", name),
                  .why = meant.empty() ? "" : fmt::format("is it '{}'?", fmt::join(meant, "' or '")),
                  .what_to_do = explain};
  if (group.words > 0 && (words.size() == group.words || words[group.words].starts_with('-')))
    failure = {.exit = Exit::usage,
               .what = fmt::format("'{}' needs a word more", group.name),
               .why = group_words(group.name),
               .what_to_do = explain};
  Console(ConsoleWishes{.json = std::ranges::find(words, "--json") != words.end()}).fail(failure);
  return static_cast<int>(failure.exit);
}

int run_found(const Command& command, CommandWords words) {
  auto given = Invocation::parse(command, words);
  if (!given) {
    Console(ConsoleWishes{.json = std::ranges::find(words, "--json") != words.end()}).fail(given.error());
    return static_cast<int>(given.error().exit);
  }
  if (given->wants_help()) return show_help([&command](std::size_t columns) { return command_help_text(command, columns); });
  Outcome<Exit> outcome = command.run(*given);
  if (const int error = given->console().write_error(); error != 0 && error != EPIPE)
    outcome = failed({.what = "stdout cannot be written", .why = errno_text(error)});
  if (outcome) return static_cast<int>(*outcome);
  given->console().fail(at_command_line(outcome.error(), command));
  return static_cast<int>(outcome.error().exit);
}

}  // namespace

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> all = all_commands();
  return all;
}

FoundCommand find_command(CommandWords words) {
  FoundCommand found;
  std::string name;
  for (std::size_t count = 1; count <= words.size() && !words[count - 1].starts_with('-'); ++count) {
    if (count > 1) name += ' ';
    name += words[count - 1];
    const auto match = std::ranges::find(commands(), name, [](const Command* command) { return command->name; });
    if (match != commands().end()) found = {*match, count};
  }
  return found;
}

std::vector<const Command*> commands_below(std::string_view group) {
  std::vector<const Command*> below;
  for (const Command* command : commands())
    if (group.empty() || (command->name.starts_with(group) && command->name.substr(group.size()).starts_with(' ')))
      below.push_back(command);
  return below;
}

int run_command(CommandWords words) {
  ::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is noticed where it is written to
  if (words.empty()) return show_help(help_text), static_cast<int>(Exit::usage);
  const std::vector<std::string_view> meant = options_behind(as_meant(words));
  const FoundCommand found = find_command(meant);
  if (!found.command) return refuse_unknown(meant);
  return run_found(*found.command, CommandWords(meant).subspan(found.words));
}

}  // namespace sa
