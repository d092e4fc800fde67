#include "mock_agent/agent.h"

#include <algorithm>

#include "base/id_key.h"
#include "mock_agent/scenes.h"

namespace sa::mock {
namespace {

// Sent at the end of each turn. A token is four bytes; there is no tokenizer, as there is no model.
json::object usage_update(const Session& session) {
  const std::uint64_t size = session.settings.value("model") == "demo-large" ? 200'000 : 32'000;
  const std::uint64_t used = std::min(size, session.history.total_bytes() / 4);
  return {{"sessionUpdate", "usage_update"}, {"used", used}, {"size", size}, {"cost", {{"amount", 0}, {"currency", "USD"}}}};
}

}  // namespace

Agent::Agent(const MockOptions& options, LineOutput& output)
    : stage_{.options = options, .output = output, .client = {}, .exit_code = {}},
      sessions_(options.max_sessions, options.max_history) {}

void Agent::handle(const Line& line) {
  if (stage_.exit_code) return;
  if (line.too_long) return refuse("null", {RpcError::invalid_request, "The line is too long."});
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;

  const auto message = parse_message(line.text);
  if (!message) return refuse(message.error().id, message.error().error);
  if (const auto* request = std::get_if<Request>(&*message)) return on_request(*request);
  if (const auto* notification = std::get_if<Notification>(&*message)) return on_notification(*notification);
  on_response(std::get<Response>(*message));
}

void Agent::on_notification(const Notification& notification) {
  const json::object& params = notification.params;
  if (notification.method == "session/cancel") {
    const auto session = sessions_.find(string_member(params, "sessionId"));
    if (session) cancel(turn_of(**session), StopReason::cancelled);
  } else if (notification.method == "$/cancel_request") {
    const json::value* id = params.if_contains("requestId");
    if (!id) return;
    const std::string key = id_key(json::serialize(*id));
    cancel(std::ranges::find(turns_, key, [](const Turn& turn) { return id_key(turn.prompt_id()); }),
           std::unexpected(RpcError{RpcError::request_cancelled, "The request was cancelled."}));
  }
}

void Agent::on_response(const Response& response) {
  const auto turn = std::ranges::find_if(turns_, [&](Turn& candidate) { return candidate.take(response); });
  if (turn != turns_.end()) run(turn);
}

std::expected<void, RpcError> Agent::start_prompt(const Request& request) {
  const auto found = find_open(request.params);
  if (!found) return std::unexpected(found.error());
  Session& session = **found;
  if (session.is_busy) return std::unexpected(busy(session));
  const json::value* blocks = request.params.if_contains("prompt");
  if (!blocks || !blocks->is_array()) {
    return std::unexpected(RpcError{RpcError::invalid_params, "The prompt must be an array of content blocks."});
  }
  auto prompt = read_prompt(blocks->get_array());
  if (!prompt) return std::unexpected(prompt.error());

  for (const json::value& block : blocks->get_array()) {
    session.history.add({{"sessionUpdate", "user_message_chunk"}, {"content", block}});
  }
  if (session.title.empty()) session.title = title_of(prompt->text);
  const Scene& scene = scene_for(prompt->text);
  run(turns_.emplace(turns_.end(), stage_, session, request.id, scene, *std::move(prompt)));
  return {};
}

Agent::Turns::iterator Agent::turn_of(const Session& session) {
  return std::ranges::find_if(turns_, [&](Turn& turn) { return &turn.session() == &session; });
}

void Agent::cancel(Turns::iterator turn, const TurnEnd& end) {
  if (turn != turns_.end() && !turn->ignores_cancel()) interrupt(turn, end);
}

void Agent::end_turn_of(const Session& session) {
  const auto turn = turn_of(session);
  if (turn != turns_.end()) interrupt(turn, StopReason::cancelled);
}

void Agent::interrupt(Turns::iterator turn, const TurnEnd& end) {
  turn->interrupt();
  finish(turn, end);
}

void Agent::advance() {
  const auto now = Clock::now();
  auto next = turns_.begin();
  for (std::size_t left = turns_.size(); left > 0 && !stage_.exit_code; --left) {
    const auto turn = next++;
    if (turn->is_ready(now)) run(turn);
  }
}

std::optional<Clock::time_point> Agent::wake_at() const {
  std::optional<Clock::time_point> earliest;
  const auto now = Clock::now();
  for (const Turn& turn : turns_) {
    if (turn.is_ready(now)) return now;
    if (const auto at = turn.wake_at(); at && (!earliest || *at < *earliest)) earliest = at;
  }
  return earliest;
}

void Agent::run(Turns::iterator turn) {
  turns_.splice(turns_.end(), turns_, turn);
  if (turn->run()) finish(turn, turn->end());
}

void Agent::finish(Turns::iterator turn, const TurnEnd& end) {
  Session& session = turn->session();
  if (!session.title.empty() && !session.title_is_told) {
    send_update(session, {{"sessionUpdate", "session_info_update"}, {"title", session.title}});
    session.title_is_told = true;
  }
  send_update(session, usage_update(session));
  if (end) {
    stage_.output.send_line(result_line(turn->prompt_id(), {{"stopReason", wire_word(*end)}}));
  } else {
    refuse(turn->prompt_id(), end.error());
  }
  turns_.erase(turn);
}

void Agent::send_update(const Session& session, json::object update) {
  stage_.output.send(make_notification("session/update", {{"sessionId", session.id}, {"update", std::move(update)}}));
}

void Agent::refuse(std::string_view raw_id, const RpcError& error) { stage_.output.send_line(error_line(raw_id, error)); }

}  // namespace sa::mock
