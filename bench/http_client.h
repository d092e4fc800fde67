// One kept-alive connection. What is not 200 ends the benchmark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

// Where an answer stands at the front of some bytes; not `complete` when more of it is to come. A chunked one must be the last
// thing in them, and text; its body counts as it is on the wire.
struct AnswerSpan {
  bool complete = false;
  std::size_t head_size = 0;
  std::size_t body_size = 0;
};
AnswerSpan find_answer(std::string_view bytes);

int connect_to(int port);
// Asks /v1/health until the answer is 200; looks every tenth of a millisecond.
void wait_until_healthy(int port);

// Blocking.
class HttpClient {
 public:
  struct Connected {};

  explicit HttpClient(int port) : fd_(connect_to(port)) {}
  HttpClient(int fd, Connected) : fd_(fd) {}
  HttpClient(HttpClient&& other) noexcept : fd_(other.fd_), in_(std::move(other.in_)) { other.fd_ = -1; }
  HttpClient& operator=(HttpClient&&) = delete;
  ~HttpClient();

  // Sends and waits; the body is valid until the next call.
  std::string_view exchange(std::string_view request);
  void send(std::string_view request);
  std::string_view receive();
  // Waits for the head only: of an answer whose body has no end, such as a stream's, or before receive().
  void receive_head();
  // Throws the body away and returns its size; it must be sized.
  std::size_t receive_away();
  void send_file(const std::string& path);

 private:
  void receive_some();

  int fd_;
  std::string in_;
  std::size_t used_ = 0;  // of in_, by the last answer
};

}  // namespace bench
