#include "mock_agent/agent.h"

#include <algorithm>

#include "base/version.h"
#include "mock_agent/scenes.h"

namespace sa::mock {
namespace {

constexpr int protocol_version = 1;

std::string_view first_text(const json::array& prompt) {
  for (const json::value& block : prompt) {
    const json::object* content = block.if_object();
    if (content && string_member(*content, "type") == "text") return string_member(*content, "text");
  }
  return {};
}

}  // namespace

const Agent::Method Agent::methods[] = {
    {"initialize", &Agent::initialize},
    {"authenticate", &Agent::authenticate},
    {"session/new", &Agent::new_session},
    {"session/prompt", &Agent::prompt},
};

void Agent::initialize(const Request& request) {
  reply(request, {{"protocolVersion", protocol_version},
                  {"agentCapabilities",
                   {{"loadSession", false},
                    {"promptCapabilities", {{"image", false}, {"audio", false}, {"embeddedContext", false}}},
                    {"mcpCapabilities", {{"http", false}, {"sse", false}}},
                    {"sessionCapabilities", json::object()}}},
                  {"agentInfo", {{"name", "mock"}, {"title", "Demo agent"}, {"version", version}}},
                  {"authMethods", json::array()}});
}

void Agent::authenticate(const Request& request) { reply(request, {}); }

void Agent::new_session(const Request& request) {
  const std::string id = "demo-" + std::to_string(sessions_.size() + 1);
  sessions_.emplace(id, Session{id});
  reply(request, {{"sessionId", id}});
}

void Agent::prompt(const Request& request) {
  const std::string_view session_id = string_member(request.params, "sessionId");
  const auto session = sessions_.find(session_id);
  if (session == sessions_.end()) {
    return refuse(request.id, {RpcError::invalid_params, "Unknown session: " + std::string(session_id)});
  }
  const json::value* blocks = request.params.if_contains("prompt");
  if (!blocks || !blocks->is_array()) {
    return refuse(request.id, {RpcError::invalid_params, "The prompt must be an array of content blocks."});
  }
  const std::string_view text = first_text(blocks->get_array());
  run(turns_.emplace(turns_.end(), stage_, session->second, request.id, scene_for(text), text));
}

void Agent::handle(const Line& line) {
  if (stage_.exit_code) return;
  if (line.too_long) return refuse(nullptr, {RpcError::invalid_request, "The line is too long."});
  if (line.text.find_first_not_of(" \t\r") == std::string_view::npos) return;

  const auto message = parse_message(line.text);
  if (!message) return refuse(nullptr, message.error());
  if (const auto* request = std::get_if<Request>(&*message)) return on_request(*request);
  if (const auto* notification = std::get_if<Notification>(&*message)) return on_notification(*notification);
  on_response(std::get<Response>(*message));
}

void Agent::on_request(const Request& request) {
  const auto* method = std::ranges::find(methods, request.method, &Method::name);
  if (method == std::end(methods)) {
    return refuse(request.id, {RpcError::method_not_found, "Unknown method: " + request.method});
  }
  (this->*method->answer)(request);
}

void Agent::on_notification(const Notification& notification) {
  if (notification.method == "session/cancel") cancel(std::string(string_member(notification.params, "sessionId")));
}

void Agent::on_response(const Response& response) {
  const auto turn = std::ranges::find_if(turns_, [&](Turn& candidate) { return candidate.take(response); });
  if (turn != turns_.end()) run(turn);
}

void Agent::cancel(const std::string& session_id) {
  for (auto next = turns_.begin(); next != turns_.end();) {
    const auto turn = next++;
    if (turn->session().id == session_id && !turn->ignores_cancel()) finish(turn, StopReason::cancelled);
  }
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
  if (end) {
    stage_.output.send(make_result(turn->prompt_id(), {{"stopReason", wire_word(*end)}}));
  } else {
    refuse(turn->prompt_id(), end.error());
  }
  turns_.erase(turn);
}

void Agent::reply(const Request& request, json::object result) {
  stage_.output.send(make_result(request.id, std::move(result)));
}

void Agent::refuse(const json::value& id, const RpcError& error) { stage_.output.send(make_error(id, error)); }

}  // namespace sa::mock
