// Talking to the daemon as a client would: authorised requests, and one ACP instance as an object. Each request has a
// connection of its own, so a waiting one is just a Connection whose answer is read later.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "daemon.h"
#include "http_client.h"
#include "sse_stream.h"

namespace rig {

class Api {
 public:
  Api(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}
  explicit Api(const Daemon& daemon) : Api(daemon.port(), daemon.token()) {}

  Connection connect() const { return Connection(port_); }
  // Sends a request with the token (an empty Authorization means none); its answer is read from the connection.
  Connection begin(std::string_view method, std::string_view target, Headers headers = {}, std::string_view body = {}) const;
  Response request(std::string_view method, std::string_view target, const Headers& headers = {},
                   std::string_view body = {}) const;
  Response get(std::string_view target, const Headers& headers = {}) const { return request("GET", target, headers); }

  // The entries of GET /v1/acp.
  boost::json::array servers() const;

 protected:
  std::uint16_t port_;
  std::string token_;
};

class Acp : public Api {
 public:
  Acp(const Api& api, std::string server_id, std::string agent)
      : Api(api), server_id_(std::move(server_id)), agent_(std::move(agent)) {}
  Acp(const Daemon& daemon, std::string server_id, std::string agent = "fake")
      : Acp(Api(daemon), std::move(server_id), std::move(agent)) {}

  // POST of any body; application/json and ?agent= unless the headers or the query say otherwise.
  Connection begin_post(std::string_view body, Headers headers = {}) const;
  Response post(std::string_view body, const Headers& headers = {}) const;

  // A request with a fresh number as id (or the raw id given).
  Response call(std::string_view method, std::string_view params = "{}", std::string_view raw_id = {});
  Connection begin_call(std::string_view method, std::string_view params = "{}", std::string_view raw_id = {});
  Response notify(std::string_view method, std::string_view params = "{}") const;

  SseStream stream(Headers headers = {}, std::string_view query = {}) const;
  SseStream stream_after(std::uint64_t last_id) const;
  // A stream on a connection with a small receive buffer, so that not reading it is felt soon.
  SseStream narrow_stream(int receive_buffer = 4096) const;
  Response remove() const;

  // This instance in GET /v1/acp; empty if it is not listed.
  boost::json::object listing() const;
  std::int64_t listed(std::string_view member) const;
  pid_t pid() const { return static_cast<pid_t>(listed("pid")); }
  std::string target(std::string_view query = {}) const;

 private:
  std::string server_id_;
  std::string agent_;
  int next_id_ = 1;
};

std::string rpc_request(std::string_view raw_id, std::string_view method, std::string_view params = "{}");
std::string rpc_notification(std::string_view method, std::string_view params = "{}");
std::string rpc_result(std::string_view raw_id, std::string_view result = "{}");
// A notification that makes the fake agent write exactly these bytes.
std::string utterance(std::string_view bytes);
std::string percent_encoded(std::string_view text);

boost::json::value parse_json(std::string_view text);
// Member by path such as "params.line"; null if there is none.
boost::json::value at_path(const boost::json::value& value, std::string_view path);
std::string text_at(std::string_view json, std::string_view path);
std::int64_t number_at(std::string_view json, std::string_view path);

// "<status> <code>" of a well-formed problem answer, or what is wrong with its form.
std::string problem_of(const Response& response);

}  // namespace rig
