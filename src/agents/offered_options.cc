#include "agents/offered_options.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json_members.h"

namespace sa {
namespace {

namespace json = boost::json;

std::string text(const json::object& object, std::string_view name) { return std::string(string_member(object, name)); }

// Groups are dissolved: the values are what counts.
void add_choices(std::vector<Choice>& choices, const json::array& items, std::string_view value_member, bool groups) {
  for (const json::value& each : items) {
    const json::object& item = object_of(each);
    if (groups && item.contains("options")) {
      add_choices(choices, array_member(item, "options"), value_member, false);
      continue;
    }
    Choice choice{text(item, value_member), text(item, "name")};
    if (choice.value.empty()) continue;
    if (choice.name.empty()) choice.name = choice.value;
    choices.push_back(std::move(choice));
  }
}

std::optional<ConfigOption> select_option(const json::object& item) {
  ConfigOption option{text(item, "id"), text(item, "name"), text(item, "category"), text(item, "currentValue"), {}};
  if (option.id.empty() || text(item, "type") != "select") return std::nullopt;
  add_choices(option.options, array_member(item, "options"), "value", true);
  if (option.options.empty()) return std::nullopt;
  return option;
}

// How modes and models are told by agents without such an option.
struct OldStyle {
  std::string_view member, category, name, current, list, value;
};
constexpr OldStyle old_styles[] = {
    {"modes", "mode", "Mode", "currentModeId", "availableModes", "id"},
    {"models", "model", "Model", "currentModelId", "availableModels", "modelId"},
};

std::optional<ConfigOption> old_option(const json::object& result, const OldStyle& style) {
  const json::object& given = object_member(result, style.member);
  ConfigOption option{
      std::string(style.category), std::string(style.name), std::string(style.category), text(given, style.current), {}};
  add_choices(option.options, array_member(given, style.list), style.value, false);
  if (option.options.empty()) return std::nullopt;
  return option;
}

}  // namespace

std::vector<ConfigOption> offered_options(const json::value& session_new_result) {
  std::vector<ConfigOption> options;
  const json::object& result = object_of(session_new_result);
  for (const json::value& item : array_member(result, "configOptions"))
    if (auto option = select_option(object_of(item))) options.push_back(std::move(*option));
  for (const OldStyle& style : old_styles) {
    const auto is_same = [&](const ConfigOption& each) { return each.category == style.category || each.id == style.category; };
    if (std::ranges::any_of(options, is_same)) continue;
    if (auto option = old_option(result, style)) options.push_back(std::move(*option));
  }
  return options;
}

}  // namespace sa
