// One running prompt: everything a scene can do, and what it waits for. Passive: the agent asks is_ready() and calls
// run(). Owned by Agent, never moves (the scene's frame refers to it), gone as soon as the prompt is answered. Its
// session is busy as long as it lives. Single-threaded.
#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <string_view>

#include "mock_agent/handshake.h"
#include "mock_agent/line_output.h"
#include "mock_agent/mock_agent.h"
#include "mock_agent/play.h"
#include "mock_agent/prompt.h"
#include "mock_agent/rpc.h"
#include "mock_agent/sessions.h"

namespace sa::mock {

struct Scene;
using Clock = std::chrono::steady_clock;

// What all turns share.
struct Stage {
  const MockOptions& options;
  LineOutput& output;
  ClientOffer client;
  bool is_authenticated = false;
  std::int64_t last_request_id = 0;
  std::optional<int> exit_code;  // set: the process ends as soon as the output has left
};

class Turn {
 public:
  Turn(Stage& stage, Session& session, RawId prompt_id, const Scene& scene, Prompt prompt);
  ~Turn() { session_.is_busy = false; }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  // --- for scenes ---
  const MockOptions& options() const { return stage_.options; }
  const ClientOffer& client() const { return stage_.client; }
  bool is_authenticated() const { return stage_.is_authenticated; }
  Session& session() { return session_; }
  bool is_mode(std::string_view mode) const { return session_.settings.value("mode") == mode; }
  void say(std::string_view text);    // one agent_message_chunk
  void think(std::string_view text);  // one agent_thought_chunk
  void update(json::object update);   // one session/update of any kind

  [[nodiscard]] auto pause(std::chrono::milliseconds duration);
  [[nodiscard]] auto step();  // a short pause
  [[nodiscard]] auto room();  // for more output; nearly always at once
  [[nodiscard]] auto forever();
  [[nodiscard]] auto exit_process(int code);

  // A request to the client about this session. ask() yields its Response; tell() does not wait for one.
  [[nodiscard]] auto ask(std::string_view method, const json::object& params);
  void tell(std::string_view method, const json::object& params);

  // --- for the agent ---
  const RawId& prompt_id() const { return prompt_id_; }
  bool ignores_cancel() const;
  bool is_ready(Clock::time_point now) const;
  std::optional<Clock::time_point> wake_at() const;  // only while pausing
  bool take(const Response& response);               // false when it answers something else
  bool run();                                        // until the scene waits again; true when it ended
  const TurnEnd& end() const { return play_->end(); }
  void interrupt();  // ends the scene where it waits and withdraws its open question; run() may not follow

 private:
  enum class Wait : std::uint8_t { none, time, room, answer, forever };

  struct AnswerAwaiter {
    Turn& turn;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    Response await_resume() const { return std::move(turn.answer_); }
  };
  struct RoomAwaiter {
    bool has_room;
    bool await_ready() const noexcept { return has_room; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
  };

  Stage& stage_;
  Session& session_;
  RawId prompt_id_;
  const Scene& scene_;
  Wait wait_ = Wait::none;
  Clock::time_point until_;
  std::int64_t asked_ = 0;
  Response answer_;
  std::optional<Play> play_;  // last: what its frame holds still speaks while it is destroyed
};

inline auto Turn::pause(std::chrono::milliseconds duration) {
  wait_ = Wait::time;
  until_ = Clock::now() + duration;
  return std::suspend_always();
}

inline auto Turn::step() { return pause(stage_.options.step_delay); }

inline auto Turn::room() {
  wait_ = Wait::room;
  return RoomAwaiter{stage_.output.queued() < LineOutput::batch_size};
}

inline auto Turn::ask(std::string_view method, const json::object& params) {
  tell(method, params);
  wait_ = Wait::answer;
  asked_ = stage_.last_request_id;
  return AnswerAwaiter{*this};
}

inline auto Turn::forever() {
  wait_ = Wait::forever;
  return std::suspend_always();
}

inline auto Turn::exit_process(int code) {
  stage_.exit_code = code;
  return forever();
}

}  // namespace sa::mock
