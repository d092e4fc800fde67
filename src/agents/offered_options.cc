#include "agents/offered_options.h"

#include <algorithm>
#include <boost/json.hpp>

namespace sa {
namespace {

namespace json = boost::json;

const json::value* member(const json::value& value, std::string_view name) {
  const json::object* object = value.if_object();
  return object ? object->if_contains(name) : nullptr;
}

// Empty when there is none.
std::string text(const json::value& value, std::string_view name) {
  const json::value* found = member(value, name);
  const json::string* string = found ? found->if_string() : nullptr;
  return string ? std::string(*string) : std::string();
}

const json::array& list(const json::value& value, std::string_view name) {
  static const json::array none;
  const json::value* found = member(value, name);
  const json::array* array = found ? found->if_array() : nullptr;
  return array ? *array : none;
}

// Groups are dissolved: the values are what counts.
void add_choices(std::vector<Choice>& choices, const json::array& items, std::string_view value_member, bool groups) {
  for (const json::value& item : items) {
    if (groups && member(item, "options")) {
      add_choices(choices, list(item, "options"), value_member, false);
      continue;
    }
    Choice choice{text(item, value_member), text(item, "name")};
    if (choice.value.empty()) continue;
    if (choice.name.empty()) choice.name = choice.value;
    choices.push_back(std::move(choice));
  }
}

std::optional<ConfigOption> select_option(const json::value& item) {
  ConfigOption option{text(item, "id"), text(item, "name"), text(item, "category"), text(item, "currentValue"), {}};
  if (option.id.empty() || text(item, "type") != "select") return std::nullopt;
  add_choices(option.options, list(item, "options"), "value", true);
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

std::optional<ConfigOption> old_option(const json::value& result, const OldStyle& style) {
  const json::value* given = member(result, style.member);
  if (!given) return std::nullopt;
  ConfigOption option{
      std::string(style.category), std::string(style.name), std::string(style.category), text(*given, style.current), {}};
  add_choices(option.options, list(*given, style.list), style.value, false);
  if (option.options.empty()) return std::nullopt;
  return option;
}

}  // namespace

std::vector<ConfigOption> offered_options(const json::value& session_new_result) {
  std::vector<ConfigOption> options;
  for (const json::value& item : list(session_new_result, "configOptions"))
    if (auto option = select_option(item)) options.push_back(std::move(*option));
  for (const OldStyle& style : old_styles) {
    const auto is_same = [&](const ConfigOption& each) { return each.category == style.category || each.id == style.category; };
    if (std::ranges::any_of(options, is_same)) continue;
    if (auto option = old_option(session_new_result, style)) options.push_back(std::move(*option));
  }
  return options;
}

}  // namespace sa
