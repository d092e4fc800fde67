#include "cli/advice.h"

#include <algorithm>
#include <cctype>

#include "cli/commands.h"

namespace sa {
namespace {

struct Phrase {
  std::string_view over_http;
  std::string_view here;
};

constexpr Phrase phrases[] = {
    {"DELETE the instance and POST with ?agent= to start a new one.", "the same command again: it starts a new one"},
    {"DELETE the instance and start a new one.", "the same command again: it starts a new one"},
    {"POST with ?agent= to start a new one.", "the same command again: it starts a new one"},
    {"POST to it with ?agent= to start one.", "sandbox-agent ps, which lists those there are"},
    {"Wait for answers, or DELETE the instance.", "wait for answers, or end it with: sandbox-agent stop"},
    {"DELETE some, or raise --max-instances.",
     "sandbox-agent stop, to end some — or a daemon with a larger --max-instances: sandbox-agent daemon start"},
};

// Its id stands in the middle: "Others can be offered with --agent mine=<command>."
constexpr Phrase other_agents{"Others can be offered with --agent ",
                              "sandbox-agent agents list   — or any other: sandbox-agent up -- <command>"};

// What the daemon advises clients to do over HTTP is no part of what happened: it becomes what to do here.
void move_advice(Failure& failure) {
  const auto take = [&failure](const Phrase& phrase, std::size_t length) {
    const std::size_t at = failure.what.find(phrase.over_http);
    if (at == std::string::npos) return;
    failure.what.erase(at, length);
    while (failure.what.ends_with(' ')) failure.what.pop_back();
    if (failure.what_to_do.empty()) failure.what_to_do = phrase.here;
  };
  for (const Phrase& phrase : phrases) take(phrase, phrase.over_http.size());
  take(other_agents, std::string::npos);
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || (text[at] != '-' && std::isalnum(static_cast<unsigned char>(text[at])) == 0);
}

bool takes(const Command& command, std::string_view flag) {
  const auto options = options_of(command);
  return std::ranges::find(options, flag, &Option::name) != options.end();
}

// The command that is advised and whose line this is a part of; none when it stands in no such line.
const Command* command_at(std::string_view text, std::size_t at) {
  constexpr std::string_view program = "sandbox-agent ";
  const std::size_t named = text.substr(0, at).rfind(program);
  if (named == std::string_view::npos) return nullptr;
  std::vector<std::string_view> words;
  for (std::string_view rest = text.substr(named + program.size()); !rest.empty();) {
    const std::size_t space = rest.find(' ');
    words.push_back(rest.substr(0, space));
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  return find_command(words).command;
}

// A setting the command does not take is given by its variable, but in a command line that is advised and does take it.
void name_variables(std::string& text, const Command& command) {
  for (const SettingRow& row : setting_rows()) {
    if (row.environment.empty() || takes(command, row.flag)) continue;
    for (std::size_t at = 0; (at = text.find(row.flag, at)) != std::string::npos; ++at) {
      const Command* advised = command_at(text, at);
      if (ends_word(text, at + row.flag.size()) && !(advised && takes(*advised, row.flag)))
        text.replace(at, row.flag.size(), row.environment);
    }
  }
}

}  // namespace

Failure at_command_line(Failure failure, const Command& command) {
  if (command.section == Section::api) return failure;
  move_advice(failure);
  name_variables(failure.what_to_do, command);
  return failure;
}

}  // namespace sa
