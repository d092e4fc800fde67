// Bytes sent to the daemon as they are, and everything that comes back until it hangs up. Main thread only.
#pragma once

#include <string>
#include <string_view>

#include "support/acp.h"

namespace rig {

// A request whose answer is known and after which the connection ends. Behind whatever a test sends it tells whether the daemon
// still took the bytes for what they are: "200" must be the last answer, or nothing when the connection was ended before.
inline const std::string last_request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

inline std::string in_short(const Response& response) {
  return response.status < 400 ? std::to_string(response.status) : problem_of(response);
}

// Every answer on this connection: "202, 400 invalid_request". A connection that is not ended in time is said to be open.
inline std::string every_answer(Connection& connection, milliseconds patience = milliseconds(3000)) {
  std::string all;
  for (;;) {
    if (connection.buffered().empty() && !connection.readable_within(patience)) return all + " and open";
    if (connection.buffered().empty() && !connection.read_more()) return all;
    all += (all.empty() ? "" : ", ") + in_short(connection.read_response());
  }
}

inline std::string every_answer(const Daemon& daemon, std::string_view bytes) {
  Connection connection(daemon.port());
  connection.send(bytes);
  return every_answer(connection);
}

}  // namespace rig
