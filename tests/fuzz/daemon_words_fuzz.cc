// The input is what a daemon said before it ended at its start; its lines are also the settings somebody gave for one. Held: a
// failure says what the daemon said, line by line, or its last line, and never nothing; settings for another folder are the
// same ones, in the same places, with absolute paths, and once is enough.
#include <algorithm>
#include <sstream>
#include <string>

#include "agents/catalog.h"
#include "base/settings.h"
#include "daemon/background_words.h"
#include "daemon/detached_server.h"
#include "fuzz_input.h"

namespace sa::fuzz {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

bool has_line(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

void check_failure(std::string_view text, const std::vector<std::string>& lines) {
  const Failure failure = failure_said_in(std::string(text), Exit::usage);
  hold(failure.exit == Exit::usage && failure.more == text, "a failure keeps all that was said");
  const auto error = std::ranges::find_if(lines, [](const std::string& line) {
    return line.starts_with("error: ") && line.size() > std::string_view("error: ").size();
  });
  if (error == lines.end()) {
    const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) { return !line.empty(); });
    hold(!failure.what.empty() && failure.why == (last == lines.rend() ? "" : *last), "without an error the last line is why");
    return;
  }
  const std::vector<std::string> behind(error + 1, lines.end());
  hold("error: " + failure.what == *error, "the first error is what failed");
  hold(failure.why.empty() || has_line(behind, "  " + failure.why), "the reason stands behind it");
  hold(failure.what_to_do.empty() || has_line(behind, "  try: " + failure.what_to_do), "and so does the advice");
}

Result<Settings> settings_of(const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  return parse_settings(views, [](std::string_view) { return std::nullopt; });
}

bool is_made_absolute(const std::string& path, const std::string& given) {
  return path.starts_with('/') && path.ends_with("/" + given);
}

// "id=command line", also behind "--agent=".
bool is_same_agent(std::string_view away, std::string_view given) {
  constexpr std::string_view flag = "--agent=";
  const bool is_joined = away.starts_with(flag) && given.starts_with(flag);
  const auto there = parse_agent_flag(std::string(away.substr(is_joined ? flag.size() : 0)));
  const auto here = parse_agent_flag(std::string(given.substr(is_joined ? flag.size() : 0)));
  if (!there || !here || there->id != here->id || there->command.size() != here->command.size()) return false;
  return is_made_absolute(there->command.front(), here->command.front()) &&
         std::equal(there->command.begin() + 1, there->command.end(), here->command.begin() + 1);
}

void check_settings(const std::vector<std::string>& words) {
  const std::vector<std::string> away = from_anywhere(words);
  hold(away.size() == words.size(), "no setting is lost or added");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=') + 1;  // npos + 1 is 0
    const bool is_joined =
        away[i].starts_with(words[i].substr(0, equals)) && is_made_absolute(away[i].substr(equals), words[i].substr(equals));
    hold(away[i] == words[i] || is_joined || is_made_absolute(away[i], words[i]) || is_same_agent(away[i], words[i]),
         "a setting is the same, or its path is absolute");
  }
  hold(from_anywhere(away) == away, "once is enough");
  hold(name_a_port(away) == name_a_port(words), "the port is named as before");
  const auto settings = settings_of(away);
  hold(settings.has_value() == settings_of(words).has_value(), "what was understood is, and what was not is not");
  if (!settings) return;
  for (const std::string& path : {settings->token_file, settings->agents_dir, settings->fs_root, settings->log_file})
    hold(path.empty() || path.starts_with('/'), "a path means the same everywhere");
}

void check(std::string_view input) {
  const auto lines = lines_of(input);
  check_failure(input, lines);
  check_settings(lines);
}

}  // namespace
}  // namespace sa::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sa::fuzz::check(sa::fuzz::text_of(data, size));
  return 0;
}
