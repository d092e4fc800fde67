#include "agents/credential_values.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "base/shape_read.h"
#include "base/unique_fd.h"
#include "base/utf8.h"
#include "files/read_up_to.h"

namespace sa {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20;
constexpr std::size_t shown_characters = 4;
constexpr std::size_t least_to_show = 20;  // shorter ones are hidden altogether

// What the environment can carry: something, and no NUL.
bool is_usable(std::string_view value) { return !is_blank(value) && !value.contains('\0'); }

// A file as JSON; null when it is none, or not one to be read.
boost::json::value read_json_file(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info{};
  if (!file || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
  const auto content = read_up_to(file.get(), largest_file + 1, path);
  if (!content || content->size() > largest_file) return nullptr;
  auto document = parse_json(*content);
  return document ? std::move(*document) : nullptr;
}

// The values of one agent as they are found; each file is read once.
class Reading {
 public:
  Reading(const Manifest& manifest, const Environment& environment, const std::string& home)
      : agent_(manifest.id), environment_(environment), home_(home) {}

  void take(const CredentialVariable& variable) {
    for (const std::string& name : spellings(variable))
      if (const auto value = environment_(name)) add(variable.name, *value, CredentialKind::env, name);
  }

  void take(const CredentialInFile& place) {
    if (has(place.variable)) return;
    const auto path = credential_path(place.file, environment_, home_);
    if (!path) return;
    const auto [document, is_new] = documents_.try_emplace(*path);
    if (is_new) document->second = read_json_file(*path);
    boost::json::error_code missing;
    const boost::json::value* value = document->second.find_pointer(place.pointer, missing);
    if (value && value->is_string()) add(place.variable, value->get_string(), CredentialKind::file, place.file);
  }

  std::vector<CredentialValue> values;

 private:
  bool has(std::string_view variable) const {
    return std::ranges::find(values, variable, &CredentialValue::variable) != values.end();
  }
  void add(const std::string& variable, std::string_view value, CredentialKind kind, const std::string& place) {
    if (is_usable(value) && !has(variable)) values.push_back({agent_, variable, std::string(value), kind, place});
  }

  const std::string& agent_;
  const Environment& environment_;
  const std::string& home_;
  std::map<std::string, boost::json::value> documents_;
};

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<CredentialValue> read_credentials(const Manifest& manifest, const Environment& environment,
                                              const std::string& home) {
  if (!manifest.credentials || !manifest.credentials->needed) return {};
  Reading reading(manifest, environment, home);
  for (const CredentialVariable& variable : manifest.credentials->variables) reading.take(variable);
  for (const CredentialInFile& place : manifest.credentials->values) reading.take(place);
  return std::move(reading.values);
}

std::string redacted(std::string_view value) {
  const std::string_view beginning = value.substr(0, shown_characters);
  const bool hidden =
      value.size() < least_to_show || !std::ranges::all_of(beginning, [](char c) { return c > ' ' && c < 0x7f; });
  const std::size_t length = count_characters(value);
  return fmt::format("{}… ({} {})", hidden ? "" : beginning, length, length == 1 ? "character" : "characters");
}

std::vector<ProviderState> providers(std::span<const Manifest* const> agents, const Environment& environment,
                                     const std::string& home) {
  std::vector<ProviderState> all;
  const auto state_of = [&](const std::string& variable) -> ProviderState& {
    const auto found = std::ranges::find(all, variable, &ProviderState::variable);
    return found == all.end() ? all.emplace_back(ProviderState{.variable = variable}) : *found;
  };
  for (const Manifest* agent : agents) {
    if (!agent->credentials || !agent->credentials->needed) continue;
    const auto known = static_cast<std::ptrdiff_t>(all.size());
    const auto used = [&](const std::string& variable) {
      ProviderState& state = state_of(variable);
      if (state.agents.empty() || state.agents.back() != agent->id) state.agents.push_back(agent->id);
    };
    for (const CredentialVariable& variable : agent->credentials->variables) used(variable.name);
    for (const CredentialInFile& place : agent->credentials->values) used(place.variable);
    std::ranges::sort(all.begin() + known, all.end(), {}, &ProviderState::variable);
    for (const CredentialValue& value : read_credentials(*agent, environment, home)) {
      ProviderState& state = state_of(value.variable);
      if (std::exchange(state.state, CredentialStatus::found) == CredentialStatus::found) continue;
      state.kind = value.kind;
      state.place = value.place;
    }
  }
  return all;
}

}  // namespace sa
