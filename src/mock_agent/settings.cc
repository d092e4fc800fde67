#include "mock_agent/settings.h"

#include <algorithm>
#include <span>
#include <string>

namespace sa::mock {
namespace {

struct Choice {
  std::string_view value;
  std::string_view name;
  std::string_view description;
};

struct Setting {
  std::string_view id;
  std::string_view name;
  std::string_view category;
  std::span<const Choice> choices;  // the first is the default
};

constexpr Choice modes_table[] = {
    {"ask", "Ask", "/permission asks before it runs a command"},
    {"auto", "Auto", "/permission runs its command without a question"},
    {"plan", "Plan", "nothing is run and nothing is changed"},
};

constexpr Choice models_table[] = {
    {"demo-small", "Demo small", "no AI, with a context window of 32,000 tokens"},
    {"demo-large", "Demo large", "no AI, with a context window of 200,000 tokens"},
};

constexpr Choice thought_table[] = {
    {"brief", "Brief", "/think shows one thought"},
    {"long", "Long", "/think shows three thoughts"},
    {"off", "Off", "/think shows none"},
};

constexpr Setting settings_table[] = {
    {"mode", "Mode", "mode", modes_table},
    {"model", "Model", "model", models_table},
    {"thought_level", "Thinking", "thought_level", thought_table},
};

std::size_t row_of(std::string_view id) {
  return static_cast<std::size_t>(std::ranges::find(settings_table, id, &Setting::id) - std::begin(settings_table));
}

std::string listed(const auto& items, auto word) {
  std::string list;
  for (const auto& item : items) list.append(list.empty() ? "" : ", ").append(item.*word);
  return list;
}

}  // namespace

Settings::Settings() { static_assert(std::size(settings_table) == count); }

std::string_view Settings::value(std::string_view id) const {
  const std::size_t row = row_of(id);
  return settings_table[row].choices[chosen_.at(row)].value;
}

std::expected<void, RpcError> Settings::choose(std::string_view id, std::string_view value) {
  const auto no_such = [](std::string_view what, std::string_view word, const std::string& known) {
    std::string text = "There is no " + std::string(what) + " \"" + std::string(word) + "\"; there are: " + known + ".";
    return std::unexpected(RpcError{RpcError::invalid_params, std::move(text)});
  };
  const std::size_t row = row_of(id);
  if (row == count) return no_such("option", id, listed(settings_table, &Setting::id));
  const auto choices = settings_table[row].choices;
  const auto choice = std::ranges::find(choices, value, &Choice::value);
  if (choice == choices.end()) return no_such(id, value, listed(choices, &Choice::value));
  chosen_.at(row) = static_cast<std::size_t>(choice - choices.begin());
  return {};
}

json::array Settings::config_options() const {
  json::array options;
  for (const auto& [id, name, category, choices] : settings_table) {
    json::array values;
    for (const Choice& choice : choices) {
      values.push_back({{"value", choice.value}, {"name", choice.name}, {"description", choice.description}});
    }
    options.push_back({{"id", id},
                       {"name", name},
                       {"category", category},
                       {"type", "select"},
                       {"currentValue", value(id)},
                       {"options", std::move(values)}});
  }
  return options;
}

json::object Settings::modes() const {
  json::array modes;
  for (const Choice& mode : modes_table) {
    modes.push_back({{"id", mode.value}, {"name", mode.name}, {"description", mode.description}});
  }
  return {{"currentModeId", value("mode")}, {"availableModes", std::move(modes)}};
}

}  // namespace sa::mock
