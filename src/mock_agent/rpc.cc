#include "mock_agent/rpc.h"

#include <optional>
#include <utility>

#include "mock_agent/surrogates.h"

namespace sa::mock {
namespace {

std::optional<json::value> parse_json(std::string_view line) {
  const json::parse_options options{.max_depth = 1'000};
  json::error_code error;
  json::value value = json::parse(line, error, {}, options);
  if (error) value = json::parse(replace_lone_surrogates(line), error, {}, options);
  if (error) return std::nullopt;
  return value;
}

json::object take_object(json::object& object, std::string_view name) {
  json::value* member = object.if_contains(name);
  return member && member->is_object() ? std::move(member->get_object()) : json::object();
}

// Empty unless the message is an error.
std::string error_text(const json::object& message) {
  if (!message.contains("error")) return {};
  const std::string_view text = string_member(object_member(message, "error"), "message");
  return text.empty() ? "an error without a message" : std::string(text);
}

bool can_be_id(const json::value& id) { return id.is_null() || id.is_number() || id.is_string(); }

}  // namespace

std::expected<Message, RpcError> parse_message(std::string_view line) {
  auto value = parse_json(line);
  if (!value) return std::unexpected(RpcError{RpcError::parse_error, "The line is not valid JSON."});

  const std::unexpected not_a_message(RpcError{RpcError::invalid_request, "The line is not a JSON-RPC message."});
  if (!value->is_object()) return not_a_message;
  json::object& object = value->get_object();
  const json::value* id = object.if_contains("id");
  const json::value* method = object.if_contains("method");
  if (id && !can_be_id(*id)) return not_a_message;

  if (!method) {
    if (!id || !(object.contains("result") || object.contains("error"))) return not_a_message;
    return Response{*id, take_object(object, "result"), error_text(object)};
  }
  if (!method->is_string()) return not_a_message;
  std::string name(method->get_string());
  if (!id) return Notification{std::move(name), take_object(object, "params")};
  return Request{*id, std::move(name), take_object(object, "params")};
}

json::value make_result(const json::value& id, json::object result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json::value make_error(const json::value& id, const RpcError& error) {
  json::object body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

json::value make_request(std::int64_t id, std::string_view method, json::object params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

json::value make_notification(std::string_view method, json::object params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string_view string_member(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member && member->is_string() ? std::string_view(member->get_string()) : std::string_view();
}

const json::object& object_member(const json::object& object, std::string_view name) {
  static const json::object none;
  const json::value* member = object.if_contains(name);
  return member && member->is_object() ? member->get_object() : none;
}

}  // namespace sa::mock
