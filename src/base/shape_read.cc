#include "base/shape_read.h"

#include <fmt/format.h>

#include "base/json_numbers.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::size_t deepest = 256;
constexpr std::size_t longest_path = 256;  // in bytes; a member's name may be as long as the document

void append_path(std::string& out, const JsonPlace& place) {
  if (!place.above) return;
  append_path(out, *place.above);
  if (place.is_item) {
    out.append("[").append(std::to_string(place.item)).append("]");
  } else {
    out.append(out.empty() ? "" : ".").append(place.member);
  }
}

Error unparsable(std::size_t position, std::string_view why) {
  return {ErrorCode::invalid_request, fmt::format("The body must be one JSON value; at byte {} {}.", position, why), {}};
}

std::string_view reason(json::error_code code) {
  if (code == json::error::incomplete) return "it ends too early";
  if (code == json::error::too_deep) return "it nests deeper than 256 levels";
  return "it is not JSON";
}

}  // namespace

Result<json::value> parse_json(std::string_view bytes) {
  json::parse_options options;
  options.max_depth = deepest;
  json::parser parser({}, options);
  json::error_code wrong;
  const std::size_t used = parser.write_some(bytes.data(), bytes.size(), wrong);
  if (wrong) return fail(unparsable(used, reason(wrong)));
  if (used < bytes.size()) return fail(unparsable(used, "something follows it"));
  json::value value = parser.release();
  mend_zeros(value);
  return value;
}

Error misshapen(const JsonPlace& place, std::string_view must) {
  if (!place.above)
    return Error{ErrorCode::unprocessable, fmt::format("The body must {}.", must), {}}.with_text("field", "body");
  std::string path;
  append_path(path, place);
  path = repair_utf8(path, longest_path);
  return Error{ErrorCode::unprocessable, fmt::format("'{}' must {}.", path, must), {}}.with_text("field", path);
}

Result<SpelledMember> find_member(const json::object& members, const JsonPlace& place, std::string_view name,
                                  std::span<const FieldAlias> aliases) {
  SpelledMember found{name, members.if_contains(name)};
  for (const FieldAlias& also : aliases) {
    if (also.name != name) continue;
    const json::value* value = members.if_contains(also.alias);
    if (!value || (value->is_null() && found.value)) continue;
    if (found.value && !found.value->is_null())
      return fail(misshapen(place.at(also.alias),
                            fmt::format("not be given together with '{}', which means the same", found.spelling)));
    found = {also.alias, value};
  }
  return found;
}

}  // namespace sa
