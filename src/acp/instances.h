// All instances by server_id. The id in the URL is only an index: it is free again the moment an instance is deleted, while the
// old one may still be ending. Loop thread only; one per daemon.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "acp/agent_source.h"
#include "acp/instance.h"
#include "io/processes.h"
#include "io/timer.h"

namespace sa {

class Instances {
 public:
  Instances(Loop& loop, Processes& processes, const InstanceLimits& settings, AgentSource agents);

  // The instance behind `server_id`, started if there is none. Concurrent first calls start one process; a failed start leaves
  // nothing behind. Errors: unsupported_agent, invalid_request (new id without agent), conflict (another agent; deleted
  // meanwhile), overloaded, agent_spawn_failed, and what getting the agent ready brings. Null when the asker went away
  // meanwhile: the start goes on without it. Without an asker, somebody waits in any case.
  Task<Result<std::shared_ptr<Instance>>> find_or_start(std::string server_id, std::optional<std::string> agent,
                                                        Asker* asker = nullptr);
  // The instance behind `server_id`; waits while it is being started. Null as above. Errors: not_found, overloaded.
  Task<Result<std::shared_ptr<Instance>>> find(std::string server_id, const Asker* asker = nullptr);
  // What a client said that left before its instance was ready: the agent gets it then. More than an outbox holds is dropped.
  void send_when_ready(const std::string& server_id, Envelope envelope);
  // Ends the instance and returns when nothing of it is left (or its time is up). Unknown ids are fine.
  Task<> close(std::string server_id);
  // Ends all of them, waits for those that are ending already, and starts no more.
  Task<> close_all();

  struct Row {
    std::string server_id;
    std::string agent;
    std::string instance_id;
    std::shared_ptr<Instance> instance;  // null while starting
    std::string phase;                   // of the start
    long long created_at = 0;
  };
  std::vector<Row> list() const;  // sorted by server_id

  std::size_t count() const { return slots_.size(); }
  bool any_alive() const;                             // starting, or running
  std::uint64_t started() const { return started_; }  // since the beginning
  const RingBudget& rings() const { return context_.budget; }

 private:
  struct Slot {
    std::string asked;  // the agent, as the first request named it
    std::string agent;  // its id; until that is known, the same as above in what can be shown
    bool named = false;
    std::string instance_id;
    std::shared_ptr<Instance> instance;
    std::shared_ptr<Preparation> preparation = std::make_shared<Preparation>();
    std::optional<Error> failure;
    long long created_at = 0;
    bool deleted = false;
    bool starting = true;          // a start() is at work on it
    std::deque<Envelope> left;     // by clients that did not wait, for send_when_settled()
    std::size_t left_bytes = 0;    // what they take
    std::vector<Signal*> waiting;  // notified when any of this changes
    bool settled() const { return instance || failure; }
    bool goes_by(const std::string& name) const { return name == asked || name == agent; }
  };

  std::shared_ptr<Slot> slot_of(const std::string& server_id) const;  // null when there is none
  std::shared_ptr<Slot> begin(const std::string& server_id, const std::string& agent);
  Task<> start(std::string server_id, std::shared_ptr<Slot> slot);
  std::shared_ptr<Slot> unnamed_slot() const;  // the same
  Task<> send_when_settled(std::shared_ptr<Slot> slot);
  Task<> prepare(Slot& slot);
  void take_name(Slot& slot);
  Task<> launch(Slot& slot, ChildSpec spec);
  Task<> call_off(Child& child, Signal& changed);
  Task<bool> settle(std::shared_ptr<Slot> slot, const Asker* asker);
  Task<bool> wait_until(bool (*reached)(const Slot&), std::shared_ptr<Slot> slot, const Asker* asker);
  void conclude(Slot& slot);
  bool erase(const std::string& server_id, const std::shared_ptr<Slot>& slot);
  Task<> until_ended(std::string server_id);

  InstanceContext context_;
  Processes& processes_;
  AgentSource agents_;
  std::map<std::string, std::shared_ptr<Slot>> slots_;
  std::uint64_t started_ = 0;
  std::size_t closes_ = 0;          // under way
  std::uint64_t closes_begun_ = 0;  // since the beginning
  Signal close_done_;               // of close_all()
  // The ids whose trees are being ended, by the number of the close.
  std::set<std::pair<std::string, std::uint64_t>> ending_;
  std::vector<Signal*> end_watchers_;
  bool closing_ = false;
  Timer give_back_;  // of memory to the system, some time after an instance ended
};

}  // namespace sa
