// The writing side: messages queue up here and leave in large non-blocking writes. Borrows the descriptor and gives it
// its blocking mode back at the end. Never blocks and never drops; who produces much waits until the queue is empty.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace sa::mock {

class LineOutput {
 public:
  static constexpr std::size_t batch_size = std::size_t{64} << 10;

  explicit LineOutput(int fd);
  ~LineOutput();
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  void send(const boost::json::value& message);
  void send_line(std::string_view line);  // without its newline

  // Writes as much as the other end takes now. False when nobody can read it any more.
  bool flush();

  std::size_t queued() const { return queue_.size() - written_; }

 private:
  void drop_written();

  int fd_;
  int flags_;
  boost::json::serializer serializer_;
  std::string queue_;
  std::size_t written_ = 0;  // bytes of queue_ that already left
};

}  // namespace sa::mock
