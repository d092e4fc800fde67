#include "client/message.h"

#include <fmt/format.h>

#include "base/json_members.h"
#include "base/json_scan.h"
#include "base/lenient_json.h"
#include "base/utf8.h"

namespace sa {

namespace json = boost::json;

std::optional<json::value> read_json(std::string_view bytes) {
  constexpr std::size_t deepest = 512;
  auto value = read_lenient_json(bytes, deepest);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

std::optional<AgentMessage> read_message(std::string_view bytes) {
  const EnvelopeMembers members = scan_json(bytes).members;
  auto value = read_json(bytes);
  if (!value || !value->is_object()) return std::nullopt;
  json::object& object = value->get_object();
  AgentMessage message{.id = std::string(members.id)};
  if (object.contains("method")) {
    message.kind = members.id.empty() ? AgentMessage::Kind::notification : AgentMessage::Kind::request;
    message.method = string_member(object, "method");
    message.params = object_member(object, "params");
    return message;
  }
  if (members.id.empty()) return std::nullopt;
  json::value* const result = object.if_contains("result");
  json::value* const error = object.if_contains("error");
  const bool is_error = !result || (error && !error->is_null());  // some say "error":null beside a result
  message.kind = is_error ? AgentMessage::Kind::error : AgentMessage::Kind::result;
  if (json::value* const outcome = is_error ? error : result)
    message.outcome = std::move(*outcome);
  else
    message.outcome = json::object{{"message", "the answer has neither a result nor an error"}};
  return message;
}

std::string request_text(std::int64_t id, std::string_view method, const json::object& params) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}}})", id, method, json::serialize(params));
}

std::string notification_text(std::string_view method, const json::object& params) {
  return fmt::format(R"({{"jsonrpc":"2.0","method":"{}","params":{}}})", method, json::serialize(params));
}

std::string result_text(std::string_view raw_id, const json::object& result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", raw_id, json::serialize(result));
}

std::string error_text(std::string_view raw_id, int code, std::string_view message) {
  std::string words;
  append_json_string(words, message);
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}}}}})", raw_id, code, words);
}

}  // namespace sa
