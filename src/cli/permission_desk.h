// Where permission requests of an agent are decided: by rule, or by somebody at the terminal, one after the other in the order
// they came. Each is answered exactly once. Borrows everything; finish() before it goes. Loop thread only.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop_flag.h"
#include "cli/console.h"
#include "cli/turn_view.h"
#include "client/acp_client.h"
#include "io/worker_pool.h"

namespace sa {

enum class PermissionRule : std::uint8_t { ask, allow, deny };

struct PermissionOption {
  std::string id;
  std::string name;
  std::string kind;
};

struct PermissionQuestion {
  std::string id;  // of the request
  std::string tool_call_id;
  std::string title;
  std::vector<PermissionOption> options;
  boost::json::object tool_call{};  // all that is known of it
};

// With what `view` was told of the tool call before.
PermissionQuestion read_question(const AgentRequest& request, TurnView& view);

// Without an answer: it is open.
TurnEvent permission_event(const PermissionQuestion& question);

// What a rule chooses; null when there is no such option. Once goes before always.
const PermissionOption* choose_option(const PermissionQuestion& question, bool allow);

// What a key means: a digit the option it is shown with, y and n what a rule would choose. Null for one that means nothing
// here.
const PermissionOption* option_for_key(const PermissionQuestion& question, char key);

// The result of session/request_permission: the option, or "cancelled" without one.
boost::json::object outcome_of(const PermissionOption* option);

class PermissionDesk {
 public:
  // An optionId, or nothing for "cancelled".
  using Answer = std::function<void(const std::string& request_id, const PermissionOption* option)>;

  PermissionDesk(Loop& loop, WorkerPool& pool, Console& console, TurnView& view, PermissionRule rule, Answer answer);
  ~PermissionDesk();
  PermissionDesk(const PermissionDesk&) = delete;

  void begin_turn();  // what was denied before is forgotten
  void open(PermissionQuestion question);
  // Somebody else answered, or has to: what is closed gets no answer from here.
  void close(const std::string& request_id, std::string_view why);
  void withdraw(const std::string& request_id);  // the agent needs no answer any more; the protocol wants one all the same
  void cancel_all();                             // the turn is being cancelled, or over
  Task<> finish();                               // nobody is asked any more; one at a time

  bool is_asking() const { return asking_; }       // somebody, at the terminal
  bool denied() const { return denied_; }          // something was
  bool nobody_to_ask() const { return unasked_; }  // a question met nobody
  std::function<void()> on_nobody;                 // called then, once

 private:
  Task<> ask_all();
  void show(const PermissionQuestion& question);
  void say_what_waits();
  std::optional<PermissionQuestion> take_out(const std::string& request_id, std::string_view why);
  void decide(const PermissionQuestion& question, const PermissionOption* option);

  WorkerPool& pool_;
  Console& console_;
  TurnView& view_;
  PermissionRule rule_;
  Answer answer_;
  std::deque<PermissionQuestion> waiting_;  // the front one is being asked
  std::shared_ptr<StopFlag> stop_;          // of the question being asked
  Signal idle_;
  bool asking_ = false;
  bool denied_ = false;
  bool unasked_ = false;
};

}  // namespace sa
