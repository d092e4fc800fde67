#include <unistd.h>

#include <string>

#include "mock_agent/scenes/cast.h"
#include "mock_agent/scenes/words.h"
#include "mock_agent/turn.h"

namespace sa::mock::scene {

Play slow(Turn& turn, Prompt prompt) {
  const auto [count, remark] = number_after_name(prompt.text, 20, 10'000);
  if (!remark.empty()) turn.say(remark);
  for (unsigned i = 1; i <= count; ++i) {
    if (i > 1) co_await turn.pause(turn.options().slow_delay);
    turn.say("step " + std::to_string(i) + " of " + std::to_string(count) + "\n");
  }
  co_return StopReason::end_turn;
}

Play flood(Turn& turn, Prompt prompt) {
  const auto [count, remark] = number_after_name(prompt.text, 1'000, 1'000'000);
  if (!remark.empty()) turn.say(remark);
  for (unsigned i = 1; i <= count; ++i) {
    turn.say("token " + std::to_string(i) + " ");
    co_await turn.room();
  }
  co_return StopReason::end_turn;
}

Play error(Turn& turn, Prompt) {
  turn.say("I am about to fail.");
  const json::object data = {{"hint", "Nothing is broken: the next prompt works."}};
  co_return std::unexpected(RpcError{RpcError::internal_error, "This is the error you asked for.", data});
}

Play auth(Turn& turn, Prompt) {
  if (!turn.is_authenticated()) {
    const json::object data = {{"authMethods", auth_methods()}};
    const std::string text = "Authentication required: call authenticate with the method " + std::string(auth_method_id) + ".";
    co_return std::unexpected(RpcError{RpcError::auth_required, text, data});
  }
  turn.say("You are logged in.");
  co_return StopReason::end_turn;
}

Play hang(Turn& turn, Prompt) {
  turn.say("I will never answer this, and I ignore cancel.");
  co_await turn.forever();
  co_return StopReason::end_turn;
}

Play crash(Turn& turn, Prompt prompt) {
  const auto [code, remark] = number_after_name(prompt.text, 7, 255);
  turn.say(remark + "I am about to crash.");
  const std::string last_words = "demo agent: crashing with exit code " + std::to_string(code) + ", as asked\n";
  [[maybe_unused]] const ssize_t count = ::write(turn.options().error_fd, last_words.data(), last_words.size());
  co_await turn.exit_process(static_cast<int>(code));
  co_return StopReason::end_turn;
}

}  // namespace sa::mock::scene
