#include "mock_agent/turn.h"

#include "mock_agent/scenes.h"

namespace sa::mock {

Turn::Turn(Stage& stage, Session& session, json::value prompt_id, const Scene& scene, std::string_view text)
    : stage_(stage),
      session_(session),
      prompt_id_(std::move(prompt_id)),
      scene_(scene),
      play_(scene.play(*this, std::string(text))) {}

void Turn::say(std::string_view text) {
  update({{"sessionUpdate", "agent_message_chunk"}, {"content", {{"type", "text"}, {"text", text}}}});
}

void Turn::update(json::object update) {
  stage_.output.send(make_notification("session/update", {{"sessionId", session_.id}, {"update", std::move(update)}}));
}

std::string Turn::new_tool_call_id() { return "call-" + std::to_string(++session_.tool_calls); }

bool Turn::ignores_cancel() const { return scene_.on_cancel == OnCancel::ignore; }

bool Turn::is_ready(Clock::time_point now) const {
  switch (wait_) {
    case Wait::none: return true;
    case Wait::time: return until_ <= now;
    case Wait::room: return stage_.output.queued() == 0;
    case Wait::answer:
    case Wait::forever: return false;
  }
  return false;
}

std::optional<Clock::time_point> Turn::wake_at() const {
  if (wait_ != Wait::time) return std::nullopt;
  return until_;
}

bool Turn::take(const Response& response) {
  if (wait_ != Wait::answer || !response.id.is_int64() || response.id.get_int64() != asked_) return false;
  answer_ = response;
  wait_ = Wait::none;
  return true;
}

bool Turn::run() {
  play_.resume();
  return play_.done();
}

}  // namespace sa::mock
