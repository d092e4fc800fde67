// Who may talk to us, and how: Host and Origin (DNS rebinding), CORS, the token. Knows no route. Immutable.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/request.h"
#include "http/response.h"

namespace sa {

struct GateSettings {
  std::string token;  // empty: no auth
  std::string bind_host = "127.0.0.1";
  std::vector<std::string> allow_hosts;
  std::vector<std::string> cors_origins;  // "*" for any
  std::vector<std::string> cors_methods;
  std::vector<std::string> cors_headers;
  bool cors_credentials = false;
};

bool is_loopback_host(std::string_view host);

class Gate {
 public:
  explicit Gate(GateSettings settings);

  // Host and Origin; for every request, before anything else.
  Result<void> check_source(const Request& request) const;
  // The Authorization header against the token. Without a token: that no web page of another origin asks by a picture, frame or
  // link, which carry no Origin (and could carry no token).
  Result<void> check_token(const Request& request) const;
  // A browser asks on behalf of an allowed foreign origin.
  bool is_preflight(const Request& request) const;
  // The answer to OPTIONS; `allow` lists the methods of the path.
  Response preflight(const Request& request, std::string_view allow) const;
  // What a browser on an allowed foreign origin needs to read the answer.
  void add_cors(const Request& request, Response& response) const;

 private:
  bool allows_origin(std::string_view origin) const;
  bool is_of_unnamed_page(const Request& request) const;

  GateSettings settings_;
  bool checks_host_;
};

}  // namespace sa
