#include <algorithm>
#include <string>

#include "mock_agent/agent.h"
#include "mock_agent/scenes.h"

namespace sa::mock {
namespace {

constexpr std::size_t longest_path = 4'096;

std::expected<std::string, RpcError> read_cwd(const json::object& params) {
  const std::string_view cwd = string_member(params, "cwd");
  if (!cwd.starts_with('/')) return invalid_params("cwd must be an absolute path, such as \"/tmp\".");
  if (cwd.size() > longest_path) return invalid_params("cwd is longer than any path can be.");
  return std::string(cwd);
}

json::object state_of(const Session& session) {
  return {{"modes", session.settings.modes()}, {"configOptions", session.settings.config_options()}};
}

json::object id_and_state_of(const Session& session) {
  json::object state = state_of(session);
  json::object result = {{"sessionId", session.id}};
  result.insert(state.begin(), state.end());
  return result;
}

}  // namespace

const Agent::Method Agent::methods[] = {
    {"initialize", &Agent::initialize},
    {"authenticate", &Agent::authenticate},
    {"logout", &Agent::logout},
    {"session/new", &Agent::new_session, true},
    {"session/load", &Agent::load_session, true},
    {"session/resume", &Agent::resume_session, true},
    {"session/fork", &Agent::fork_session, true},
    {"session/list", &Agent::list_sessions},
    {"session/close", &Agent::close_session},
    {"session/delete", &Agent::delete_session},
    {"session/set_mode", &Agent::set_mode},
    {"session/set_config_option", &Agent::set_config_option},
};

void Agent::on_request(const Request& request) {
  if (request.method == "session/prompt") {
    if (const auto started = start_prompt(request); !started) refuse(request.id, started.error());
    return;
  }
  const auto* method = std::ranges::find(methods, request.method, &Method::name);
  if (method == std::end(methods)) {
    return refuse(request.id, {RpcError::method_not_found, "Unknown method: " + request.method});
  }
  const Result result = (this->*method->answer)(request.params);
  if (!result) return refuse(request.id, result.error());
  stage_.output.send_line(result_line(request.id, *result));
  if (!method->opens_session) return;
  const auto& named = result->contains("sessionId") ? *result : request.params;
  if (const auto session = sessions_.find(string_member(named, "sessionId")))
    send_update(**session, commands_update(**session));
}

Agent::Result Agent::initialize(const json::object& params) {
  stage_.client = client_offer(params);
  return initialize_result();
}

Agent::Result Agent::authenticate(const json::object& params) {
  const std::string_view method = string_member(params, "methodId");
  if (method != auth_method_id) {
    return invalid_params("There is no method \"" + std::string(method) + "\"; there is: " + std::string(auth_method_id) + ".");
  }
  stage_.is_authenticated = true;
  return json::object();
}

Agent::Result Agent::logout(const json::object&) {
  stage_.is_authenticated = false;
  return json::object();
}

Agent::Result Agent::new_session(const json::object& params) {
  auto cwd = read_cwd(params);
  if (!cwd) return std::unexpected(cwd.error());
  const auto session = sessions_.create(*std::move(cwd));
  if (!session) return std::unexpected(session.error());
  return id_and_state_of(**session);
}

std::expected<Session*, RpcError> Agent::find_open(const json::object& params) {
  auto session = sessions_.find(string_member(params, "sessionId"));
  if (!session || (*session)->is_open) return session;
  std::string sentence = (*session)->id + " is closed. Open it with session/resume or session/load.";
  return std::unexpected(RpcError{RpcError::invalid_request, std::move(sentence)});
}

std::expected<Session*, RpcError> Agent::reopen(const json::object& params) {
  auto cwd = read_cwd(params);
  if (!cwd) return std::unexpected(cwd.error());
  auto session = sessions_.find(string_member(params, "sessionId"));
  if (!session) return session;
  if ((*session)->is_busy) return std::unexpected(busy(**session));
  (*session)->cwd = *std::move(cwd);
  (*session)->is_open = true;
  return session;
}

Agent::Result Agent::load_session(const json::object& params) {
  const auto session = reopen(params);
  if (!session) return std::unexpected(session.error());
  (*session)->history.replay([&](const json::object& update) { send_update(**session, update); });
  return state_of(**session);
}

Agent::Result Agent::resume_session(const json::object& params) {
  const auto session = reopen(params);
  if (!session) return std::unexpected(session.error());
  return state_of(**session);
}

Agent::Result Agent::fork_session(const json::object& params) {
  auto cwd = read_cwd(params);
  if (!cwd) return std::unexpected(cwd.error());
  const auto source = sessions_.find(string_member(params, "sessionId"));
  if (!source) return std::unexpected(source.error());
  const auto session = sessions_.fork(**source, *std::move(cwd));
  if (!session) return std::unexpected(session.error());
  return id_and_state_of(**session);
}

Agent::Result Agent::list_sessions(const json::object& params) {
  return sessions_.list(string_member(params, "cwd"), string_member(params, "cursor"));
}

Agent::Result Agent::close_session(const json::object& params) {
  const auto session = sessions_.find(string_member(params, "sessionId"));
  if (!session) return std::unexpected(session.error());
  end_turn_of(**session);
  (*session)->is_open = false;
  return json::object();
}

// What is not there is as good as deleted: ACP wants this to succeed.
Agent::Result Agent::delete_session(const json::object& params) {
  if (const auto session = sessions_.find(string_member(params, "sessionId"))) {
    end_turn_of(**session);
    sessions_.erase(**session);
  }
  return json::object();
}

Agent::Result Agent::set_mode(const json::object& params) {
  auto done = set(params, "mode", string_member(params, "modeId"));
  return done ? json::object() : done;
}

Agent::Result Agent::set_config_option(const json::object& params) {
  return set(params, string_member(params, "configId"), string_member(params, "value"));
}

// Modes are told in both ways ACP knows, as one thing has changed in two places of the client.
Agent::Result Agent::set(const json::object& params, std::string_view setting, std::string_view value) {
  const auto session = find_open(params);
  if (!session) return std::unexpected(session.error());
  Settings& settings = (*session)->settings;
  if (const auto chosen = settings.choose(setting, value); !chosen) return std::unexpected(chosen.error());
  json::object options = {{"configOptions", settings.config_options()}};
  if (setting == "mode") {
    send_update(**session, {{"sessionUpdate", "current_mode_update"}, {"currentModeId", value}});
    send_update(**session, {{"sessionUpdate", "config_option_update"}, {"configOptions", settings.config_options()}});
  }
  return options;
}

}  // namespace sa::mock
