// A command's conversation with one agent: an instance of its own, an ACP session in it, one turn at a time. Shows what the
// agent says and decides its permission requests. Loop thread only; borrows the console. end() or leave() before it goes.
#pragma once

#include <optional>
#include <string>

#include "cli/permission_desk.h"
#include "cli/turn_view.h"
#include "client/acp_client.h"

namespace sa {

struct ConversationWishes {
  ServerAddress server;
  std::string server_id;
  std::string agent;
  std::string cwd;
  std::string key{};  // the variable the agent has its key in, as far as it is known
  PermissionRule permissions = PermissionRule::ask;
  bool is_demo = false;  // the agent is the one that is built in
};

class Conversation {
 public:
  Conversation(Loop& loop, WorkerPool& pool, Console& console, ConversationWishes wishes);

  // Starts the agent and a session; with `session_id` loads that one, where the agent can.
  Task<Outcome<void>> begin(std::string session_id);
  // One turn, shown as it goes. The exit code of how it ended.
  Task<Outcome<Exit>> prompt(std::string text);
  // That the agent has not answered yet, what, and what it wrote to stderr last.
  void tell_waiting(Millis so_far);
  // The turn under way shall end. Says no to what is being asked.
  void cancel();
  // The instance and all it started are gone.
  Task<> end();
  void leave() { (void)client_.leave(); }

  const std::string& session_id() const { return session_id_; }
  std::function<void()> on_reader_left;                              // nobody takes the answer any more
  std::function<void(const boost::json::object& update)> on_update;  // of session/update, each

  // On a terminal a line may say that the turn goes on: nobody is asked anything, and no text would be broken by it.
  bool is_quiet() const { return !desk_.is_asking() && (!console_.is_mid_line() || view_.has_more()); }
  TimePoint seen_at() const { return view_.seen_at(); }  // something of the turn, the last time; its beginning at first
  bool has_shown() const { return view_.has_shown(); }
  std::string doing() const { return view_.doing(); }
  bool is_over() const { return client_.is_over(); }

 private:
  Task<Outcome<boost::json::object>> ask(std::string method, boost::json::object params);
  Task<> say_waiting(Millis so_far);
  Task<Outcome<void>> open_session(std::string session_id, boost::json::object capabilities);
  Task<> past_told();
  Task<Outcome<void>> log_in(Failure refused);
  Task<Failure> explain_death(Failure failure);
  Task<std::string> stderr_text();
  Failure explain_login(Failure failure) const;
  void take_notification(const std::string& method, const boost::json::object& params);
  void take_loss(const std::string& sentence);
  void take_babble(const std::string& line);
  bool take_request(AgentRequest request);
  Task<> send_answer(std::string id, boost::json::object result);
  Task<> send_cancel(bool after_answers);
  Task<> answers_sent(Signal& sent);

  Loop& loop_;
  WorkerPool& pool_;
  Console& console_;
  ConversationWishes wishes_;
  TurnView view_;
  AcpClient client_;
  PermissionDesk desk_;
  std::string asked_;  // the method whose answer the start awaits
  std::string session_id_;
  boost::json::array auth_methods_;
  Signal sent_;
  Signal answered_;
  std::size_t sending_ = 0;        // messages under way that nobody awaits
  std::size_t answering_ = 0;      // those of them that answer the agent
  bool awaiting_answers_ = false;  // a cancel does
  bool replaying_ = false;         // a loaded session tells its past
  std::size_t told_ = 0;           // messages of the past
  bool babbled_ = false;           // the agent wrote what is no message, and that was said
  bool cancelled_ = false;
  bool has_gap_ = false;  // messages of the agent were lost in the turn
  bool ending_ = false;   // nobody needs an answer any more
};

}  // namespace sa
