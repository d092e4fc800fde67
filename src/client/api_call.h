// One call of a daemon's HTTP API. Blocking: for a worker thread, or a command that does nothing else. A daemon on this machine
// is never asked through a proxy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "base/stop_flag.h"
#include "client/server_address.h"
#include "io/fetch.h"

namespace sa {

struct ApiRequest {
  std::string method = "GET";
  std::string target;  // path and query, encoded
  FetchHeaders headers{};
  std::string body{};
  FetchSource more_body{};  // instead of `body`; see FetchRequest
  std::optional<std::uint64_t> body_length{};
  Millis idle_timeout{10'000};       // without a byte; 0: as long as it takes
  Millis total_timeout{0};           // of all of it, with the connection; 0: as long as it takes
  std::function<void()> answered{};  // successfully; the body may last
  const StopFlag* stop = nullptr;
};

struct ApiAnswer {
  int status = 0;
  FetchHeaders headers{};
  std::string body;  // without a sink
  std::string header(std::string_view name) const;
};

// A successful answer, or that a copy is still good (304). Failure: unreachable, token, and what a problem document says, by
// its code's row; interrupted when it was stopped.
Outcome<ApiAnswer> call_api(const ServerAddress& server, const ApiRequest& request);
// The same; the body goes to `sink` as it comes. An error of the sink's ends the call.
Outcome<ApiAnswer> call_api(const ServerAddress& server, const ApiRequest& request, const FetchSink& sink);

// What a problem document says. Nothing when it is none.
std::optional<Failure> failure_of_problem(std::string_view document);

// "application/json" as a header.
std::pair<std::string, std::string> json_content();

}  // namespace sa
