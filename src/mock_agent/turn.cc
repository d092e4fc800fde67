#include "mock_agent/turn.h"

#include "mock_agent/scenes.h"

namespace sa::mock {

Turn::Turn(Stage& stage, Session& session, RawId prompt_id, const Scene& scene, Prompt prompt)
    : stage_(stage),
      session_(session),
      prompt_id_(std::move(prompt_id)),
      scene_(scene),
      play_(scene.play(*this, std::move(prompt))) {
  session_.is_busy = true;
}

void Turn::say(std::string_view text) {
  update({{"sessionUpdate", "agent_message_chunk"}, {"content", {{"type", "text"}, {"text", text}}}});
}

void Turn::think(std::string_view text) {
  update({{"sessionUpdate", "agent_thought_chunk"}, {"content", {{"type", "text"}, {"text", text}}}});
}

void Turn::update(json::object update) {
  session_.history.add(update);
  stage_.output.send(make_notification("session/update", {{"sessionId", session_.id}, {"update", std::move(update)}}));
}

void Turn::tell(std::string_view method, const json::object& params) {
  json::object all = {{"sessionId", session_.id}};
  all.insert(params.begin(), params.end());
  stage_.output.send(make_request(++stage_.last_request_id, method, std::move(all)));
}

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
  play_->resume();
  return play_->done();
}

void Turn::interrupt() {
  if (wait_ == Wait::answer) stage_.output.send(make_notification("$/cancel_request", {{"requestId", asked_}}));
  play_.reset();
}

}  // namespace sa::mock
