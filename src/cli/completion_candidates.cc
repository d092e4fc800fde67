#include "cli/completion_candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_members.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "client/message.h"

namespace sa {
namespace {

// A shell that breaks words at '=' gives "--color=al" as three. "api v1 …" is "api …".
std::vector<std::string_view> as_meant(std::vector<std::string_view> words) {
  if (words.empty()) words.emplace_back("");
  if (words.back() == "=") words.back() = "";
  std::erase(words, "=");
  if (words.size() > 2 && words[0] == "api" && words[1] == "v1") words.erase(words.begin() + 1);
  return words;
}

std::string joined(CommandWords words) { return fmt::format("{}", fmt::join(words, " ")); }

// The words that may follow `before` in the name of a command.
void add_command_words(Candidates& all, CommandWords before, std::string_view begun) {
  const std::string start = before.empty() ? "" : joined(before) + " ";
  for (const Command* command : commands()) {
    if (command->section == Section::hidden || !command->name.starts_with(start)) continue;
    const std::string_view rest = command->name.substr(start.size());
    const std::string word(rest.substr(0, rest.find(' ')));
    if (!word.starts_with(begun)) continue;
    const auto same = std::ranges::find(all.words, word, &Candidate::word);
    const std::string help = word == rest ? std::string(command->summary) : group_words(start + word);
    if (same == all.words.end()) {
      all.words.push_back({word, help});
    } else if (word == rest) {
      same->help = help;
    }
  }
}

void add_matching(Candidates& all, const std::vector<Candidate>& known, std::string_view begun, std::string_view prefix) {
  for (const Candidate& candidate : known)
    if (candidate.word.starts_with(begun)) all.words.push_back({std::string(prefix) + candidate.word, candidate.help});
}

std::vector<Candidate> split(std::string_view words) {
  std::vector<Candidate> all;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    all.push_back({std::string(words.substr(0, end)), ""});
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return all;
}

// Values of an option or argument; `prefix` is what stands before them in the same word.
void add_values(Candidates& all, Completes completes, std::string_view words, std::string_view begun, std::string_view prefix,
                const CompletionSources& sources) {
  switch (completes) {
    case Completes::nothing: return;
    case Completes::file:
    case Completes::folder: all.paths = completes; return;
    case Completes::agent: return add_matching(all, sources.agents(), begun, prefix);
    case Completes::instance: return add_matching(all, sources.instances(), begun, prefix);
    case Completes::words: return add_matching(all, split(words), begun, prefix);
  }
}

// A command line behind its command's name, up to the word that is begun.
struct Line {
  const Option* awaits_value = nullptr;
  std::size_t arguments = 0;
  bool behind_dashes = false;
  std::set<std::string_view> given;  // options
};

const Option* find_option(const std::vector<Option>& options, std::string_view name) {
  const auto found = std::ranges::find_if(
      options, [name](const Option& option) { return option.name == name || (option.short_name == name && !name.empty()); });
  return found == options.end() ? nullptr : &*found;
}

Line parse_line(CommandWords words, const std::vector<Option>& options) {
  Line line;
  for (const std::string_view word : words) {
    if (line.awaits_value) {
      line.awaits_value = nullptr;
    } else if (line.behind_dashes || !word.starts_with('-') || word == "-") {
      ++line.arguments;
    } else if (word == "--") {
      line.behind_dashes = true;
    } else if (const Option* option = find_option(options, word.substr(0, word.find('=')))) {
      line.given.insert(option->name);
      if (!option->value.empty() && !word.contains('=')) line.awaits_value = option;
    }
  }
  return line;
}

void add_options(Candidates& all, const std::vector<Option>& options, const Line& line, std::string_view begun,
                 const CompletionSources& sources) {
  if (const std::size_t equals = begun.find('='); equals != std::string_view::npos) {
    if (const Option* option = find_option(options, begun.substr(0, equals)))
      add_values(all, option->completes, option->words, begun.substr(equals + 1), begun.substr(0, equals + 1), sources);
    return;
  }
  for (const Option& option : options)
    if (option.name.starts_with(begun) && !line.given.contains(option.name))
      all.words.push_back({std::string(option.name), std::string(option.help)});
}

void add_argument(Candidates& all, const Command& command, const Line& line, std::string_view begun,
                  const CompletionSources& sources) {
  if (line.behind_dashes && command.takes_rest) {
    all.paths = Completes::file;
    return;
  }
  if (command.arguments.empty()) return;
  const Argument& last = command.arguments.back();
  const bool repeats = last.count == Argument::Count::some || last.count == Argument::Count::any;
  if (line.arguments >= command.arguments.size() && !repeats) return;
  const Argument& argument = command.arguments[std::min(line.arguments, command.arguments.size() - 1)];
  add_values(all, argument.completes, argument.words, begun, "", sources);
}

}  // namespace

Candidates complete_words(std::vector<std::string_view> words, const CompletionSources& sources) {
  words = as_meant(std::move(words));
  const std::string_view begun = words.back();
  words.pop_back();
  Candidates all;
  const FoundCommand found = find_command(words);
  if (found.words == words.size() || !found.command) add_command_words(all, words, begun);
  if (!found.command) {
    if (words.empty() && begun.starts_with('-'))
      add_matching(all, {{"--help", "explain the commands"}, {"--version", "print the version"}}, begun, "");
    return all;
  }
  const std::vector<Option> options = options_of(*found.command);
  const Line line = parse_line(CommandWords(words).subspan(found.words), options);
  if (line.awaits_value) {
    add_values(all, line.awaits_value->completes, line.awaits_value->words, begun, "", sources);
  } else if (begun.starts_with('-') && !line.behind_dashes) {
    add_options(all, options, line, begun, sources);
  } else {
    add_argument(all, *found.command, line, begun, sources);
  }
  return all;
}

std::vector<Candidate> instances_in(std::string_view answer) {
  std::vector<Candidate> all;
  const auto list = read_json(answer);
  if (!list || !list->is_object()) return all;
  for (const boost::json::value& each : array_member(list->get_object(), "servers")) {
    if (!each.is_object()) continue;
    const std::string_view id = string_member(each.get_object(), "serverId");
    const std::string_view agent = string_member(each.get_object(), "agent");
    if (!id.empty() && is_printable_utf8(id) && is_printable_utf8(agent)) all.push_back({std::string(id), std::string(agent)});
  }
  return all;
}

}  // namespace sa
