// Who waits for whom: clients' requests the agent has not answered, and the agent's own requests that no client has answered.
// Both are keyed by the id's identity and never mixed, since the two sides choose their ids independently. Bounded.
// Loop thread only; owned by an instance.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "acp/event_track.h"
#include "base/result.h"
#include "io/signal.h"

namespace sa {

// The answer to a client's request.
struct Reply {
  SharedBytes bytes;
  EventId event = 0;
};

// A coroutine that waits for a reply. Lives in its frame; it leaves the table before it goes.
struct Waiter {
  explicit Waiter(Loop& loop) : wake(loop) {}
  Signal wake;
  std::optional<Result<Reply>> outcome;
};

// A set of ids that forgets the oldest when it is full.
class RecentIds {
 public:
  explicit RecentIds(std::size_t most, std::size_t most_bytes = 4u << 20) : most_(most), most_bytes_(most_bytes) {}
  void insert(const std::string& id);
  bool erase(const std::string& id);
  bool contains(const std::string& id) const { return numbers_.contains(id); }
  std::size_t size() const { return numbers_.size(); }
  void clear();

 private:
  std::size_t most_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // of the ids in order_
  std::uint64_t next_ = 0;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::deque<std::pair<std::uint64_t, std::string>> order_;  // oldest first; may name ids erased since
};

class RequestTable {
 public:
  // --- clients' requests
  // Error: conflict when the id is in flight, overloaded when too many are. `waiter` may be null: the answer comes on the
  // stream only.
  Result<void> open(const std::string& id, Waiter* waiter);
  // The waiter goes, the id stays in flight.
  void abandon(const std::string& id);
  // Takes back an open() whose message was not sent.
  void withdraw(const std::string& id);
  // The agent answered `id`. Null when nobody waits for it.
  Waiter* answered(const std::string& id);
  // Nothing will be answered any more: hands `error` to every waiter.
  void fail_all(const Error& error);
  std::size_t pending() const { return pending_.size(); }

  // --- the agent's requests
  void agent_asked(const std::string& id);
  // A client answers. False when somebody has answered before: then the agent must not get it again.
  bool client_answers(const std::string& id);
  std::size_t open_agent_requests() const { return asked_.size(); }

 private:
  std::unordered_map<std::string, Waiter*> pending_;
  std::size_t pending_bytes_ = 0;  // of their ids
  RecentIds asked_{16'384};
  RecentIds settled_{16'384};
};

}  // namespace sa
