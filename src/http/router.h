// Finds the route of a request. The rows come from src/api; here is only the matching. Immutable after construction.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/request.h"
#include "http/response.h"
#include "io/task.h"

namespace sa {

enum class Access : std::uint8_t { open, token };
enum class RequestBody : std::uint8_t { none, json, optional_json, bytes, tar };

// A query parameter that a route knows. Unknown ones are ignored.
struct QueryParameter {
  enum class Kind : std::uint8_t { text, flag };  // a flag is "true" or "false"
  std::string_view name;
  Kind kind = Kind::text;
  bool required = false;                  // present, and not blank …
  bool may_be_blank = false;              // … but for the name of a file, which is only not empty
  std::vector<std::string_view> words{};  // what a text may be; empty for anything
  std::string_view help;
};

using Handler = std::function<Task<Result<Response>>(Request&)>;

struct Route {
  std::string_view method;     // "GET", …; "*" for every method
  std::string_view pattern;    // segments; "{name}" takes one segment, a last "{name…}" takes the rest
  std::string_view operation;  // the stable name of what it does
  Access access = Access::token;
  RequestBody body = RequestBody::none;
  std::uint64_t body_limit = 0;  // bytes; 0 for any
  std::string_view produces;     // what Accept must allow; empty for whatever
  Handler handler;
  std::vector<QueryParameter> query;
};

class Router {
 public:
  explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

  struct Match {
    const Route* route = nullptr;                  // of this path and method
    const Route* any_method = nullptr;             // some route of this path
    std::string allow;                             // the methods of this path, for Allow
    std::vector<std::string_view> raw_parameters;  // as sent, in the order of the pattern

    // Fills the request's path parameters. An error means a malformed escape in them.
    Result<void> decode_parameters(Request& request) const;
  };
  Match find(const Request& request) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace sa
