// The ACP side: answers the client's messages, owns the sessions and the running turns. Does no I/O of its own: lines
// come in through handle(), messages leave through the LineOutput, time passes in advance(). Single-threaded.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>

#include "mock_agent/line_input.h"
#include "mock_agent/line_output.h"
#include "mock_agent/rpc.h"
#include "mock_agent/turn.h"

namespace sa::mock {

class Agent {
 public:
  Agent(const MockOptions& options, LineOutput& output) : stage_{options, output, 0, std::nullopt} {}

  void handle(const Line& line);

  // Lets every turn go on whose wait is over.
  void advance();

  // When advance() has something to do next, as far as time decides it; a time in the past means now.
  std::optional<Clock::time_point> wake_at() const;

  // Set once /crash asked for the end.
  std::optional<int> exit_code() const { return stage_.exit_code; }

 private:
  using Turns = std::list<Turn>;

  // Each answers the request itself, at once or (prompt) when the turn ends.
  void initialize(const Request& request);
  void authenticate(const Request& request);
  void new_session(const Request& request);
  void prompt(const Request& request);

  void on_request(const Request& request);
  void on_notification(const Notification& notification);
  void on_response(const Response& response);
  void cancel(const std::string& session_id);

  void run(Turns::iterator turn);
  void finish(Turns::iterator turn, const TurnEnd& end);
  void reply(const Request& request, json::object result);
  void refuse(const json::value& id, const RpcError& error);

  struct Method {
    std::string_view name;
    void (Agent::*answer)(const Request& request);
  };
  static const Method methods[];

  Stage stage_;
  std::map<std::string, Session, std::less<>> sessions_;
  Turns turns_;  // whoever ran last stands last, so that two floods take turns
};

}  // namespace sa::mock
