// What an endpoint takes, as a command line gives it: every argument and option, and where its value goes in the request.
// Follows from the endpoint's row. Values.
#pragma once

#include <string>
#include <vector>

#include "api/endpoint.h"
#include "cli/command.h"

namespace sa {

struct ApiInput {
  enum class Place : std::uint8_t { path, query, header, member, body, file, output, stream };
  enum class Type : std::uint8_t { text, flag, number, json, text_or_json };

  Place place = Place::query;
  Type type = Type::text;
  std::string wire_name;  // in the path, query, headers or body
  std::string name;       // "--mcp-name", or "AGENT" for an argument
  std::string value;      // what stands for it in help; empty for a switch
  std::string help;
  bool required = false;
  Completes completes = Completes::nothing;
  std::string words{};

  bool is_argument() const { return !name.starts_with('-'); }
};

std::vector<ApiInput> inputs_of(const Endpoint& endpoint);

// What the body of a successful answer is.
enum class ApiAnswerKind : std::uint8_t { nothing, json, text, bytes, events };
ApiAnswerKind answer_kind_of(const Endpoint& endpoint);
// Whether the answer may be a stream of events instead.
bool may_stream(const Endpoint& endpoint);

// "no_cache", "mcpName" and "Last-Event-ID" as "--no-cache", "--mcp-name" and "--last-event-id".
std::string option_name(std::string_view wire_name);

}  // namespace sa
