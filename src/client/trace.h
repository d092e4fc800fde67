// A trace: what an agent and its clients said, one JSON line per message, for files and pipes.
//   {"seq":12,"direction":"agent","envelope":{…}}    an agent's message and its event number
//   {"direction":"client","envelope":{…}}            a client's
//   {"gap":{"from":3,"to":7}}                        what is missing, both ends included
//   {"sandboxAgentTrace":1,"filtered":true}          first in files of the inspector: whose it is, and whether it is whole
// An envelope's bytes are written and read as they are. Values and pure functions; views into the caller's bytes.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/shape.h"

namespace sa {

enum class Speaker : std::uint8_t { agent, client };
template <>
struct Words<Speaker> {
  static constexpr std::string_view all[] = {"agent", "client"};
};

struct TraceMessage {
  Speaker direction = Speaker::agent;
  std::optional<std::uint64_t> seq{};  // the agent's messages have one
  std::string_view envelope{};
};

// The daemon's words for what a reader missed: events of the agent, messages of clients, or it is not known how many.
struct TraceGap {
  std::uint64_t from = 0;  // 0: none of the agent's
  std::uint64_t to = 0;
  std::uint64_t client_messages = 0;
};

struct TraceHead {
  bool filtered = false;  // messages were left out on purpose
};

using TraceLine = std::variant<TraceMessage, TraceGap, TraceHead>;

// With its newline; of messages and gaps. A newline inside the envelope, which can only stand between tokens, becomes a blank.
void append_trace_line(std::string& out, const TraceLine& line);

// A line without its newline; `line_number` is for the sentence of what cannot be read: "Line 3: …".
std::expected<TraceLine, std::string> read_trace_line(std::string_view line, std::size_t line_number);

}  // namespace sa
