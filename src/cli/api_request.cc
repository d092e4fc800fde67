#include "cli/api_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/json_scan.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "cli/api_body.h"
#include "daemon/places.h"

namespace sa {
namespace {

using InputPlace = ApiInput::Place;
using Type = ApiInput::Type;

// Command lines give arguments in the order of the inputs that are some.
std::string given_argument(const ApiCall& call, const Invocation& given, const ApiInput& wanted) {
  std::size_t at = 0;
  for (const ApiInput& input : call.inputs) {
    if (&input == &wanted) break;
    if (input.is_argument()) ++at;
  }
  return given.argument(at);
}

bool is_given(const Invocation& given, const ApiInput& input) { return !input.is_argument() && given.has(input.name); }

std::unexpected<Failure> missing(const Invocation& given, const ApiInput& input) {
  const std::string help = input.help.substr(0, input.help.rfind(" (required)"));
  return wrong_use(given, fmt::format("'{}' needs {}: {}", given.command().name, input.name, help));
}

// The JSON a value of this type stands for.
Outcome<std::string> json_of(const Invocation& given, const ApiInput& input) {
  if (input.type == Type::flag) return "true";
  std::string text = given.value(input.name);
  const bool is_text =
      input.type == Type::text || (input.type == Type::text_or_json && !text.starts_with('[') && !text.starts_with('{'));
  if (is_text) {
    std::string token;
    append_json_string(token, text);
    return token;
  }
  const JsonScan scan = scan_json(text);
  if (scan.kind == JsonKind::invalid)
    return wrong_use(given, fmt::format("what {} is given is no JSON: {} at byte {}", input.name, scan.error, scan.error_at));
  if (input.type == Type::number && scan.kind != JsonKind::number)
    return wrong_use(given, fmt::format("{} takes a number, not '{}'", input.name, text));
  return text;
}

Outcome<std::string> path_of(const ApiCall& call, const Invocation& given) {
  std::string path(call.endpoint->pattern);
  for (const ApiInput& input : call.inputs) {
    if (input.place != InputPlace::path) continue;
    const std::string value = given_argument(call, given, input);
    if (value.empty()) return missing(given, input);
    const std::string hole = "{" + input.wire_name + "}";
    path.replace(path.find(hole), hole.size(), percent_encoded(value));
  }
  return path;
}

Outcome<std::string> query_of(const ApiCall& call, const Invocation& given) {
  std::string query;
  for (const ApiInput& input : call.inputs) {
    if (input.place != InputPlace::query) continue;
    std::string value = input.type == Type::flag ? "true" : given.value(input.name);
    if (input.required && value.empty()) return missing(given, input);
    if (!is_given(given, input)) continue;
    if (input.completes == Completes::folder) value = absolute_path(value);  // a relative one is meant from here
    query += fmt::format("{}{}={}", query.empty() ? '?' : '&', input.wire_name, percent_encoded(value));
  }
  return query;
}

Outcome<FetchHeaders> headers_of(const ApiCall& call, const Invocation& given) {
  FetchHeaders headers;
  for (const ApiInput& input : call.inputs) {
    if (input.place != InputPlace::header || !is_given(given, input)) continue;
    if (input.type == Type::number) TRY_VOID(json_of(given, input));
    headers.emplace_back(input.wire_name, given.value(input.name));
  }
  return headers;
}

const ApiInput* find_input(const ApiCall& call, InputPlace place, bool is_argument = false) {
  const auto found = std::ranges::find_if(
      call.inputs, [&](const ApiInput& input) { return input.place == place && input.is_argument() == is_argument; });
  return found == call.inputs.end() ? nullptr : &*found;
}

// The members that were given, as one object; empty when none was.
Outcome<std::string> object_of(const ApiCall& call, const Invocation& given) {
  std::string object;
  for (const ApiInput& input : call.inputs) {
    if (input.place != InputPlace::member || !is_given(given, input)) continue;
    TRY(const std::string value, json_of(given, input));
    object += object.empty() ? '{' : ',';
    append_json_string(object, input.wire_name);
    object.append(":").append(value);
  }
  return object.empty() ? object : object + "}";
}

Outcome<void> check_members(const ApiCall& call, const Invocation& given) {
  for (const ApiInput& input : call.inputs)
    if (input.place == InputPlace::member && input.required && !is_given(given, input)) return missing(given, input);
  return {};
}

Outcome<std::string> json_body(const ApiCall& call, const Invocation& given, const StopFlag& stop) {
  const ApiInput* argument = find_input(call, InputPlace::body, true);
  std::string message = argument ? given_argument(call, given, *argument) : "";
  TRY(std::string members, object_of(call, given));
  if (given.has("--body")) {
    if (!message.empty() || !members.empty())
      return wrong_use(given, "--body gives the whole body, and the command line gives parts of it as well");
    return body_text(given.value("--body"), stop);
  }
  if (!message.empty()) return message;
  if (members.empty() && call.endpoint->body == RequestBody::optional_json) return std::string();
  TRY_VOID(check_members(call, given));
  if (members.empty()) return missing(given, argument ? *argument : *find_input(call, InputPlace::body));
  return members;
}

Outcome<void> add_body(ApiRequest& request, const ApiCall& call, const Invocation& given, const StopFlag& stop) {
  const Endpoint& endpoint = *call.endpoint;
  if (endpoint.body == RequestBody::none) return {};
  if (const ApiInput* file = find_input(call, InputPlace::file)) {
    const std::string name = given.value(file->name);
    if (name.empty() && ::isatty(STDIN_FILENO) == 1) return missing(given, *file);
    TRY(BodySource source, open_body(name.empty() ? "-" : name, stop));
    request.more_body = std::move(source.more);
    request.body_length = source.length;
  } else {
    TRY(request.body, json_body(call, given, stop));
    if (request.body.empty()) return {};
  }
  request.headers.emplace_back("Content-Type", media_type_of(endpoint.body));
  return {};
}

}  // namespace

std::unexpected<Failure> wrong_use(const Invocation& given, std::string what) {
  return failed({.exit = Exit::usage,
                 .what = std::move(what),
                 .what_to_do = fmt::format("sandbox-agent {} --help", given.command().name)});
}

ApiAnswerKind wanted_answer(const ApiCall& call, const Invocation& given) {
  const ApiInput* stream = find_input(call, InputPlace::stream);
  const bool wants_events = stream && (given.has(stream->name) || given.has("--json"));
  return wants_events ? ApiAnswerKind::events : answer_kind_of(*call.endpoint);
}

Outcome<ApiRequest> api_request(const ApiCall& call, const Invocation& given, const StopFlag& stop) {
  ApiRequest request{.method = std::string(call.endpoint->method), .idle_timeout = Millis(0), .stop = &stop};
  TRY(const std::string path, path_of(call, given));
  TRY(const std::string query, query_of(call, given));
  request.target = path + query;
  TRY(request.headers, headers_of(call, given));
  if (wanted_answer(call, given) == ApiAnswerKind::events) request.headers.emplace_back("Accept", "text/event-stream");
  TRY_VOID(add_body(request, call, given, stop));
  return request;
}

}  // namespace sa
