// Every process the daemon starts, and every one that ever lands on it. The daemon is a child subreaper: if a supervisor is
// killed, its agent's tree falls to us and is killed here. Loop thread only (a process spawned from another thread would be
// tied to that thread's life). One per daemon.
#pragma once

#include <sys/resource.h>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/unique_fd.h"
#include "io/child.h"
#include "io/process_tree.h"
#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {

class Processes {
 public:
  // `stop_grace` is what supervisors grant a tree whose agent ended by itself.
  Processes(Loop& loop, Millis stop_grace);
  ~Processes();

  // Starts the supervisor; Child::pid() or spawn_error() tell later whether the agent itself could be started.
  Result<std::shared_ptr<Child>> start(const ChildSpec& spec);

  std::size_t alive() const { return children_.size(); }         // supervisors not yet reaped
  void set_listener(Signal* listener) { listener_ = listener; }  // notified when that changes
  void kill_all();  // ends every tree at once, without a grace; alive() tells when that is done

 private:
  Task<> follow(std::shared_ptr<Child> child);
  bool read_control(Child& child);
  void reap();
  bool on_supervisor_end(pid_t supervisor);
  bool any_lost() const;
  void sweep_strays();
  void sweep_in(Millis pause);
  std::optional<Millis> kill_strays();
  Look strays() const;
  bool is_killed(pid_t stray) const;
  std::optional<bool> is_ours(pid_t pid) const;
  void keep_reserve();
  static void mark_gone(Child& child);
  void forget(pid_t supervisor);

  Loop& loop_;
  Millis stop_grace_;
  rlimit original_nofile_{};
  SignalWatch child_signal_;
  std::unordered_map<pid_t, std::shared_ptr<Child>> children_;  // by supervisor pid, until that is reaped
  std::unordered_set<pid_t> foreign_;                           // children we were started with
  bool strangers_ = false;                                      // what falls to us may be theirs, or anybody's
  std::unordered_map<pid_t, bool> strays_;                      // until they are reaped; false: they could not be killed yet
  std::vector<UniqueFd> reserve_;                               // given back while we look for strays
  Signal* listener_ = nullptr;
  Timer reap_rest_;
  static constexpr Millis first_sweep_pause{5};
  Timer sweep_;
  Millis sweep_pause_ = first_sweep_pause;  // before the one that is armed
};

}  // namespace sa
