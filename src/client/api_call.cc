#include "client/api_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/json_members.h"
#include "base/telling_line.h"

namespace sa {
namespace {

namespace json = boost::json;

const ErrorRow* row_of(std::string_view type) {
  constexpr std::string_view prefix = "urn:sandbox-agent:error:";
  if (!type.starts_with(prefix)) return nullptr;
  const auto* row = std::ranges::find(error_rows, type.substr(prefix.size()), &ErrorRow::word);
  return row == std::end(error_rows) ? nullptr : row;
}

// Those its sentences do not name already.
std::string suggestions_of(const json::object& problem) {
  std::string text;
  for (const json::value& name : array_member(problem, "suggestions"))
    if (name.is_string()) text.append(text.empty() ? "" : ", ").append(name.get_string());
  return string_member(problem, "detail").find(text) == std::string_view::npos ? text : "";
}

std::string advice(Exit exit, const std::string& suggestions) {
  if (exit == Exit::token) return "SANDBOX_AGENT_TOKEN or --token-file with the daemon's token";
  return suggestions.empty() ? "" : "one of " + suggestions;
}

std::string from(const ServerAddress& server) { return server.origin.empty() ? "" : fmt::format(" (from {})", server.origin); }

// What an agent's output says of its end.
std::string output_words(const std::string& output) {
  const std::string cause = cause_line(output);
  return cause.empty() ? "" : "its output ended with: " + cause;
}

Failure failure_of(const ServerAddress& server, const FetchAnswer& answer) {
  if (auto failure = failure_of_problem(answer.refusal)) return std::move(*failure);
  return {.what = fmt::format("{}{} answered {}", server.url, from(server), answer.status),
          .why = "it does not seem to be a sandbox-agent daemon",
          .what_to_do = "another --endpoint",
          .more = answer.refusal.substr(0, 2000)};
}

Failure failure_of(const ServerAddress& server, const FetchError& error) {
  if (error.kind == FetchError::Kind::stopped) return {.exit = Exit::interrupted, .what = "interrupted"};
  if (error.cause) return sa::failure_of(*error.cause);
  if (error.kind == FetchError::Kind::bad_url)
    return {.exit = Exit::usage, .what = error.text, .what_to_do = "--endpoint http://127.0.0.1:2468"};
  return {.exit = Exit::unreachable,
          .what = fmt::format("the daemon at {}{} does not answer", server.url, from(server)),
          .why = error.text,
          .what_to_do = "sandbox-agent daemon status — or another --endpoint"};
}

}  // namespace

std::optional<Failure> failure_of_problem(std::string_view document) {
  boost::system::error_code error;
  const json::value value = json::parse(document, error);
  const json::object* problem = error ? nullptr : value.if_object();
  const ErrorRow* row = problem ? row_of(string_member(*problem, "type")) : nullptr;
  if (!row) return std::nullopt;
  const std::string output(string_member(*problem, "stderr"));
  return Failure{.exit = row->exit,
                 .what = std::string(string_member(*problem, "detail")),
                 .why = output_words(output),
                 .what_to_do = advice(row->exit, suggestions_of(*problem)),
                 .code = std::string(row->word),
                 .more = output.empty() ? std::string(document) : output};
}

std::string ApiAnswer::header(std::string_view name) const { return header_of(headers, name); }

Outcome<ApiAnswer> call_api(const ServerAddress& server, const ApiRequest& request, const FetchSink& sink) {
  FetchRequest asked{.method = request.method,
                     .url = server.url + request.target,
                     .headers = request.headers,
                     .body = request.body,
                     .more_body = request.more_body,
                     .body_length = request.body_length,
                     .connect_timeout = Millis(5'000),
                     .idle_timeout = request.idle_timeout,
                     .total_timeout = request.total_timeout,
                     .max_redirects = 0,
                     .answered =
                         [&request](int status) {
                           if (status / 100 == 2 && request.answered) request.answered();
                         },
                     .stop = request.stop};
  if (!server.token.empty()) asked.headers.emplace_back("Authorization", "Bearer " + server.token);
  auto answer = fetch(asked, sink);
  if (!answer) return failed(failure_of(server, answer.error()));
  constexpr int not_modified = 304;
  if (answer->status / 100 != 2 && answer->status != not_modified) return failed(failure_of(server, *answer));
  return ApiAnswer{answer->status, std::move(answer->headers), {}};
}

Outcome<ApiAnswer> call_api(const ServerAddress& server, const ApiRequest& request) {
  std::string body;
  auto answer = call_api(server, request, [&body](std::string_view bytes) -> Result<void> {
    body += bytes;
    return {};
  });
  if (answer) answer->body = std::move(body);
  return answer;
}

std::pair<std::string, std::string> json_content() { return {"Content-Type", "application/json"}; }

}  // namespace sa
