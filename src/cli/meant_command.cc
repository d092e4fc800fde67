#include "cli/meant_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/nearest.h"
#include "cli/commands.h"

namespace sa {
namespace {

struct Synonym {
  std::string_view word;
  std::string_view command;
  std::string_view or_command{};
};

// Words that other programs have for what ours calls differently.
constexpr Synonym synonyms[] = {
    {"ask", "run"},
    {"auth", "credentials status"},
    {"chat", "run"},
    {"check", "doctor"},
    {"exec", "run"},
    {"info", "agents info"},
    {"install", "agents install"},
    {"inspect", "ui"},
    {"keys", "credentials status"},
    {"kill", "stop"},
    {"list", "ps", "agents list"},
    {"login", "credentials status"},
    {"ls", "ps", "agents list"},
    {"open", "ui"},
    {"prompt", "run"},
    {"remove", "agents remove"},
    {"serve", "server"},
    {"sessions", "ps"},
    {"start", "up", "daemon start"},
    {"status", "daemon status", "ps"},
    {"uninstall", "agents remove"},
    {"update", "agents install"},
    {"upgrade", "agents install"},
};

std::size_t words_in(std::string_view name) { return static_cast<std::size_t>(std::ranges::count(name, ' ')) + 1; }

std::string joined(CommandWords words) { return fmt::format("{}", fmt::join(words, " ")); }

// The command with what stood behind the words it replaces, if it takes any.
std::string with_rest(std::string_view command, CommandWords rest) {
  std::vector<std::string_view> name;
  for (std::string_view left = command; !left.empty();) {
    const std::size_t space = left.find(' ');
    name.push_back(left.substr(0, space));
    left.remove_prefix(space == std::string_view::npos ? left.size() : space + 1);
  }
  const Command* found = find_command(name).command;
  if (!found || found->arguments.empty() || rest.empty()) return std::string(command);
  return fmt::format("{} {}", command, joined(rest));
}

const Synonym* synonym_of(std::string_view word) {
  const auto* row = std::ranges::find(synonyms, word, &Synonym::word);
  return row == std::end(synonyms) ? nullptr : row;
}

std::vector<std::string> meant_by(const Synonym& row, CommandWords rest) {
  std::vector<std::string> meant{with_rest(row.command, rest)};
  if (!row.or_command.empty()) meant.emplace_back(row.or_command);
  return meant;
}

// Names of so many words; of one word also the first words of longer ones, and those of other programs.
std::vector<std::string_view> names_of(std::size_t count) {
  std::vector<std::string_view> names;
  for (const Command* command : commands()) {
    if (command->section == Section::hidden) continue;
    if (words_in(command->name) == count) names.push_back(command->name);
    if (count == 1) names.push_back(command->name.substr(0, command->name.find(' ')));
  }
  if (count == 1) std::ranges::transform(synonyms, std::back_inserter(names), &Synonym::word);
  return names;
}

// The name somebody probably meant: of a short word hardly anything may be different, or every word would mean something.
std::string_view near_name(std::string_view word, const std::vector<std::string_view>& names) {
  const std::string_view meant = nearest(word, names);
  const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
  return distance_between(word, meant) <= most ? meant : std::string_view();
}

}  // namespace

std::vector<std::string> meant_commands(CommandWords words) {
  const auto option = std::ranges::find_if(words, [](std::string_view word) { return word.starts_with('-'); });
  const CommandWords plain = words.first(static_cast<std::size_t>(option - words.begin()));
  if (plain.empty()) return {};
  if (const Synonym* row = synonym_of(plain.front())) return meant_by(*row, plain.subspan(1));
  constexpr std::size_t most = 3;
  for (std::size_t count = std::min(plain.size(), most); count > 0; --count) {
    const std::vector<std::string_view> names = names_of(count);
    const std::string_view meant = near_name(joined(plain.first(count)), names);
    if (meant.empty()) continue;
    const Synonym* row = synonym_of(meant);
    return row ? meant_by(*row, plain.subspan(count)) : std::vector{with_rest(meant, plain.subspan(count))};
  }
  return {};
}

}  // namespace sa
