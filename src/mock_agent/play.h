// The coroutine type of a scene and how a turn can end. A Play owns its frame: destroying it while it waits is how a
// turn is cancelled, so scenes need no code for that. Single-threaded.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <expected>
#include <utility>

#include "mock_agent/rpc.h"

namespace sa::mock {

enum class StopReason : std::uint8_t { end_turn, cancelled };

constexpr std::string_view wire_word(StopReason reason) { return reason == StopReason::end_turn ? "end_turn" : "cancelled"; }

using TurnEnd = std::expected<StopReason, RpcError>;

class Play {
 public:
  struct promise_type {
    TurnEnd end;

    Play get_return_object() { return Play(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(TurnEnd value) { end = std::move(value); }
    void unhandled_exception() noexcept { std::terminate(); }
  };

  Play(Play&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Play& operator=(Play&&) = delete;
  ~Play() {
    if (frame_) frame_.destroy();
  }

  void resume() { frame_.resume(); }
  bool done() const { return frame_.done(); }
  const TurnEnd& end() const { return frame_.promise().end; }  // only when done()

 private:
  explicit Play(std::coroutine_handle<promise_type> frame) : frame_(frame) {}

  std::coroutine_handle<promise_type> frame_;
};

}  // namespace sa::mock
