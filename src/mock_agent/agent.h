// The ACP side: answers the client's messages, owns the sessions and the running turns, at most one per session. Does no
// I/O of its own: lines come in through handle(), messages leave through the LineOutput, time passes in advance().
// Single-threaded. The methods and their table are in agent_methods.cc.
#pragma once

#include <expected>
#include <list>
#include <optional>
#include <string_view>

#include "mock_agent/line_input.h"
#include "mock_agent/line_output.h"
#include "mock_agent/rpc.h"
#include "mock_agent/sessions.h"
#include "mock_agent/turn.h"

namespace sa::mock {

class Agent {
 public:
  Agent(const MockOptions& options, LineOutput& output);

  void handle(const Line& line);

  // Lets every turn go on whose wait is over.
  void advance();

  // When advance() has something to do next, as far as time decides it; a time in the past means now.
  std::optional<Clock::time_point> wake_at() const;

  // Set once /crash asked for the end.
  std::optional<int> exit_code() const { return stage_.exit_code; }

 private:
  using Turns = std::list<Turn>;
  using Result = std::expected<json::object, RpcError>;

  // Each gives the request's result; what it sends itself stands before it.
  Result initialize(const json::object& params);
  Result authenticate(const json::object& params);
  Result logout(const json::object& params);
  Result new_session(const json::object& params);
  Result load_session(const json::object& params);
  Result resume_session(const json::object& params);
  Result fork_session(const json::object& params);
  Result list_sessions(const json::object& params);
  Result close_session(const json::object& params);
  Result delete_session(const json::object& params);
  Result set_mode(const json::object& params);
  Result set_config_option(const json::object& params);
  Result set(const json::object& params, std::string_view setting, std::string_view value);
  std::expected<Session*, RpcError> find_open(const json::object& params);
  std::expected<Session*, RpcError> reopen(const json::object& params);  // unless a turn runs

  void on_request(const Request& request);
  void on_notification(const Notification& notification);
  void on_response(const Response& response);

  std::expected<void, RpcError> start_prompt(const Request& request);
  Turns::iterator turn_of(const Session& session);
  void cancel(Turns::iterator turn, const TurnEnd& end);  // unless there is none or it ignores this
  void end_turn_of(const Session& session);               // without exception
  void interrupt(Turns::iterator turn, const TurnEnd& end);

  void run(Turns::iterator turn);
  void finish(Turns::iterator turn, const TurnEnd& end);
  void send_update(const Session& session, json::object update);
  void refuse(std::string_view raw_id, const RpcError& error);

  struct Method {
    std::string_view name;
    Result (Agent::*answer)(const json::object& params);
    bool opens_session = false;  // then the session's commands follow the reply
  };
  static const Method methods[];

  Stage stage_;
  Sessions sessions_;
  Turns turns_;  // whoever ran last stands last, so that two floods take turns
};

}  // namespace sa::mock
