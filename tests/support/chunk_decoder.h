// Takes chunked framing off a byte stream as it arrives. Strict: anything but `<hex>\r\n<bytes>\r\n` is a fault, after
// which nothing more is decoded. No allocation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace rig {

class ChunkDecoder {
 public:
  // Calls sink(std::string_view) with each piece of payload; the views live as long as `bytes`.
  template <typename Sink>
  void feed(std::string_view bytes, Sink&& sink) {
    while (!bytes.empty() && !faulty_ && state_ != State::done) {
      if (state_ == State::data) {
        const auto n = std::min(left_, bytes.size());
        sink(bytes.substr(0, n));
        bytes.remove_prefix(n);
        left_ -= n;
        if (left_ == 0) state_ = State::data_cr;
      } else {
        step(bytes.front());
        bytes.remove_prefix(1);
      }
    }
    if (!bytes.empty()) faulty_ = true;
  }

  bool done() const { return state_ == State::done; }
  bool faulty() const { return faulty_; }

 private:
  enum class State { size, size_lf, data, data_cr, data_lf, last_cr, last_lf, done };

  void step(char c) {
    switch (state_) {
      case State::size: return size_digit(c);
      case State::size_lf:
        expect(c, '\n', left_ > 0 ? State::data : State::last_cr);
        digits_ = 0;
        return;
      case State::data_cr: return expect(c, '\r', State::data_lf);
      case State::data_lf: return expect(c, '\n', State::size);
      case State::last_cr: return expect(c, '\r', State::last_lf);
      case State::last_lf: return expect(c, '\n', State::done);
      case State::data:
      case State::done: return;
    }
  }
  void size_digit(char c) {
    if (c == '\r' && digits_ > 0) {
      state_ = State::size_lf;
      return;
    }
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0 || ++digits_ > 8) {
      faulty_ = true;
      return;
    }
    left_ = left_ * 16 + static_cast<std::size_t>(digit);
  }
  void expect(char got, char wanted, State next) {
    if (got != wanted) faulty_ = true;
    state_ = next;
  }

  State state_ = State::size;
  std::size_t left_ = 0;
  int digits_ = 0;
  bool faulty_ = false;
};

}  // namespace rig
