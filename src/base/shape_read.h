// Reading JSON into shaped structs, the mirror of to_json() in base/shape.h. Unknown members are ignored, an optional one may
// be absent or null. What does not fit is unprocessable: `field` is the path of the member at fault. Pure functions.
#pragma once

#include <boost/json.hpp>
#include <limits>

#include "base/result.h"
#include "base/shape.h"

namespace sa {

// The bytes as one JSON value, at most 256 levels deep; of doubled members the last counts. Else invalid_request, with the
// place.
Result<boost::json::value> parse_json(std::string_view bytes);

// Where a value stands in its document. A chain on the stack: those above outlive it.
struct JsonPlace {
  const JsonPlace* above = nullptr;  // none: the document itself
  std::string_view member = {};      // of the object above
  std::size_t item = 0;              // of the list above, when there is no member
  bool is_item = false;

  JsonPlace at(std::string_view name) const { return {.above = this, .member = name}; }
  JsonPlace at(std::size_t index) const { return {.above = this, .item = index, .is_item = true}; }
};

// unprocessable: "'env.PATH' must be a string." for `must` = "be a string".
Error misshapen(const JsonPlace& place, std::string_view must);

// How a type looks in JSON: whether a value has its kind, words for that, and reading one that has.
template <class T>
struct JsonForm;

template <class T>
Result<T> from_json(const boost::json::value& value, const JsonPlace& place = {}) {
  if (!JsonForm<T>::fits(value)) return fail(misshapen(place, "be " + JsonForm<T>::words()));
  return JsonForm<T>::read(value, place);
}

template <>
struct JsonForm<bool> {
  static bool fits(const boost::json::value& value) { return value.is_bool(); }
  static std::string words() { return "true or false"; }
  static Result<bool> read(const boost::json::value& value, const JsonPlace&) { return value.get_bool(); }
};

template <>
struct JsonForm<std::string> {
  static bool fits(const boost::json::value& value) { return value.is_string(); }
  static std::string words() { return "a string"; }
  static Result<std::string> read(const boost::json::value& value, const JsonPlace&) { return std::string(value.get_string()); }
};

template <std::integral T>
struct JsonForm<T> {
  static bool fits(const boost::json::value& value) { return value.is_number(); }
  static std::string words() {
    return fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }
  static Result<T> read(const boost::json::value& value, const JsonPlace& place) {
    boost::json::error_code wrong;
    const T number = value.to_number<T>(wrong);
    if (wrong) return fail(misshapen(place, "be " + words()));
    return number;
  }
};

template <Worded T>
struct JsonForm<T> {
  static bool fits(const boost::json::value& value) { return value.is_string(); }
  static std::string words() {
    std::string all;
    for (std::string_view word : Words<T>::all) all.append(all.empty() ? "'" : " or '").append(word).append("'");
    return all;
  }
  static Result<T> read(const boost::json::value& value, const JsonPlace& place) {
    for (std::size_t i = 0; i < std::size(Words<T>::all); ++i)
      if (value.get_string() == Words<T>::all[i]) return static_cast<T>(i);
    return fail(misshapen(place, "be " + words()));
  }
};

template <class T>
struct JsonForm<std::vector<T>> {
  static bool fits(const boost::json::value& value) { return value.is_array(); }
  static std::string words() { return "a list"; }
  static Result<std::vector<T>> read(const boost::json::value& value, const JsonPlace& place) {
    std::vector<T> items;
    for (const boost::json::value& item : value.get_array()) {
      TRY(items.emplace_back(), from_json<T>(item, place.at(items.size())));
    }
    return items;
  }
};

template <class T>
struct JsonForm<std::map<std::string, T>> {
  static bool fits(const boost::json::value& value) { return value.is_object(); }
  static std::string words() { return "an object"; }
  static Result<std::map<std::string, T>> read(const boost::json::value& value, const JsonPlace& place) {
    std::map<std::string, T> members;
    for (const auto& [name, member] : value.get_object()) {
      TRY(members[name], from_json<T>(member, place.at(name)));
    }
    return members;
  }
};

// The first alternative of the value's kind is the one that is read.
template <class... Alternatives>
struct JsonForm<std::variant<Alternatives...>> {
  using Variant = std::variant<Alternatives...>;
  static bool fits(const boost::json::value& value) { return (JsonForm<Alternatives>::fits(value) || ...); }
  static std::string words() {
    std::string all;
    (all.append(all.empty() ? "" : " or ").append(JsonForm<Alternatives>::words()), ...);
    return all;
  }
  static Result<Variant> read(const boost::json::value& value, const JsonPlace& place) {
    Result<Variant> result;
    const auto take = [&]<class T>() {
      if (JsonForm<T>::fits(value)) result = JsonForm<T>::read(value, place);
      return JsonForm<T>::fits(value);
    };
    (take.template operator()<Alternatives>() || ...);
    return result;
  }
};

// A member by its name or another spelling of it, one of them at most; no value when there is none.
struct SpelledMember {
  std::string_view spelling;
  const boost::json::value* value = nullptr;
};
Result<SpelledMember> find_member(const boost::json::object& members, const JsonPlace& place, std::string_view name,
                                  std::span<const FieldAlias> aliases);

template <Shaped T>
struct JsonForm<T> {
  static bool fits(const boost::json::value& value) { return value.is_object(); }
  static std::string words() { return "an object"; }
  static Result<T> read(const boost::json::value& value, const JsonPlace& place) {
    T owner{};
    Result<void> outcome;
    const auto take = [&](const auto& field) {
      return (outcome = read_field(value.get_object(), place, field, owner)).has_value();
    };
    std::apply([&](const auto&... field) { (take(field) && ...); }, Shape<T>::fields);
    if (!outcome) return std::unexpected(std::move(outcome).error());
    return owner;
  }

 private:
  template <class Value>
  static Result<void> read_field(const boost::json::object& members, const JsonPlace& place, const Field<T, Value>& field,
                                 T& owner) {
    TRY(const SpelledMember member, find_member(members, place, field.name, aliases_of<T>()));
    const JsonPlace here = place.at(member.spelling);
    if constexpr (is_optional<Value>) {
      if (!member.value || member.value->is_null()) return {};
      TRY(owner.*field.member, from_json<typename Value::value_type>(*member.value, here));
    } else {
      if (!member.value && absent_is_default<T>) return {};
      if (!member.value) return fail(misshapen(here, "be given: " + JsonForm<Value>::words()));
      TRY(owner.*field.member, from_json<Value>(*member.value, here));
    }
    return {};
  }
};

}  // namespace sa
