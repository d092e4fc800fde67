// JSON schemas of the shapes, for the API document: a shape becomes a named component and is used by reference.
#pragma once

#include <boost/json.hpp>

#include "base/shape.h"

namespace sa {

// The named components, collected while the document is made.
struct SchemaBook {
  boost::json::object components;
};

// Any JSON object at all.
struct AnyObject {};

// One JSON-RPC message. The daemon looks at its top-level keys only; everything in it is between client and agent.
struct AnyEnvelope {};

template <class T>
struct SchemaOfType;

template <class T>
boost::json::object schema_of(SchemaBook& book) {
  return SchemaOfType<T>::make(book);
}

template <>
struct SchemaOfType<AnyObject> {
  static boost::json::object make(SchemaBook&) { return {{"type", "object"}, {"additionalProperties", true}}; }
};

template <>
struct SchemaOfType<AnyEnvelope> {
  static boost::json::object make(SchemaBook& book);
};

template <>
struct SchemaOfType<bool> {
  static boost::json::object make(SchemaBook&) { return {{"type", "boolean"}}; }
};

template <>
struct SchemaOfType<std::string> {
  static boost::json::object make(SchemaBook&) { return {{"type", "string"}}; }
};

template <std::integral T>
struct SchemaOfType<T> {
  static boost::json::object make(SchemaBook&) {
    boost::json::object schema{{"type", "integer"}};
    if constexpr (std::unsigned_integral<T>) schema["minimum"] = 0;
    return schema;
  }
};

template <Worded T>
struct SchemaOfType<T> {
  static boost::json::object make(SchemaBook&) {
    boost::json::array words;
    for (std::string_view word : Words<T>::all) words.emplace_back(word);
    return {{"type", "string"}, {"enum", std::move(words)}};
  }
};

template <class T>
struct SchemaOfType<std::optional<T>> : SchemaOfType<T> {};

template <class T>
struct SchemaOfType<std::vector<T>> {
  static boost::json::object make(SchemaBook& book) { return {{"type", "array"}, {"items", schema_of<T>(book)}}; }
};

template <class T>
struct SchemaOfType<std::map<std::string, T>> {
  static boost::json::object make(SchemaBook& book) {
    return {{"type", "object"}, {"additionalProperties", schema_of<T>(book)}};
  }
};

inline boost::json::object reference_to(std::string_view component) {
  return {{"$ref", "#/components/schemas/" + std::string(component)}};
}

// One with a name is a component like a shape.
template <class... Alternatives>
struct SchemaOfType<std::variant<Alternatives...>> {
  using Variant = std::variant<Alternatives...>;
  static boost::json::object make(SchemaBook& book) {
    boost::json::object schema{{"oneOf", {schema_of<Alternatives>(book)...}}};
    if constexpr (requires { Shape<Variant>::name; }) {
      schema["description"] = Shape<Variant>::help;
      book.components[Shape<Variant>::name] = std::move(schema);
      return reference_to(Shape<Variant>::name);
    }
    return schema;
  }
};

template <class Owner, class Value>
void describe_field(SchemaBook& book, const Field<Owner, Value>& field, boost::json::object& properties,
                    boost::json::array& required) {
  boost::json::object schema = schema_of<Value>(book);
  std::string help(field.help);
  for (const FieldAlias& also : aliases_of<Owner>())
    if (also.name == field.name) help.append(" Taken as '").append(also.alias).append("' too.");
  schema["description"] = help;
  properties[field.name] = std::move(schema);
  if constexpr (!is_optional<Value> && !absent_is_default<Owner>) required.emplace_back(field.name);
}

template <Shaped T>
struct SchemaOfType<T> {
  static boost::json::object make(SchemaBook& book) {
    if (!book.components.contains(Shape<T>::name)) {
      book.components[Shape<T>::name] = boost::json::object();  // its place, before those it uses
      boost::json::object properties;
      boost::json::array required;
      std::apply([&](const auto&... field) { (describe_field(book, field, properties, required), ...); }, Shape<T>::fields);
      book.components[Shape<T>::name] = {{"type", "object"},
                                         {"description", Shape<T>::help},
                                         {"properties", std::move(properties)},
                                         {"required", std::move(required)}};
    }
    return reference_to(Shape<T>::name);
  }
};

}  // namespace sa
