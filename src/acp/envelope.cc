#include "acp/envelope.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/id_key.h"
#include "base/json_scan.h"

namespace sa {
namespace {

EnvelopeKind classify(const EnvelopeMembers& members) {
  if (members.id.empty()) return EnvelopeKind::other;
  if (!members.method.empty()) return EnvelopeKind::request;
  return members.result.empty() && members.error.empty() ? EnvelopeKind::other : EnvelopeKind::response;
}

// Clients settle a call by any line of the agent with its id and no method, also without a result; so does who waits here.
EnvelopeKind classify_line(const EnvelopeMembers& members) {
  const EnvelopeKind kind = classify(members);
  return kind == EnvelopeKind::other && !members.id.empty() ? EnvelopeKind::response : kind;
}

}  // namespace

Result<Envelope> parse_envelope(std::string body) {
  const JsonScan scan = scan_json(body);
  if (scan.kind == JsonKind::invalid)
    return fail(ErrorCode::invalid_request, fmt::format("The body is not valid JSON ({} at byte {}). Send one JSON-RPC object.",
                                                        scan.error, scan.error_at));
  if (scan.kind != JsonKind::object)
    return fail(ErrorCode::invalid_request, "The body must be one JSON-RPC object; batches and bare values are not taken.");
  const EnvelopeMembers& members = scan.members;
  if (members.method.empty() && members.result.empty() && members.error.empty())
    return fail(ErrorCode::invalid_request, "The object is not a JSON-RPC message: it has no 'method', 'result' or 'error'.");
  Envelope envelope;
  envelope.kind = classify(members);
  if (!members.id.empty()) envelope.id = id_key(members.id);
  envelope.bytes = std::move(body);
  if (scan.has_newline) std::ranges::replace_if(envelope.bytes, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return envelope;
}

AgentLine look_at_line(std::string_view line) {
  const JsonScan scan = scan_json(line);
  AgentLine result;
  result.is_json = scan.kind != JsonKind::invalid;
  result.error = scan.error;
  result.has_carriage_return = scan.has_newline;
  if (scan.kind == JsonKind::object) {
    result.kind = classify_line(scan.members);
    if (result.kind != EnvelopeKind::other) result.id = id_key(scan.members.id);
  }
  return result;
}

}  // namespace sa
