#include "base/json_members.h"

namespace sa {

namespace json = boost::json;

const json::object& object_of(const json::value& value) {
  static const json::object none;
  const json::object* object = value.if_object();
  return object ? *object : none;
}

std::string_view string_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member && member->is_string() ? std::string_view(member->get_string()) : std::string_view();
}

const json::object& object_member(const json::object& object, std::string_view name) {
  static const json::value none;
  const json::value* member = object.if_contains(name);
  return object_of(member ? *member : none);
}

const json::array& array_member(const json::object& object, std::string_view name) {
  static const json::array none;
  const json::value* member = object.if_contains(name);
  return member && member->is_array() ? member->get_array() : none;
}

std::optional<std::int64_t> integer_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  boost::system::error_code error;
  const auto number = member && member->is_number() ? member->to_number<std::int64_t>(error) : 0;
  return member && member->is_number() && !error ? std::optional(number) : std::nullopt;
}

bool true_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member && member->is_bool() && member->get_bool();
}

}  // namespace sa
