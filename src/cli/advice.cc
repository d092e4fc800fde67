#include "cli/advice.h"

#include <algorithm>
#include <cctype>

#include "cli/invocation.h"

namespace sa {
namespace {

struct Phrase {
  std::string_view over_http;
  std::string_view here;
};

constexpr Phrase phrases[] = {
    {"DELETE the instance and POST with ?agent= to start a new one.", "The same command again starts a new one."},
    {"DELETE the instance and start a new one.", "The same command again starts a new one."},
    {"POST with ?agent= to start a new one.", "The same command again starts a new one."},
    {"POST to it with ?agent= to start one.", "'sandbox-agent ps' lists those there are."},
    {"Wait for answers, or DELETE the instance.", "Wait for answers, or end it with 'sandbox-agent stop'."},
    {"DELETE some, or raise --max-instances.",
     "End some with 'sandbox-agent stop', or start the daemon with a larger --max-instances."},
};

// Its id stands in the middle: "Others can be offered with --agent mine=<command>."
constexpr Phrase other_agents{"Others can be offered with --agent ",
                              "Others can be offered with 'sandbox-agent up -- <command>'."};

void replace_phrases(std::string& text) {
  for (const Phrase& phrase : phrases)
    if (const std::size_t at = text.find(phrase.over_http); at != std::string::npos)
      text.replace(at, phrase.over_http.size(), phrase.here);
  if (const std::size_t at = text.find(other_agents.over_http); at != std::string::npos)
    text.replace(at, std::string::npos, other_agents.here);
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || (text[at] != '-' && std::isalnum(static_cast<unsigned char>(text[at])) == 0);
}

bool takes(const Command& command, std::string_view flag) {
  const auto options = options_of(command);
  return std::ranges::find(options, flag, &Option::name) != options.end();
}

// A setting the command does not take is given by its variable.
void name_variables(std::string& text, const Command& command) {
  for (const SettingRow& row : setting_rows()) {
    const std::size_t at = text.find(row.flag);
    if (row.environment.empty() || at == std::string::npos || !ends_word(text, at + row.flag.size())) continue;
    if (!takes(command, row.flag)) text.replace(at, row.flag.size(), row.environment);
  }
}

}  // namespace

Failure at_command_line(Failure failure, const Command& command) {
  if (command.section == Section::api) return failure;
  replace_phrases(failure.what);
  name_variables(failure.what_to_do, command);
  return failure;
}

}  // namespace sa
