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

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class Owner, class Value>
void describe_field(SchemaBook& book, const Field<Owner, Value>& field, boost::json::object& properties,
                    boost::json::array& required) {
  boost::json::object schema = schema_of<Value>(book);
  schema["description"] = field.help;
  properties[field.name] = std::move(schema);
  if constexpr (!is_optional<Value>) required.emplace_back(field.name);
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
    return {{"$ref", "#/components/schemas/" + std::string(Shape<T>::name)}};
  }
};

}  // namespace sa
