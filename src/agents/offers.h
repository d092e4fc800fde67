// What installed agents said they offer, remembered per version of the agent. Asking starts it for a moment; those who ask
// meanwhile wait for the same answer. Loop thread only; one per daemon.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "agents/probe.h"

namespace sa {

class Offers {
 public:
  Offers(Loop& loop, Processes& processes, WorkerPool& pool, const StopFlag& stop)
      : loop_(loop), processes_(processes), pool_(pool), stop_(stop) {}

  // What it said before, if that was this version of it.
  const ProbeResult* known(const std::string& agent, const std::string& version) const;
  // Asks it, unless it is known and `fresh` is not wanted. What goes wrong is ProbeResult::error, and is asked again next time.
  Task<ProbeResult> ask(std::string agent, std::string version, ChildSpec child, bool fresh);

 private:
  struct Question {
    std::string version;
    std::optional<ProbeResult> answer;
    std::vector<Signal*> waiting;
  };

  Loop& loop_;
  Processes& processes_;
  WorkerPool& pool_;
  const StopFlag& stop_;
  std::map<std::string, std::shared_ptr<Question>> questions_;  // under way, by agent
  std::map<std::string, std::pair<std::string, ProbeResult>> known_;
};

}  // namespace sa
