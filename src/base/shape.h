// The shape of a struct: the JSON names and meanings of its fields, said once by specialising Shape. Writing it as JSON follows
// here, reading it in base/shape_read.h; its schema in the API document follows in api/schema.h.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/utf8.h"

namespace sa {

template <class Owner, class Value>
struct Field {
  std::string_view name;
  Value Owner::* member;
  std::string_view help;
};

// Another spelling of a field: read, never written.
struct FieldAlias {
  std::string_view alias;
  std::string_view name;
};

// Specialise with `name`, `help` and `fields`, a tuple of Field; with `aliases`, an array of FieldAlias, where there are any.
// A variant of shapes may have one of `name` and `help` only. With `absent_is_default` a member that is absent when it is read
// leaves its field as the struct makes it; the reader checks what must be there.
template <class T>
struct Shape {};

// Specialise with `all`: the wire words of an enumeration, in the order of its values.
template <class Enum>
struct Words {};

template <class T>
concept Shaped = requires { Shape<T>::fields; };

template <class T>
concept Worded = requires { Words<T>::all; };

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool absent_is_default = requires { requires Shape<T>::absent_is_default; };

template <class T>
constexpr std::span<const FieldAlias> aliases_of() {
  if constexpr (requires { Shape<T>::aliases; }) return Shape<T>::aliases;
  return {};
}

template <std::same_as<bool> T>  // and not a pointer
void append_json(std::string& out, T value) {
  out += value ? "true" : "false";
}
inline void append_json(std::string& out, std::string_view value) { append_json_string(out, value); }
inline void append_json(std::string& out, const std::string& value) { append_json_string(out, value); }

template <std::integral T>
  requires(!std::same_as<T, bool>)
void append_json(std::string& out, T value) {
  out += fmt::format_int(value).c_str();
}

template <Worded T>
constexpr std::string_view word_of(T value) {
  return Words<T>::all[static_cast<std::size_t>(value)];
}

template <Worded T>
void append_json(std::string& out, T value) {
  append_json_string(out, word_of(value));
}

template <Shaped T>
void append_json(std::string& out, const T& value);

template <class T>
void append_json(std::string& out, const std::vector<T>& values);

template <class T>
void append_json(std::string& out, const std::map<std::string, T>& values);

template <class... Alternatives>
void append_json(std::string& out, const std::variant<Alternatives...>& value);

template <class T>
void append_field(std::string& out, std::string_view name, const T& value) {
  if (!out.ends_with('{')) out += ',';  // a value never ends so
  append_json_string(out, name);
  out += ':';
  append_json(out, value);
}

// A field without a value is left out.
template <class T>
void append_field(std::string& out, std::string_view name, const std::optional<T>& value) {
  if (value) append_field(out, name, *value);
}

template <class T>
void append_json(std::string& out, const std::vector<T>& values) {
  out += '[';
  for (bool first = true; const T& value : values) {
    if (!std::exchange(first, false)) out += ',';
    append_json(out, value);
  }
  out += ']';
}

template <class T>
void append_json(std::string& out, const std::map<std::string, T>& values) {
  out += '{';
  for (const auto& [name, value] : values) append_field(out, name, value);
  out += '}';
}

template <class... Alternatives>
void append_json(std::string& out, const std::variant<Alternatives...>& value) {
  std::visit([&](const auto& alternative) { append_json(out, alternative); }, value);
}

template <Shaped T>
void append_json(std::string& out, const T& value) {
  out += '{';
  std::apply([&](const auto&... field) { (append_field(out, field.name, value.*field.member), ...); }, Shape<T>::fields);
  out += '}';
}

template <class T>
std::string to_json(const T& value) {
  std::string out;
  append_json(out, value);
  return out;
}

}  // namespace sa
