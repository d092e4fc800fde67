// One blocking HTTP/1.1 connection with nothing hidden: any bytes can be sent, and answers are read strictly by their
// framing. Movable, one thread at a time. Everything that waits has a (scaled) deadline and throws TimedOut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "deadline.h"

namespace rig {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 0;
  Headers headers;  // names in lower case
  std::string body;
  int continues = 0;  // interim 100 answers before this one

  bool has(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  std::string header(std::string_view name) const;  // empty if absent
};

inline constexpr milliseconds usual_patience{10000};

class Connection {
 public:
  explicit Connection(std::uint16_t port, int receive_buffer = 0);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  // Sends all of it; a peer that closed meanwhile is no error (its answer may still be read).
  void send(std::string_view bytes);
  // Sends without waiting; the number of bytes the kernel took.
  std::size_t send_some(std::string_view bytes);

  // Only the head; 1xx answers are answers here.
  Response read_head(milliseconds patience = usual_patience);
  // The next final answer with its body. `to_head`: the request was HEAD, so there is no body.
  Response read_response(bool to_head = false, milliseconds patience = usual_patience);

  // Reads what comes next into the buffer; false at the end of the stream (or a reset).
  bool read_more(milliseconds patience = usual_patience);
  // Bytes read but not consumed yet.
  std::string& buffered() { return buffer_; }

  // True if the peer closes within the deadline; whatever it still sends stays buffered.
  bool closed_within(milliseconds patience);
  bool readable_within(milliseconds patience);
  bool readable_unscaled(milliseconds patience);  // for proving silence, which must not grow with the scale

  void finish_sending();
  // Closes with a reset, as a client that vanished.
  void reset();
  int descriptor() const { return fd_; }

 private:
  void read_body(Response& response, milliseconds patience);
  void read_chunks(Response& response, Clock::time_point end);
  std::string take(std::size_t bytes, Clock::time_point end);
  std::string take_line(Clock::time_point end);
  void need_more(Clock::time_point end, const char* what);

  int fd_ = -1;
  std::string buffer_;
};

// A complete request. Adds Host (unless given) and Content-Length (when there is a body or the method has one).
std::string http_request(std::string_view method, std::string_view target, const Headers& headers = {},
                         std::string_view body = {});

}  // namespace rig
