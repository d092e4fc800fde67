// The words of a chat that are for the chat and not for the agent. Pure functions.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string_view>

namespace sa {

// exit, quit, /exit or /quit and nothing else.
bool is_farewell(std::string_view line);

// /help and nothing else.
bool is_call_for_help(std::string_view line);

// How the chat is used, for people.
extern const std::string_view chat_help;

// Whether the agent has a command of this name, when `update` (of session/update) tells its commands.
std::optional<bool> announces_command(const boost::json::object& update, std::string_view name);

}  // namespace sa
