#include "cli/http_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "api/api.h"
#include "api/endpoint.h"
#include "base/json_members.h"
#include "cli/markdown.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::string_view http_head = R"(# The HTTP API

<!-- generated from the rows of src/api/routes.cc by `make reference` -->

For people; [openapi.json](openapi.json) says the same to programs, and `GET /v1/openapi.json` serves it. Routes that need the token take it as
`Authorization: Bearer <token>`. `HEAD` works wherever `GET` does. Unknown query parameters and unknown members of JSON bodies are ignored; a flag is
`true` or `false`. Every error is a [problem](errors.md). Limits of bodies are named as `GET /v1/status` names them; the [settings](settings.md) change them.

)";

std::string words_of_schema(const json::object& schema) {
  if (const std::string_view reference = string_member(schema, "$ref"); !reference.empty()) {
    const std::string_view name = reference.substr(reference.rfind('/') + 1);
    return fmt::format("[{}](#{})", name, anchor_of(name));
  }
  std::vector<std::string> words;
  if (const json::value* several = schema.if_contains("oneOf")) {
    for (const json::value& one : several->as_array()) words.push_back(words_of_schema(one.as_object()));
    return fmt::format("{}", fmt::join(words, " or "));
  }
  if (const json::value* several = schema.if_contains("enum")) {
    for (const json::value& one : several->as_array())
      words.push_back(fmt::format("`\"{}\"`", std::string_view(one.as_string())));
    return fmt::format("{}", fmt::join(words, ", "));
  }
  if (const json::value* items = schema.if_contains("items"))
    return fmt::format("list of {}", words_of_schema(items->as_object()));
  if (const json::value* values = schema.if_contains("additionalProperties"); values && values->is_object())
    return fmt::format("names and their {}", words_of_schema(values->as_object()));
  const std::string_view type = string_member(schema, "type");
  return std::string(type.empty() ? "any" : type);
}

