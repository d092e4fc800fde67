#include "cli/form_question.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.h"
#include "cli/plain_text.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t message_width = 400;
constexpr std::size_t field_width = 160;
constexpr std::size_t most_fields = 12;

// The titles of a list of choices, which may be plain words.
std::string choices_in(const json::array& choices) {
  std::string names;
  for (const json::value& choice : choices) {
    std::string_view name = choice.is_string() ? std::string_view(choice.get_string()) : std::string_view();
    if (choice.is_object()) name = string_member(choice.get_object(), "title");
    if (choice.is_object() && name.empty()) name = string_member(choice.get_object(), "const");
    if (!name.empty()) names.append(names.empty() ? "" : ", ").append(name);
  }
  return names;
}

std::string choices_of(const json::object& schema) {
  for (const std::string_view name : {"oneOf", "anyOf", "enum"})
    if (std::string names = choices_in(array_member(schema, name)); !names.empty()) return names;
  return "";
}

std::string what_it_takes(const json::object& field) {
  if (std::string one = choices_of(field); !one.empty()) return one;
  if (const std::string some = choices_of(object_member(field, "items")); !some.empty()) return "any of " + some;
  const std::string_view type = string_member(field, "type");
  if (type == "boolean") return "yes or no";
  return type == "string" ? "text" : std::string(type);
}

bool must_be_filled(const json::object& schema, std::string_view name) {
  return std::ranges::any_of(array_member(schema, "required"), [name](const json::value& required) {
    return required.is_string() && std::string_view(required.get_string()) == name;
  });
}

}  // namespace

std::string form_message(const json::object& params) { return one_line(string_member(params, "message"), message_width); }

std::vector<std::string> form_lines(const json::object& params) {
  std::vector<std::string> lines;
  if (const std::string_view url = string_member(params, "url"); !url.empty())
    lines.push_back(fmt::format("on the page {}", one_line(url, field_width)));
  const json::object& schema = object_member(params, "requestedSchema");
  const json::object& fields = object_member(schema, "properties");
  for (const auto& [name, value] : fields) {
    if (!value.is_object()) continue;
    if (lines.size() == most_fields) {
      lines.push_back(fmt::format("… {} fields in all", fields.size()));
      break;
    }
    const json::object& field = value.get_object();
    const std::string_view title = string_member(field, "title");
    lines.push_back(one_line(fmt::format("{}{}: {}", title.empty() ? std::string_view(name) : title,
                                         must_be_filled(schema, name) ? " (required)" : "", what_it_takes(field)),
                             field_width));
  }
  return lines;
}

}  // namespace sa
