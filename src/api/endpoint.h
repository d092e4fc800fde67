// One row of the route table: everything that is true of an endpoint. Routing, the gate's rules, the API document, the contract
// test and the CLI's generic commands follow from it. Plain data; the table lives as long as the process.
#pragma once

#include <boost/json/fwd.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "base/error_codes.h"
#include "http/router.h"

namespace sa {

struct Api;
struct SchemaBook;

// Gives the schema of a type; see schema_of() in api/schema.h.
using SchemaOf = boost::json::object (*)(SchemaBook& book);

enum class BodyLimit : std::uint8_t { json, envelope, file, archive };

struct HeaderParameter {
  std::string_view name;
  std::string_view type;  // of its value, as schemas say it
  std::string_view help;
};

// A successful answer.
struct Answer {
  int status = 200;
  std::string_view media_type;  // empty: no body
  std::string_view help;
  SchemaOf schema = nullptr;  // of a JSON body
  std::vector<std::string_view> headers{};
};

// A header of problems, by their status; those of 401 and 503 follow by themselves.
struct ProblemHeader {
  std::string_view name;
  std::vector<int> statuses;
};

struct Endpoint {
  std::string_view method;     // "GET", …; "*" for every method
  std::string_view pattern;    // see Route
  std::string_view operation;  // the stable name of what it does
  std::string_view command;    // behind "sandbox-agent api"; empty for none
  std::string_view summary;
  std::string_view help;
  Access access = Access::token;
  RequestBody body = RequestBody::none;
  BodyLimit body_limit = BodyLimit::json;
  SchemaOf request = nullptr;  // of a JSON body
  std::string_view produces;   // what Accept must allow; empty for whatever
  std::vector<QueryParameter> query;
  std::vector<HeaderParameter> headers;
  std::vector<Answer> answers;
  std::vector<ErrorCode> errors;  // its own; those of access, body, parameters and Accept follow from the row
  std::vector<ProblemHeader> problem_headers;
  Task<Result<Response>> (*handle)(Api& api, Request& request) = nullptr;
};

// The route table: every endpoint of the daemon, in one place.
std::span<const Endpoint> endpoints();

// What a path parameter means; it means the same wherever it appears.
std::string_view path_parameter_help(std::string_view name);
// As Content-Type says it; empty for none.
std::string_view media_type_of(RequestBody body);

}  // namespace sa
