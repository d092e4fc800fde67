#include "mock_agent/rpc.h"

#include <utility>

#include "base/json_scan.h"
#include "base/lenient_json.h"

namespace sa::mock {
namespace {

constexpr std::size_t max_depth = 4'000;  // its stack fits into 1 MiB

// `line` is known to be JSON; the error says in words why it cannot be read nevertheless.
std::expected<json::value, std::string> read_json(std::string_view line) {
  auto value = read_lenient_json(line, max_depth);
  if (value) return std::move(*value);
  if (value.error() != json::error::too_deep)
    return std::unexpected("The message cannot be read: " + value.error().message() + ".");
  return std::unexpected("The message is nested deeper than " + std::to_string(max_depth) + " levels.");
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

bool is_response(const EnvelopeMembers& members) {
  return members.method.empty() && (!members.result.empty() || !members.error.empty());
}

bool can_be_id(const json::value& id) { return id.is_null() || id.is_number() || id.is_string(); }

std::string line_of(std::string_view raw_id, std::string_view member, const json::object& content) {
  std::string line = R"({"jsonrpc":"2.0","id":)";
  line.append(raw_id).append(",\"").append(member).append("\":").append(json::serialize(content)).append("}");
  return line;
}

}  // namespace

std::expected<Message, Refusal> parse_message(std::string_view line) {
  const JsonScan scan = scan_json(line);
  if (scan.kind == JsonKind::invalid) {
    return std::unexpected(Refusal{"null", {RpcError::parse_error, "The line is not valid JSON."}});
  }
  const EnvelopeMembers& members = scan.members;
  const RawId raw_id(members.id.empty() ? "null" : members.id);
  const auto refusal = [&](std::string sentence) {
    return std::unexpected(Refusal{is_response(members) ? "null" : raw_id, {RpcError::invalid_request, std::move(sentence)}});
  };
  auto value = read_json(line);
  if (!value) return refusal(std::move(value).error());
  if (!value->is_object()) return refusal("The line is not a JSON-RPC message: it is no object.");
  json::object& object = value->get_object();
  const json::value* id = object.if_contains("id");
  const json::value* method = object.if_contains("method");
  if (id && !can_be_id(*id)) return refusal("The line is not a JSON-RPC message: its id is no string, number or null.");

  if (!method) {
    if (!id || !is_response(members)) return refusal("The line is not a JSON-RPC message: it is no request and no response.");
    return Response{*id, take_object(object, "result"), error_text(object)};
  }
  if (!method->is_string()) return refusal("The line is not a JSON-RPC message: its method is no string.");
  std::string name(method->get_string());
  if (!id) return Notification{std::move(name), take_object(object, "params")};
  return Request{raw_id, std::move(name), take_object(object, "params")};
}

std::string result_line(std::string_view raw_id, const json::object& result) { return line_of(raw_id, "result", result); }

std::string error_line(std::string_view raw_id, const RpcError& error) {
  json::object body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) body["data"] = error.data;
  return line_of(raw_id, "error", body);
}

json::value make_request(std::int64_t id, std::string_view method, json::object params) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
}

json::value make_notification(std::string_view method, json::object params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace sa::mock
