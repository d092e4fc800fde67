// JSON-RPC 2.0 as values: one line in becomes one Message, and the four kinds of message we send. Pure functions.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include "base/json_members.h"

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

inline std::unexpected<RpcError> invalid_params(std::string sentence) {
  return std::unexpected(RpcError{RpcError::invalid_params, std::move(sentence)});
}

// An id of the client as it was spelled, so that it goes back as it came: a number of any size, half a surrogate pair, and
// in a refusal any other value too.
using RawId = std::string;

struct Request {
  RawId id;  // a string, a number or null
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

// Why a line is no message, and the id under which somebody may wait to hear it; "null" when there is none. The id of a
// response is one of ours: sent back, it could be taken for the client's own.
struct Refusal {
  RawId id;
  RpcError error;
};

std::expected<Message, Refusal> parse_message(std::string_view line);

std::string result_line(std::string_view raw_id, const json::object& result);
std::string error_line(std::string_view raw_id, const RpcError& error);
json::value make_request(std::int64_t id, std::string_view method, json::object params);
json::value make_notification(std::string_view method, json::object params);

}  // namespace sa::mock
