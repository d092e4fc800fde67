// JSON-RPC 2.0 as values: one line in becomes one Message, and the four kinds of message we send. Pure functions.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

namespace sa::mock {

namespace json = boost::json;

struct RpcError {
  enum Code {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    request_cancelled = -32800,
    auth_required = -32000,
    not_found = -32002,
  };
  int code;
  std::string message;
  json::value data = nullptr;  // null: not sent
};

struct Request {
  json::value id;
  std::string method;
  json::object params;
};

struct Notification {
  std::string method;
  json::object params;
};

// What a client says to one of our requests: a result, or an error in words.
struct Response {
  json::value id;
  json::object result;
  std::string error;  // empty: it worked
};

using Message = std::variant<Request, Notification, Response>;

// The error's reply goes out with id null: a line that is no message has no id we could trust.
std::expected<Message, RpcError> parse_message(std::string_view line);

json::value make_result(const json::value& id, json::object result);
json::value make_error(const json::value& id, const RpcError& error);
json::value make_request(std::int64_t id, std::string_view method, json::object params);
json::value make_notification(std::string_view method, json::object params);

// The member `name` of `object` as a string or an object; empty when it is absent or something else. Both refer to
// `object`.
std::string_view string_member(const json::object& object, std::string_view name);
const json::object& object_member(const json::object& object, std::string_view name);

}  // namespace sa::mock
