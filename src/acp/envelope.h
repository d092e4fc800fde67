// One JSON-RPC message, looked at but never changed. Only top-level keys are read; method names, params and _meta mean
// nothing to the proxy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sa {

enum class EnvelopeKind : std::uint8_t {
  request,   // method and id: somebody waits for an answer
  response,  // id and a result or an error, no method; of an agent's line: id and no method
  other,     // everything else: notifications, answers without id
};

struct Envelope {
  std::string bytes;  // on one line, without the newline
  EnvelopeKind kind = EnvelopeKind::other;
  std::string id;  // identity of the id (see base/id_key.h); empty when there is none
};

// A client's message. Raw newlines between tokens are blanked so that it stays on one line; nothing else is touched.
// Error: invalid_request when it is not one JSON object with a method, a result or an error.
Result<Envelope> parse_envelope(std::string body);

// What an agent's line of output is, without taking it over.
struct AgentLine {
  bool is_json = false;
  bool has_carriage_return = false;  // raw CR between tokens: would end an SSE line early
  EnvelopeKind kind = EnvelopeKind::other;
  std::string id;
  const char* error = nullptr;  // why it is not JSON
};
AgentLine look_at_line(std::string_view line);

}  // namespace sa
