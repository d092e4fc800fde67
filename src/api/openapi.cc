// The OpenAPI 3.1 document, made from the route table: nothing about an endpoint is said here that its row does not say.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "api/endpoint.h"
#include "api/handlers.h"
#include "api/schema.h"
#include "base/json_pretty.h"
#include "base/version.h"

namespace sa {
namespace {

namespace json = boost::json;

struct Named {
  std::string_view name;
  std::string_view help;
  std::string_view type = "string";
};

// Path parameters and answer headers mean the same wherever they appear.
constexpr Named path_parameters[] = {
    {"server_id", "Any name for the instance: 1 to 256 bytes of printable UTF-8, percent-encoded."},
    {"agent", "The agent's id, or one of its aliases."},
    {"path…", "A path below."},
};
constexpr Named answer_headers[] = {
    {"Accept-Ranges", "\"bytes\": parts can be asked for."},
    {"Acp-Event-Id", "The number of this answer on the event stream; everything before it belongs before the answer.",
     "integer"},
    {"Acp-Instance-Id", "Random per instance."},
    {"Content-Range", "Which part of how many bytes this is."},
    {"ETag", "The version of the file: another one after any change."},
    {"Last-Modified", "When the file's content last changed."},
    {"Location", "Where to go."},
    {"Preference-Applied", "\"respond-async\" when that was asked for."},
    {"Retry-After", "Seconds after which another try makes sense.", "integer"},
    {"WWW-Authenticate", "\"Bearer\"."},
};
constexpr Named problem_extras[] = {
    {"field", "The parameter, header or member at fault."},
    {"agent", "The agent it is about."},
    {"resource", "What kind of thing is missing."},
    {"id", "Which one is missing."},
    {"replacement", "What took the place of a removed interface."},
    {"path", "The file at fault."},
    {"cause", "What went wrong underneath."},
    {"command", "The command that failed."},
    {"stderr", "The last lines the program wrote to stderr."},
    {"signal", "The signal that ended the agent, such as SIGKILL."},
};

template <std::size_t size>
const Named& row_of(const Named (&table)[size], std::string_view name) {
  const Named* row = std::ranges::find(table, name, &Named::name);
  if (row == std::end(table)) std::abort();  // a name without a row is our mistake, and shows at once
  return *row;
}

json::object string_schema() { return {{"type", "string"}}; }

json::object query_schema(const QueryParameter& parameter) {
  if (parameter.kind == QueryParameter::Kind::flag) return {{"type", "boolean"}};
  json::object schema = string_schema();
  if (!parameter.words.empty()) schema["enum"] = json::array(parameter.words.begin(), parameter.words.end());
  if (parameter.required && parameter.may_be_blank) schema["minLength"] = 1;
  if (parameter.required && !parameter.may_be_blank) schema["pattern"] = "\\S";
  return schema;
}

json::array parameters_of(const Endpoint& endpoint) {
  json::array list;
  for (std::size_t at = endpoint.pattern.find('{'); at != std::string_view::npos; at = endpoint.pattern.find('{', at + 1)) {
    const std::string_view name = endpoint.pattern.substr(at + 1, endpoint.pattern.find('}', at) - at - 1);
    list.push_back({{"name", name.substr(0, name.find("…"))},
                    {"in", "path"},
                    {"required", true},
                    {"description", path_parameter_help(name)},
                    {"schema", string_schema()}});
  }
  for (const QueryParameter& parameter : endpoint.query)
    list.push_back({{"name", parameter.name},
                    {"in", "query"},
                    {"required", parameter.required},
                    {"description", parameter.help},
                    {"schema", query_schema(parameter)}});
  for (const HeaderParameter& header : endpoint.headers)
    list.push_back(
        {{"name", header.name}, {"in", "header"}, {"description", header.help}, {"schema", {{"type", header.type}}}});
  return list;
}

void add_header(json::object& response, std::string_view name) {
  const Named& row = row_of(answer_headers, name);
  json::value& headers = response["headers"];
  if (!headers.is_object()) headers.emplace_object();
  headers.get_object()[name] = {{"description", row.help}, {"schema", {{"type", row.type}}}};
}

json::object response_of(const Answer& answer, SchemaBook& book) {
  json::object response{{"description", answer.help}};
  for (std::string_view name : answer.headers) add_header(response, name);
  if (!answer.media_type.empty()) {
    json::object schema = answer.schema ? answer.schema(book) : string_schema();
    response["content"] = {{answer.media_type, {{"schema", std::move(schema)}}}};
  }
  return response;
}

bool is_json(RequestBody body) { return body == RequestBody::json || body == RequestBody::optional_json; }

// Two answers of one status are two media types of it.
void add_answer(json::object& answers, const Answer& answer, SchemaBook& book) {
  json::object response = response_of(answer, book);
  const std::string status = std::to_string(answer.status);
  if (auto* before = answers.if_contains(status)) {
    for (auto& [type, content] : response["content"].as_object()) before->as_object()["content"].as_object()[type] = content;
  } else {
    answers[status] = std::move(response);
  }
}

// What can go wrong: the row's own errors and those that follow from what it is.
std::set<ErrorCode> errors_of(const Endpoint& endpoint) {
  using enum ErrorCode;
  std::set<ErrorCode> codes(endpoint.errors.begin(), endpoint.errors.end());
  codes.insert(forbidden);
  if (endpoint.access == Access::token) codes.insert({token_missing, token_invalid});
  if (!endpoint.produces.empty()) codes.insert(not_acceptable);
  if (is_json(endpoint.body) || endpoint.body == RequestBody::tar) codes.insert({unsupported_media_type, invalid_request});
  if (endpoint.body != RequestBody::none) codes.insert(request_timeout);
  if (endpoint.body != RequestBody::none) codes.insert(payload_too_large);
  if (!endpoint.query.empty() || endpoint.pattern.find('{') != std::string_view::npos) codes.insert(invalid_request);
  return codes;
}

json::object problem_answers(const Endpoint& endpoint) {
  std::map<int, json::array> words;
  for (ErrorCode code : errors_of(endpoint)) words[error_row(code).status].emplace_back(error_row(code).word);
  json::object answers;
  for (auto& [status, codes] : words) {
    std::string help = "Problem:";
    for (const json::value& code : codes) help.append(help.ends_with(':') ? " " : ", ").append(code.as_string());
    json::object response{{"description", help},
                          {"content", {{"application/problem+json", {{"schema", {{"$ref", "#/components/schemas/Problem"}}}}}}},
                          {"x-error-codes", std::move(codes)}};
    if (status == 401) add_header(response, "WWW-Authenticate");
    if (status == 503) add_header(response, "Retry-After");
    for (const ProblemHeader& header : endpoint.problem_headers)
      if (std::ranges::find(header.statuses, status) != header.statuses.end()) add_header(response, header.name);
    answers[std::to_string(status)] = std::move(response);
  }
  return answers;
}

// By its name in the limits of GET /v1/status.
std::string_view name_of(BodyLimit limit) {
  switch (limit) {
    case BodyLimit::json: return "maxJsonBytes";
    case BodyLimit::envelope: return "maxEnvelopeBytes";
    case BodyLimit::file: return "maxFileBytes";
    case BodyLimit::archive: return "maxArchiveBytes";
  }
  std::unreachable();
}

json::object request_body(const Endpoint& endpoint, SchemaBook& book) {
  json::object schema = endpoint.request ? endpoint.request(book) : string_schema();
  return {{"required", endpoint.body != RequestBody::optional_json},
          {"content", {{media_type_of(endpoint.body), {{"schema", std::move(schema)}}}}},
          {"x-limit", name_of(endpoint.body_limit)}};
}

json::object operation_of(const Endpoint& endpoint, SchemaBook& book) {
  json::object operation{{"operationId", endpoint.operation}, {"summary", endpoint.summary}};
  if (!endpoint.help.empty()) operation["description"] = endpoint.help;
  if (endpoint.access == Access::open) operation["security"] = json::array();
  if (json::array parameters = parameters_of(endpoint); !parameters.empty()) operation["parameters"] = std::move(parameters);
  if (endpoint.body != RequestBody::none) operation["requestBody"] = request_body(endpoint, book);
  json::object answers;
  for (const Answer& answer : endpoint.answers) add_answer(answers, answer, book);
  for (auto& [status, problem] : problem_answers(endpoint)) answers[status] = problem;
  operation["responses"] = std::move(answers);
  return operation;
}

json::object problem_schema() {
  json::array types;
  for (const ErrorRow& row : error_rows) types.emplace_back("urn:sandbox-agent:error:" + std::string(row.word));
  json::object properties{
      {"type", {{"type", "string"}, {"enum", std::move(types)}, {"description", "Which error this is."}}},
      {"title", {{"type", "string"}, {"description", "The error in a few words; the same for all of its type."}}},
      {"status", {{"type", "integer"}, {"description", "The HTTP status."}}},
      {"detail", {{"type", "string"}, {"description", "One sentence that says what to do."}}},
      {"instance", {{"type", "string"}, {"description", "The path that was asked for."}}},
      {"exitCode", {{"type", "integer"}, {"description", "The agent's exit code."}}},
      {"limit", {{"type", "integer"}, {"description", "The most bytes allowed."}}},
      {"suggestions", {{"type", "array"}, {"items", string_schema()}, {"description", "Names that exist."}}}};
  for (const Named& extra : problem_extras) properties[extra.name] = {{"type", "string"}, {"description", extra.help}};
  return {{"type", "object"},
          {"description", "Every error's body."},
          {"properties", std::move(properties)},
          {"required", {"type", "title", "status", "detail"}}};
}

std::string path_of(std::string_view pattern) {
  std::string path(pattern);
  if (const std::size_t rest = path.find("…"); rest != std::string::npos) path.erase(rest, std::string_view("…").size());
  return path;
}

std::string method_of(std::string_view method) {
  std::string lower;
  for (char c : method) lower += static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

std::string_view path_parameter_help(std::string_view name) { return row_of(path_parameters, name).help; }

std::string_view media_type_of(RequestBody body) {
  switch (body) {
    case RequestBody::none: return "";
    case RequestBody::json:
    case RequestBody::optional_json: return "application/json";
    case RequestBody::bytes: return "application/octet-stream";
    case RequestBody::tar: return "application/x-tar";
  }
  std::unreachable();
}

json::object SchemaOfType<AnyEnvelope>::make(SchemaBook& book) {
  book.components["Envelope"] = {
      {"type", "object"},
      {"description",
       "One JSON-RPC message: a request (method and id), a notification (method) or a response (result or error)."},
      {"properties",
       {{"jsonrpc", {{"type", "string"}, {"description", "\"2.0\"; not looked at."}}},
        {"id", {{"description", "Of a request, and of the answer to it. Any JSON value."}}},
        {"method", {{"type", "string"}, {"description", "What is asked for."}}},
        {"params", {{"description", "What the method takes."}}},
        {"result", {{"description", "The answer to a request."}}},
        {"error", {{"description", "Why a request was not fulfilled."}}}}},
      {"additionalProperties", true}};
  return {{"$ref", "#/components/schemas/Envelope"}};
}

namespace {

std::string make_openapi_document() {
  SchemaBook book;
  json::object paths;
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.method == "*") continue;  // removed; not part of the API
    json::value& path = paths[path_of(endpoint.pattern)];
    if (!path.is_object()) path.emplace_object();
    path.get_object()[method_of(endpoint.method)] = operation_of(endpoint, book);
  }
  book.components["Problem"] = problem_schema();
  const json::object document{{"openapi", "3.1.0"},
                              {"info",
                               {{"title", "Sandbox Agent"},
                                {"version", version},
                                {"description", "Any coding agent that speaks the Agent Client Protocol, behind one HTTP API."},
                                {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
                              {"servers", {{{"url", "http://127.0.0.1:2468"}, {"description", "The default address"}}}},
                              {"security", {{{"token", json::array()}}}},
                              {"paths", std::move(paths)},
                              {"components",
                               {{"securitySchemes",
                                 {{"token",
                                   {{"type", "http"},
                                    {"scheme", "bearer"},
                                    {"description", "The daemon's token. The scheme word \"Token\" works too."}}}}},
                                {"schemas", std::move(book.components)}}}};
  return pretty_json(document);
}

}  // namespace

const std::string& openapi_document() {
  static const std::string document = make_openapi_document();
  return document;
}

Task<Result<Response>> get_openapi(Api&, Request&) { co_return Response::json(SharedBytes{nullptr, openapi_document()}); }

}  // namespace sa
