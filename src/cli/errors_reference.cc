#include "cli/errors_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "api/api.h"
#include "api/problem_help.h"
#include "base/exit_codes.h"
#include "base/json_pretty.h"
#include "base/words.h"
#include "cli/http_reference.h"
#include "cli/markdown.h"
#include "http/response.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::string_view errors_head = R"(# Errors

<!-- generated from src/base/error_codes.h, src/base/exit_codes.h and src/api/problem_help.cc by `make reference` -->

Every error of the HTTP API has a body of the type `application/problem+json` (RFC 9457), whoever finds it: a route, the gate or the parser.

```json
{}```

`type` is the error's name behind `urn:sandbox-agent:error:`: that is what programs compare. `detail` is a sentence for people that says what to
do; it may change. The SDK has the name as `error.code`, the command line as `code` of its [Failure](cli.schema.json#/$defs/Failure).

| Member | Meaning |
|---|---|
)";

// The routes' sections in http.md, in the order of the document; and those of them that can answer with an error.
struct ErrorRoutes {
  std::vector<std::string> all;
  std::map<std::string, std::vector<std::string>, std::less<>> by_error;
};

ErrorRoutes error_routes(const json::object& paths) {
  ErrorRoutes routes;
  for (const auto& [path, methods] : paths)
    for (const auto& [method, operation] : methods.as_object()) {
      const std::string& title = routes.all.emplace_back(route_title(method, path));
      for (const auto& [status, answer] : operation.at("responses").as_object())
        if (const json::value* codes = answer.as_object().if_contains("x-error-codes"))
          for (const json::value& code : codes->as_array()) routes.by_error[std::string(code.as_string())].push_back(title);
    }
  return routes;
}

std::string links_to(const std::vector<std::string>& titles) {
  std::vector<std::string> links;
  links.reserve(titles.size());
  for (const std::string& title : titles) links.push_back(fmt::format("[`{}`](http.md#{})", title, anchor_of(title)));
  return fmt::format("{}", fmt::join(links, ", "));
}

std::string words_of_routes(const ErrorRoutes& routes, std::string_view word) {
  if (word == error_row(ErrorCode::removed).word) return "[what was removed](http.md#removed)";
  const auto found = routes.by_error.find(word);
  if (found == routes.by_error.end()) return "any request, whatever its route";
  std::vector<std::string> others;
  for (const std::string& title : routes.all)
    if (std::ranges::find(found->second, title) == found->second.end()) others.push_back(title);
  if (others.empty()) return "every route";
  return others.size() < found->second.size() ? "every route but " + links_to(others) : links_to(found->second);
}

std::string words_of_members(std::string_view members) {
  std::vector<std::string> names = split_words(members).value();
  for (std::string& name : names) name = fmt::format("`{}`", name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_problem(const ErrorRow& row, const ProblemHelp& help, const std::string& routes) {
  fmt::print("\n### {}\n\n{} {}. {}\n\n- What to do: {}\n", row.word, row.status, row.title, help.when, help.what_to_do);
  if (!help.members.empty()) fmt::print("- Adds: {}\n", words_of_members(help.members));
  fmt::print("- From: {}\n", routes);
}

void print_exit_codes() {
  fmt::print(
      "\n## Exit codes\n\nWhat a command that meets the error ends with.\n\n| Code | Meaning | Errors |\n|--:|---|---|\n");
  for (const ExitRow& exit : exit_rows) {
    std::vector<std::string> links;
    for (const ErrorRow& row : error_rows)
      if (row.exit == exit.exit) links.push_back(fmt::format("[{}](#{})", row.word, anchor_of(row.word)));
    fmt::print("| {} | {} | {} |\n", static_cast<int>(exit.exit), cell(exit.meaning), fmt::join(links, ", "));
  }
}

std::string example() {
  const Error error =
      Error{ErrorCode::not_found, "There is no instance with this id. POST to it with ?agent= to start one.", {}}
          .with_text("resource", "server")
          .with_text("id", "demo");
  return pretty_json(json::parse(problem_document(error, "/v1/acp/demo")));
}

}  // namespace

void print_errors_reference() {
  const json::value document = json::parse(openapi_document());
  const json::object& paths = document.at("paths").as_object();
  const ErrorRoutes routes = error_routes(paths);
  const std::size_t hole = errors_head.find("{}");
  fmt::print("{}{}{}", errors_head.substr(0, hole), example(), errors_head.substr(hole + 2));
  for (const auto& [name, member] : document.at("components").at("schemas").at("Problem").at("properties").as_object())
    fmt::print("| `{}` | {} |\n", std::string_view(name), cell(member.at("description").as_string()));
  fmt::print("\n## Problems\n\n| Error | Status | Title | Exit code |\n|---|--:|---|--:|\n");
  for (const ErrorRow& row : error_rows)
    fmt::print("| [{}](#{}) | {} | {} | {} |\n", row.word, anchor_of(row.word), row.status, row.title,
               static_cast<int>(row.exit));
  for (std::size_t i = 0; i < std::size(error_rows); ++i)
    print_problem(error_rows[i], problem_help(static_cast<ErrorCode>(i)), words_of_routes(routes, error_rows[i].word));
  print_exit_codes();
}

}  // namespace sa
