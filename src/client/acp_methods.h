// The Agent Client Protocol, version 1, as facts: its methods, who calls them, and what their values must have. Only members
// that are required; the test in tests/acp_schema holds all of it against the published schema. Constant data; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/shape.h"

namespace sa {

enum class AcpType : std::uint8_t { any, string, integer, boolean, object, array, id };  // id: null, integer or string
template <>
struct Words<AcpType> {
  static constexpr std::string_view all[] = {"any", "string", "integer", "boolean", "object", "array", "id"};
};

struct AcpShape;

struct AcpMember {
  std::string_view name;
  AcpType type = AcpType::string;
  const AcpShape* of = nullptr;  // of the value, or of each item of a list; none: not looked into
};

// A word that says which further members an object must have.
struct AcpKind {
  std::string_view word;
  std::span<const AcpMember> members{};
};

// What a value must have: members; further ones by the word in its member `tag`; or, of a string, one of `words`.
struct AcpShape {
  std::string_view name;  // its definition in the published schema
  std::span<const AcpMember> members{};
  std::string_view tag{};
  std::span<const AcpKind> kinds{};
  std::span<const std::string_view> words{};
};

enum class AcpCaller : std::uint8_t { client, agent, either };
template <>
struct Words<AcpCaller> {
  static constexpr std::string_view all[] = {"client", "agent", "either"};
};

enum class AcpForm : std::uint8_t { request, notification };
template <>
struct Words<AcpForm> {
  static constexpr std::string_view all[] = {"request", "notification"};
};

struct AcpMethod {
  std::string_view name;
  AcpCaller caller{};
  AcpForm form{};
  std::span<const AcpMember> params{};
  std::span<const AcpMember> result{};
};

// None: not of this protocol. Names that begin with '_' are extensions and never found.
const AcpMethod* find_acp_method(std::string_view name);

// All of it as one JSON document.
std::string acp_methods_document();

}  // namespace sa
