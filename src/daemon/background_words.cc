#include "daemon/background_words.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "agents/catalog.h"
#include "base/settings.h"
#include "base/shell_words.h"
#include "daemon/places.h"

namespace sa {
namespace {

// A setting as it is written: "--port 80", "-p 80" or "--port=80".
struct WrittenSetting {
  std::string flag;  // as it was written
  std::optional<std::string> value;
  const SettingRow* row = nullptr;  // none: unknown
  bool is_one_word = false;
};

const SettingRow* find_row(std::string_view name) {
  const auto rows = setting_rows();
  const auto row = std::ranges::find_if(rows, [&](const SettingRow& candidate) {
    return candidate.flag == name || (!candidate.short_flag.empty() && candidate.short_flag == name);
  });
  return row == rows.end() ? nullptr : &*row;
}

std::vector<WrittenSetting> read_words(const std::vector<std::string>& words) {
  std::vector<WrittenSetting> written;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    WrittenSetting setting{.flag = word.substr(0, equals), .is_one_word = equals != std::string::npos};
    setting.row = find_row(setting.flag);
    if (setting.is_one_word) {
      setting.value = word.substr(equals + 1);
    } else if (setting.row && !setting.row->value.empty() && at + 1 < words.size()) {
      setting.value = words[++at];
    }
    written.push_back(std::move(setting));
  }
  return written;
}

bool is_path(const WrittenSetting& setting) {
  if (!setting.row || !setting.value || setting.value->empty()) return false;
  if (setting.row->value == "FILE" || setting.row->value == "DIR") return true;
  return setting.row->flag == "--registry-url" && setting.value->find("://") == std::string::npos;
}

bool is_agent(const WrittenSetting& setting) { return setting.row && setting.value && setting.row->flag == "--agent"; }

// "id=command line": what its program is called by a relative path.
std::string agent_from_anywhere(const std::string& text) {
  const auto manifest = parse_agent_flag(text);
  if (!manifest) return text;
  std::vector<std::string> words = manifest->command;
  if (words.front().find('/') == std::string::npos || words.front().starts_with('/')) return text;
  words.front() = absolute_path(words.front());
  return manifest->id + "=" + shell_line(words);
}

}  // namespace

std::vector<std::string> from_anywhere(const std::vector<std::string>& setting_words) {
  std::vector<std::string> words;
  for (WrittenSetting& setting : read_words(setting_words)) {
    if (is_path(setting)) setting.value = absolute_path(*setting.value);
    if (is_agent(setting)) setting.value = agent_from_anywhere(*setting.value);
    words.push_back(setting.is_one_word ? setting.flag + "=" + *setting.value : setting.flag);
    if (setting.value && !setting.is_one_word) words.push_back(*setting.value);
  }
  return words;
}

bool name_a_port(const std::vector<std::string>& setting_words) {
  const char* given = std::getenv("SANDBOX_AGENT_PORT");
  if (given && *given) return true;
  return std::ranges::any_of(read_words(setting_words),
                             [](const WrittenSetting& setting) { return setting.row && setting.row->flag == "--port"; });
}

}  // namespace sa
