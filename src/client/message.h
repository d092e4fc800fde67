// One message of an agent, read. A value.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sa {

struct AgentMessage {
  enum class Kind : std::uint8_t { request, notification, result, error };
  Kind kind = Kind::notification;
  std::string id;      // of a request or an answer, as it was spelled
  std::string method;  // of a request or notification
  boost::json::object params;
  boost::json::value outcome;  // of an answer: its result or error; what has neither is an error

  bool is_answer() const { return kind == Kind::result || kind == Kind::error; }
};

// nullopt for what is no JSON-RPC message.
std::optional<AgentMessage> read_message(std::string_view bytes);

// One JSON value; lone surrogates become the replacement character.
std::optional<boost::json::value> read_json(std::string_view bytes);

// Messages to an agent.
std::string request_text(std::int64_t id, std::string_view method, const boost::json::object& params);
std::string notification_text(std::string_view method, const boost::json::object& params);
std::string result_text(std::string_view raw_id, const boost::json::object& result);
std::string error_text(std::string_view raw_id, int code, std::string_view message);

}  // namespace sa
