// One agent process and everyone talking to it. Lives on the loop; not thread-safe. Owned by Instances; coroutines that wait on
// it hold a shared_ptr. When the agent ends, what it still wrote is read, "_adapter/agent_exited" is the last event and every
// pending request fails; the instance stays listed until close().
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "acp/envelope.h"
#include "acp/event_reader.h"
#include "acp/event_ring.h"
#include "acp/outbox.h"
#include "acp/request_table.h"
#include "base/limits.h"
#include "base/output_tail.h"
#include "io/child.h"
#include "io/deadlines.h"
#include "io/line_buffer.h"
#include "io/running_clock.h"

namespace sa {

// What all instances share.
struct InstanceContext {
  InstanceContext(Loop& the_loop, const InstanceLimits& the_settings);
  Loop& loop;
  InstanceLimits settings;
  RingBudget budget;
  RunningClock clock;
  Deadlines request_deadlines;
  Deadlines exited_ring_deadlines;
};

// True when the client that waits has hung up; otherwise its signal is notified when that may have changed.
using ClientGone = std::function<bool(Signal&)>;

// A client that waits for an instance. `wake` is notified of whatever it waits for, a hang-up too, and so lives as long as the
// request.
struct Asker {
  Signal& wake;
  ClientGone gone;
  std::string instance_id{};  // set when an instance of another agent is in its way
};

std::string new_instance_id();  // random

class Instance : public std::enable_shared_from_this<Instance> {
 public:
  Instance(InstanceContext& context, std::string agent, std::string id, std::shared_ptr<Child> child);

  // Starts reading and writing. The child runs already.
  void start();

  // Forwards a message that expects no answer here.
  Task<Result<void>> send(Envelope envelope);
  // Forwards a request and lets the answer come on the stream only.
  Task<Result<void>> request_async(Envelope envelope);
  // Forwards a request and waits for the agent's answer. nullopt when the client went away meanwhile.
  Task<Result<std::optional<Reply>>> request(Envelope envelope, ClientGone client_gone);

  std::unique_ptr<EventReader> read(ReaderStart start);

  // Ends the whole process tree. Pending requests fail at once and say `why`; done when nothing is left or the grace and 400 ms
  // have passed.
  Task<> close(std::string why);

  const std::string& agent() const { return agent_; }
  const std::string& id() const { return id_; }
  const Child& child() const { return *child_; }
  bool exited() const { return finished_; }
  long long created_at() const { return created_at_; }
  long long last_activity() const { return last_activity_; }
  std::size_t pending_requests() const { return requests_.pending(); }
  std::size_t open_agent_requests() const { return requests_.open_agent_requests(); }
  std::size_t readers() const { return ring_->readers(); }
  EventId last_event() const { return ring_->newest(); }
  std::string stderr_text() const { return stderr_.text(); }

 private:
  // instance.cc
  Result<void> named(Result<void> result) const;
  Result<void> check_open(const Envelope& envelope) const;
  Task<Result<void>> deliver(Envelope envelope);
  Error exit_error() const;
  Error stopped_error() const;  // when we ended it, until it is gone

  // instance_output.cc
  static Task<> read_stdout(std::shared_ptr<Instance> self);
  static Task<> read_stderr(std::shared_ptr<Instance> self);
  Task<> take_lines();
  Task<> wait_for_readers(std::size_t size);
  void on_line(std::string_view line);
  void on_long_line(std::string_view line);
  void on_last_line(std::string_view line);
  void on_bad_line(std::string_view line, std::string_view why);
  EventId say(std::string_view payload);
  void read_leftovers();

  // instance_end.cc
  static Task<> live(std::shared_ptr<Instance> self);
  void on_exit();
  void finish();
  void end_with(Error reason);
  bool may_be_held() const;
  void abandon_in_time();

  InstanceContext& context_;
  std::string agent_;
  std::string id_;
  std::shared_ptr<Child> child_;
  std::shared_ptr<EventRing> ring_;
  RequestTable requests_;
  Outbox outbox_;
  OutputTail stderr_;
  LineBuffer lines_;
  Signal wake_;         // of live()
  Signal stdout_wake_;  // of read_stdout()
  Signal stderr_wake_;
  Timer timer_;  // of live()
  Deadlines::Entry ring_deadline_;
  std::vector<Signal*> watchers_;    // notified when it is finished, and when nothing is left of it
  std::optional<Error> end_reason_;  // why we ended it, when we did
  long long created_at_;
  long long last_activity_;
  bool stdout_ended_ = false;
  bool draining_ = false;  // the agent ended; what it left behind is being read
  bool drain_over_ = false;
  bool lingers_ = false;   // it lives on although it closed its stdout or stdin
  bool finished_ = false;  // the last event is written
  bool closing_ = false;
  std::string closing_reason_;
};

}  // namespace sa
