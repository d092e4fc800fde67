// From a parsed request to its answer: gate, router, the rules that follow from a route's row, the handler, and problems for
// everything that goes wrong on the way. One per server; nothing of it changes but a counter.
#pragma once

#include "http/gate.h"
#include "http/router.h"

namespace sa {

// The answer to a request that failed. What is our trouble, or an agent's, is logged, unless it has been.
Response answer_to_failure(const Request& request, const Error& error);

class Application {
 public:
  Application(GateSettings gate, std::vector<Route> routes) : gate_(std::move(gate)), router_(std::move(routes)) {}

  // `limit` receives the most body bytes the route takes (0 for any) before the handler runs.
  Task<Response> answer(Request& request, std::uint64_t& limit);

  // Requests so far that were let in to what needs the token. /healthz, the page's files and strangers use nothing.
  std::uint64_t uses() const { return uses_; }

 private:
  Task<Result<Response>> dispatch(Request& request, std::uint64_t& limit);

  Gate gate_;
  Router router_;
  std::uint64_t uses_ = 0;
};

}  // namespace sa
