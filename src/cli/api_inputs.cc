#include "cli/api_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>

#include "api/schema.h"

namespace sa {
namespace {

namespace json = boost::json;
using InputPlace = ApiInput::Place;
using Type = ApiInput::Type;

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// A sentence of the API document as help writes it: no capital, no dot.
std::string as_help(std::string_view sentence, bool required) {
  std::string text(sentence);
  if (text.ends_with('.')) text.pop_back();
  if (text.size() > 1 && is_upper(text[0]) && !is_upper(text[1])) text[0] = lower(text[0]);
  return required ? text + " (required)" : text;
}

Completes completes_of(std::string_view name) {
  if (name == "path" || name == "from" || name == "to") return Completes::file;
  if (name == "directory" || name == "cwd") return Completes::folder;
  if (name == "agent") return Completes::agent;
  if (name == "server_id") return Completes::instance;
  return Completes::nothing;
}

std::string value_of(Type type, const ApiInput& input) {
  if (type == Type::flag) return "";
  if (type == Type::number) return "NUMBER";
  if (type == Type::json) return "JSON";
  if (input.completes == Completes::agent) return "AGENT";
  if (input.completes == Completes::file || input.completes == Completes::folder) return "PATH";
  std::string value = input.words.empty() ? "TEXT" : input.words;
  std::ranges::replace(value, ' ', '|');
  return value;
}

// A path the command line makes whole needs no word of where the daemon would look for the rest of it.
std::string_view without_start(std::string_view sentence) {
  return sentence.substr(0, sentence.find(" A relative one counts"));
}

ApiInput make_input(InputPlace place, std::string_view wire_name, Type type, std::string_view help, bool required = false,
                    const std::vector<std::string_view>& words = {}) {
  ApiInput input{.place = place, .type = type, .wire_name = std::string(wire_name), .name = option_name(wire_name)};
  input.required = required;
  input.completes = words.empty() ? completes_of(wire_name) : Completes::words;
  input.help = as_help(input.completes == Completes::folder ? without_start(help) : help, required);
  input.words = fmt::format("{}", fmt::join(words, " "));
  input.value = value_of(type, input);
  return input;
}

std::string argument_name(std::string_view wire_name) {
  std::string name(wire_name);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

void add_path(std::vector<ApiInput>& inputs, std::string_view pattern) {
  for (std::size_t at = pattern.find('{'); at != std::string_view::npos; at = pattern.find('{', at + 1)) {
    const std::string_view name = pattern.substr(at + 1, pattern.find('}', at) - at - 1);
    std::string help(path_parameter_help(name));
    if (const std::size_t escapes = help.find(", percent-encoded"); escapes != std::string::npos)
      help.resize(escapes);  // we do
    ApiInput input = make_input(InputPlace::path, name, Type::text, help);
    input.name = argument_name(name);
    input.required = true;
    inputs.push_back(std::move(input));
  }
}

json::object resolved(const json::object& schema, const SchemaBook& book) {
  const json::value* reference = schema.if_contains("$ref");
  if (!reference) return schema;
  const std::string_view name = reference->as_string();
  return book.components.at(name.substr(name.rfind('/') + 1)).as_object();
}

Type type_of(const json::object& schema) {
  if (const json::value* alternatives = schema.if_contains("oneOf")) {
    const bool has_text = std::ranges::any_of(alternatives->as_array(), [](const json::value& alternative) {
      return alternative.is_object() && type_of(alternative.get_object()) == Type::text;
    });
    return has_text ? Type::text_or_json : Type::json;
  }
  const json::value* type = schema.if_contains("type");
  if (!type) return Type::json;
  if (type->as_string() == "string") return Type::text;
  if (type->as_string() == "boolean") return Type::flag;
  return type->as_string() == "integer" ? Type::number : Type::json;
}

std::vector<std::string_view> words_of(const json::object& schema) {
  std::vector<std::string_view> words;
  if (const json::value* all = schema.if_contains("enum"))
    for (const json::value& word : all->as_array()) words.emplace_back(word.as_string());
  return words;
}

// Without the other spellings of the member: an option has one.
std::string_view description_of(const json::object& schema) {
  const std::string_view text = schema.at("description").as_string();
  return text.substr(0, text.find(" Taken as '"));
}

// Alternatives share their members: one that several have is one option, and takes the words of all.
void add_member(std::vector<ApiInput>& members, std::string_view name, const json::object& schema, bool required) {
  ApiInput member = make_input(InputPlace::member, name, type_of(schema), description_of(schema), required, words_of(schema));
  const auto same = std::ranges::find(members, member.name, &ApiInput::name);
  if (same == members.end()) {
    members.push_back(std::move(member));
  } else if (!member.words.empty() && !same->words.contains(member.words)) {
    same->words += " " + member.words;
    same->value += "|" + member.value;
  }
}

std::vector<json::object> alternatives_of(const json::object& schema, const SchemaBook& book) {
  const json::value* several = schema.if_contains("oneOf");
  if (!several) return {schema};
  std::vector<json::object> all;
  for (const json::value& one : several->as_array()) all.push_back(resolved(one.as_object(), book));
  return all;
}

bool is_required(const json::object& schema, std::string_view name) {
  return std::ranges::any_of(schema.at("required").as_array(),
                             [&](const json::value& word) { return word.as_string() == name; });
}

void add_members(std::vector<ApiInput>& inputs, const Endpoint& endpoint) {
  SchemaBook book;
  const json::object named = endpoint.request(book);
  const std::vector<json::object> alternatives = alternatives_of(resolved(named, book), book);
  std::vector<ApiInput> members;
  for (const json::object& schema : alternatives)
    for (const auto& [name, member] : schema.at("properties").as_object()) {
      const bool required =
          std::ranges::all_of(alternatives, [&](const json::object& each) { return is_required(each, name); });
      add_member(members, name, member.as_object(), required);
    }
  inputs.insert(inputs.end(), members.begin(), members.end());
}

ApiInput body_option() {
  return {.place = InputPlace::body,
          .type = Type::json,
          .name = "--body",
          .value = "JSON",
          .help = "the whole body: JSON, @FILE, or - for stdin"};
}

void add_body(std::vector<ApiInput>& inputs, const Endpoint& endpoint) {
  switch (endpoint.body) {
    case RequestBody::none: return;
    case RequestBody::bytes:
    case RequestBody::tar:
      inputs.push_back({.place = InputPlace::file,
                        .name = "--file",
                        .value = "FILE",
                        .help = "what to send; - or nothing for stdin when that is not a terminal",
                        .completes = Completes::file});
      return;
    case RequestBody::json:
    case RequestBody::optional_json: break;
  }
  if (endpoint.body_limit == BodyLimit::envelope) {
    inputs.push_back(
        {.place = InputPlace::body, .type = Type::json, .name = "JSON", .help = "the message, unless --body gives it"});
  } else {
    add_members(inputs, endpoint);
  }
  inputs.push_back(body_option());
}

void add_answer(std::vector<ApiInput>& inputs, const Endpoint& endpoint) {
  if (answer_kind_of(endpoint) == ApiAnswerKind::bytes)
    inputs.push_back({.place = InputPlace::output,
                      .name = "--output",
                      .value = "FILE",
                      .help = "where to put it, only when it is complete; else stdout",
                      .completes = Completes::file});
  if (answer_kind_of(endpoint) != ApiAnswerKind::events && may_stream(endpoint))
    inputs.push_back(
        {.place = InputPlace::stream, .type = Type::flag, .name = "--stream", .help = "tell how it goes, event by event"});
}

}  // namespace

std::string option_name(std::string_view wire_name) {
  std::string name = "--";
  for (std::size_t at = 0; at < wire_name.size(); ++at) {
    const char c = wire_name[at];
    if (is_upper(c) && at > 0 && is_lower(wire_name[at - 1])) name += '-';
    name += c == '_' ? '-' : lower(c);
  }
  return name;
}

std::vector<ApiInput> inputs_of(const Endpoint& endpoint) {
  std::vector<ApiInput> inputs;
  add_path(inputs, endpoint.pattern);
  for (const QueryParameter& parameter : endpoint.query)
    inputs.push_back(make_input(InputPlace::query, parameter.name,
                                parameter.kind == QueryParameter::Kind::flag ? Type::flag : Type::text, parameter.help,
                                parameter.required, parameter.words));
  for (const HeaderParameter& header : endpoint.headers)
    inputs.push_back(
        make_input(InputPlace::header, header.name, header.type == "integer" ? Type::number : Type::text, header.help));
  add_body(inputs, endpoint);
  add_answer(inputs, endpoint);
  return inputs;
}

ApiAnswerKind answer_kind_of(const Endpoint& endpoint) {
  for (const Answer& answer : endpoint.answers) {
    if (answer.status / 100 != 2 || answer.media_type.empty()) continue;
    if (answer.media_type == "application/json") return ApiAnswerKind::json;
    if (answer.media_type == "text/event-stream") return ApiAnswerKind::events;
    return answer.media_type.starts_with("text/") ? ApiAnswerKind::text : ApiAnswerKind::bytes;
  }
  return ApiAnswerKind::nothing;
}

bool may_stream(const Endpoint& endpoint) {
  return std::ranges::any_of(endpoint.answers, [](const Answer& answer) { return answer.media_type == "text/event-stream"; });
}

}  // namespace sa
