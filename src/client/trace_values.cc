#include "client/trace_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_quote = 60;

bool has_type(const json::value& value, AcpType type) {
  const bool whole = value.is_int64() || value.is_uint64();
  switch (type) {
    case AcpType::any: return true;
    case AcpType::string: return value.is_string();
    case AcpType::integer: return whole;
    case AcpType::boolean: return value.is_bool();
    case AcpType::object: return value.is_object();
    case AcpType::array: return value.is_array();
    case AcpType::id: return whole || value.is_string() || value.is_null();
  }
  return false;
}

std::string_view type_words(AcpType type) {
  switch (type) {
    case AcpType::any: return "any value";
    case AcpType::string: return "a string";
    case AcpType::integer: return "a whole number";
    case AcpType::boolean: return "true or false";
    case AcpType::object: return "an object";
    case AcpType::array: return "a list";
    case AcpType::id: return "a string, a whole number or null";
  }
  return {};
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

// Words that begin with '_' are extensions.
void tell_unknown(std::string_view word, const std::string& path, std::span<const std::string_view> known,
                  const TellFinding& tell) {
  if (word.starts_with('_')) return;
  tell(FindingLevel::warning, path,
       fmt::format("'{}' is {}, which ACP version 1 does not know. It knows {}.", path, in_quotes(word),
                   fmt::join(known, ", ")));
}

void check_shape(const json::value& value, const AcpShape& shape, const std::string& path, const TellFinding& tell);

void check_member(const json::object& owner, const AcpMember& member, const std::string& path, const TellFinding& tell) {
  const json::value* value = owner.if_contains(member.name);
  if (!value) return tell(FindingLevel::error, path, fmt::format("'{}' must be given: {}.", path, type_words(member.type)));
  if (!has_type(*value, member.type))
    return tell(FindingLevel::error, path, fmt::format("'{}' must be {}.", path, type_words(member.type)));
  if (!member.of) return;
  if (member.type != AcpType::array) return check_shape(*value, *member.of, path, tell);
  for (std::size_t i = 0; i < value->get_array().size(); ++i)
    check_shape(value->get_array()[i], *member.of, fmt::format("{}[{}]", path, i), tell);
}

void check_kind(const json::object& object, const AcpShape& shape, const std::string& path, const TellFinding& tell) {
  const std::string place = below(path, shape.tag);
  const json::value* tag = object.if_contains(shape.tag);
  if (!tag || !tag->is_string())
    return tell(FindingLevel::error, place, fmt::format("'{}' must be given: the word that says what this is.", place));
  const std::string_view word = tag->get_string();
  const auto kind = std::ranges::find(shape.kinds, word, &AcpKind::word);
  if (kind != shape.kinds.end()) return check_members(object, kind->members, path, tell);
  std::vector<std::string_view> known;
  for (const AcpKind& each : shape.kinds) known.push_back(each.word);
  tell_unknown(word, place, known, tell);
}

void check_shape(const json::value& value, const AcpShape& shape, const std::string& path, const TellFinding& tell) {
  if (!shape.words.empty()) {
    const std::string_view word = value.get_string();
    if (std::ranges::find(shape.words, word) == shape.words.end()) tell_unknown(word, path, shape.words, tell);
    return;
  }
  if (!value.is_object()) return tell(FindingLevel::error, path, fmt::format("'{}' must be an object.", path));
  check_members(value, shape.members, path, tell);
  if (!shape.tag.empty()) check_kind(value.get_object(), shape, path, tell);
}

}  // namespace

void check_members(const json::value& value, std::span<const AcpMember> members, const std::string& path,
                   const TellFinding& tell) {
  if (members.empty()) return;
  const json::object* object = value.if_object();
  if (!object) return tell(FindingLevel::error, path, fmt::format("'{}' must be an object.", path));
  for (const AcpMember& member : members) check_member(*object, member, below(path, member.name), tell);
}

std::string in_quotes(std::string_view text) {
  std::string shown = repair_utf8(text, longest_quote);
  const auto unfit = [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f; };
  if (!is_printable_utf8(shown)) std::ranges::replace_if(shown, unfit, '?');
  return fmt::format("'{}{}'", shown, text.size() > longest_quote ? "…" : "");
}

}  // namespace sa
