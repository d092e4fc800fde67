// JSON somebody else wrote: what is absent or of another kind is empty. Everything refers to what it was read from.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sa {

const boost::json::object& object_of(const boost::json::value& value);
std::string_view string_member(const boost::json::object& object, std::string_view name);
const boost::json::object& object_member(const boost::json::object& object, std::string_view name);
const boost::json::array& array_member(const boost::json::object& object, std::string_view name);
std::optional<std::int64_t> integer_member(const boost::json::object& object, std::string_view name);
bool true_member(const boost::json::object& object, std::string_view name);  // present and true

}  // namespace sa