std::string words_of_content(const json::object& content) {
  std::vector<std::string> words;
  for (const auto& [type, body] : content) {
    const std::string schema = words_of_schema(body.at("schema").as_object());
    words.push_back(schema == "string" ? fmt::format("`{}`", std::string_view(type))
                                       : fmt::format("`{}`: {}", std::string_view(type), schema));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

void print_parameters(const json::array& parameters) {
  fmt::print("\n| Parameter | In | Type | Meaning |\n|---|---|---|---|\n");
  for (const json::value& value : parameters) {
    const json::object& parameter = value.as_object();
    const json::value* required = parameter.if_contains("required");
    fmt::print("| `{}` | {}{} | {} | {} |\n", string_member(parameter, "name"), string_member(parameter, "in"),
               required && required->as_bool() ? ", required" : "", words_of_schema(parameter.at("schema").as_object()),
               cell(string_member(parameter, "description")));
  }
}

void print_body(const json::object& body) {
  fmt::print("\nBody{}: {}, at most `{}` bytes.\n", body.at("required").as_bool() ? "" : ", may be left out",
             words_of_content(body.at("content").as_object()), string_member(body, "x-limit"));
}

std::string words_of_headers(const json::object& answer) {
  std::vector<std::string> names;
  if (const json::value* headers = answer.if_contains("headers"))
    for (const auto& [name, header] : headers->as_object()) names.push_back(fmt::format("`{}`", std::string_view(name)));
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_answers(const json::object& answers) {
  fmt::print("\n| Answer | Body | Headers | Meaning |\n|---|---|---|---|\n");
  std::vector<std::string> problems;
  for (const auto& [status, value] : answers) {
    const json::object& answer = value.as_object();
    if (const json::value* codes = answer.if_contains("x-error-codes")) {
      for (const json::value& code : codes->as_array())
        problems.push_back(fmt::format("{} [{}](errors.md#{})", std::string_view(status), std::string_view(code.as_string()),
                                       anchor_of(code.as_string())));
      continue;
    }
    const json::value* content = answer.if_contains("content");
    fmt::print("| {} | {} | {} | {} |\n", std::string_view(status), content ? words_of_content(content->as_object()) : "–",
               words_of_headers(answer), cell(string_member(answer, "description")));
  }
  fmt::print("\nProblems: {}.\n", fmt::join(problems, ", "));
}

// Behind "sandbox-agent api"; empty for none.
std::string_view command_of(std::string_view operation) {
  const auto rows = endpoints();
  const auto row = std::ranges::find(rows, operation, &Endpoint::operation);
  return row == rows.end() ? std::string_view() : row->command;
}

void print_route(std::string_view method, std::string_view path, const json::object& operation) {
  const std::string_view name = string_member(operation, "operationId"), help = string_member(operation, "description");
  fmt::print("\n### {}\n\n{}.{}{}\n\n`{}`", route_title(method, path), string_member(operation, "summary"),
             help.empty() ? "" : " ", help, name);
  if (const std::string_view command = command_of(name); !command.empty())
    fmt::print(", on the command line [`api {0}`](cli.md#{1})", command, anchor_of(fmt::format("api {}", command)));
  fmt::print("{}\n", operation.contains("security") ? "; needs no token." : "; needs the token.");
  if (const json::value* parameters = operation.if_contains("parameters")) print_parameters(parameters->as_array());
  if (const json::value* body = operation.if_contains("requestBody")) print_body(body->as_object());
  print_answers(operation.at("responses").as_object());
}

void print_schema(std::string_view name, const json::object& schema) {
  fmt::print("\n### {}\n\n{}\n", name, string_member(schema, "description"));
  const json::value* properties = schema.if_contains("properties");
  if (!properties) {
    fmt::print("\nIt is {}.\n", words_of_schema(schema));
    return;
  }
  const json::value* required = schema.if_contains("required");
  fmt::print("\n| Member | Type | Meaning |\n|---|---|---|\n");
  for (const auto& [member, value] : properties->as_object()) {
    const bool always = required && std::ranges::find(required->as_array(), json::value(member)) != required->as_array().end();
    fmt::print("| `{}`{} | {} | {} |\n", std::string_view(member), always ? "" : "?", words_of_schema(value.as_object()),
               cell(string_member(value.as_object(), "description")));
  }
}

// A header means the same wherever it appears.
void print_headers(const json::object& paths) {
  std::map<std::string, std::string_view> headers;
  for (const auto& [path, methods] : paths)
    for (const auto& [method, operation] : methods.as_object())
      for (const auto& [status, answer] : operation.at("responses").as_object())
        if (const json::value* named = answer.as_object().if_contains("headers"))
          for (const auto& [name, header] : named->as_object())
            headers[name] = string_member(header.as_object(), "description");
  fmt::print("\n## Headers of answers\n\n| Header | Meaning |\n|---|---|\n");
  for (const auto& [name, meaning] : headers) fmt::print("| `{}` | {} |\n", name, cell(meaning));
}

void print_removed() {
  fmt::print("\n## Removed\n\nEvery method on these paths is answered with 410 [removed](errors.md#removed):");
  for (const Endpoint& endpoint : endpoints())
    if (endpoint.method == "*") fmt::print(" `{}`", endpoint.pattern);
  fmt::print(".\n");
}

}  // namespace

std::string route_title(std::string_view method, std::string_view path) {
  std::string upper(method);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return fmt::format("{} {}", upper, path);
}

void print_http_reference() {
  const json::value document = json::parse(openapi_document());
  const json::object& paths = document.at("paths").as_object();
  fmt::print("{}| Route | What it does |\n|---|---|\n", http_head);
  for (const auto& [path, methods] : paths)
    for (const auto& [method, operation] : methods.as_object()) {
      const std::string title = route_title(method, path);
      fmt::print("| [`{}`](#{}) | {} |\n", title, anchor_of(title), string_member(operation.as_object(), "summary"));
    }
  fmt::print("\n## Routes\n");
  for (const auto& [path, methods] : paths)
    for (const auto& [method, operation] : methods.as_object()) print_route(method, path, operation.as_object());
  print_headers(paths);
  print_removed();
  fmt::print("\n## Documents\n\nThe JSON of bodies and answers. Members with `?` may be missing.\n");
  for (const auto& [name, schema] : document.at("components").at("schemas").as_object())
    if (name != "Problem") print_schema(name, schema.as_object());
}

}  // namespace sa
