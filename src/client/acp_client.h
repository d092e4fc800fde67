// An ACP client of one instance, over HTTP. Every request is posted with respond-async; answers, notifications and the agent's
// own requests come from one stream, in the agent's order. Lives on a loop; calls go out from the pool's threads. Whoever
// awaits a request keeps the client alive. The instance is the caller's: close() or leave() ends it.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "client/event_feed.h"
#include "client/message.h"
#include "client/server_address.h"
#include "io/signal.h"
#include "io/task.h"
#include "io/timer.h"
#include "io/worker_pool.h"

namespace sa {

// A request of the agent's. Its id goes back as it came.
struct AgentRequest {
  std::string id;
  std::string method;
  boost::json::object params;
};

// Why an agent is gone: from the parameters of _adapter/agent_exited.
Failure exit_failure(const boost::json::object& params);

// What an agent's error answer says: authentication for -32000.
Failure error_failure(const boost::json::value& error);

struct AcpListener {
  std::function<void(const std::string& method, const boost::json::object& params)> on_notification;
  std::function<bool(AgentRequest request)> on_request;              // false: not served, and refused at once
  std::function<void(const std::string& request_id)> on_answered{};  // somebody has: us or another client
  std::function<void(const std::string& sentence)> on_trouble;       // none of the agent's words are lost by it: in words
  std::function<void(const std::string& sentence)> on_lost;          // messages of the agent were: in words
};

class AcpClient {
 public:
  // `agent`: what to start under `server_id`.
  AcpClient(Loop& loop, WorkerPool& pool, ServerAddress server, std::string server_id, std::string agent, AcpListener listener);

  // The agent's result. Failure: the agent's own error (authentication for -32000), crashed when it exits, or what keeps it
  // from being asked.
  Task<Outcome<boost::json::object>> request(std::string method, boost::json::object params);
  Task<Outcome<void>> notify(std::string method, boost::json::object params);
  Task<Outcome<void>> answer(std::string id, boost::json::object result);
  Task<Outcome<void>> refuse(std::string id, int code, std::string message);

  Task<Outcome<void>> close();  // ends the instance and everything it started
  bool leave();                 // the same, waiting for a moment only: whether it was over by then

  bool is_over() const { return end_.has_value(); }  // nothing more will come

 private:
  struct Pending {
    explicit Pending(Loop& loop) : signal(loop) {}
    Signal signal;
    std::optional<Outcome<boost::json::object>> outcome;
    bool posted = false;  // the agent has it
  };

  Task<Outcome<void>> post(std::string body, bool creates);
  void take(FeedItem item);
  void take_loss(const Loss& loss);
  void take_message(std::string_view bytes);
  void take_unreadable(std::string_view bytes);
  void take_client(std::string_view bytes);
  void take_answer(const AgentMessage& message);
  void take_request(AgentMessage message);
  void take_exit(const boost::json::object& params);
  void finish(Failure failure);
  Task<> look_for_lost_answers();
  void settle_lost_answers();
  Task<> refuse_quietly(std::string id, std::string method);
  std::string target() const;

  Loop& loop_;
  WorkerPool& pool_;
  ServerAddress server_;
  std::string server_id_;
  std::string agent_;
  AcpListener listener_;
  std::int64_t last_id_;  // begins anywhere: an instance may have other clients, whose answers are not ours
  std::map<std::string, std::shared_ptr<Pending>> pending_;  // by the identity of their ids
  std::optional<Failure> end_;                               // why nothing more will come
  std::uint64_t seen_ = 0;                                   // the newest event
  std::optional<std::uint64_t> complete_at_;                 // once it is seen, what is still open was lost
  std::optional<Failure> exited_;                            // the agent has, by itself or not
  Timer exit_timer_;
  std::unique_ptr<EventFeed> feed_;  // last: its thread ends before the rest goes
};

}  // namespace sa
