// One install under way, and all who wait for it. Shared by them; the installer's coroutine works on it. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/catalog.h"
#include "agents/install_plan.h"
#include "agents/install_record.h"
#include "base/stop_flag.h"
#include "io/signal.h"

namespace sa {

struct InstallProgress {
  std::string phase;
  std::optional<std::uint64_t> bytes{};
  std::optional<std::uint64_t> total{};
};

template <>
struct Shape<InstallProgress> {
  using E = InstallProgress;
  static constexpr std::string_view name = "InstallProgress";
  static constexpr std::string_view help = "How far an install is.";
  static constexpr std::tuple fields{
      Field{"phase", &E::phase, "waiting, registry, downloading, unpacking, npm, uv, verifying or switching."},
      Field{"bytes", &E::bytes, "Downloaded so far; of npm and uv, what they have written."},
      Field{"total", &E::total, "Of these many, when known."},
  };
};

struct InstallOutcome {
  bool already_installed = false;
  InstallRecord record;
};

class InstallJob {
 public:
  InstallJob(AgentPtr agent, InstallWishes wishes) : agent_(std::move(agent)), wishes_(std::move(wishes)) {}

  const Agent& agent() const { return *agent_; }
  const Manifest& manifest() const { return agent_->manifest; }
  const InstallWishes& wishes() const { return wishes_; }

  const InstallProgress& progress() const { return progress_; }
  std::uint64_t revision() const { return revision_; }  // changes with the progress
  const std::optional<Result<InstallOutcome>>& outcome() const { return outcome_; }

  // `watcher` is notified of every change until unwatch().
  void watch(Signal& watcher) { watchers_.push_back(&watcher); }
  void unwatch(Signal& watcher) { std::erase(watchers_, &watcher); }

  // Who works on it hears this soon, removes what it made, and concludes.
  void call_off() { stop_ = true; }
  const StopFlag& stopped() const { return stop_; }

  void report(InstallProgress progress) {
    progress_ = std::move(progress);
    ++revision_;
    tell();
  }
  void conclude(Result<InstallOutcome> outcome) {
    outcome_ = std::move(outcome);
    tell();
  }

 private:
  void tell() const {
    for (Signal* watcher : watchers_) watcher->notify();
  }

  AgentPtr agent_;
  InstallWishes wishes_;
  StopFlag stop_ = false;
  InstallProgress progress_;
  std::uint64_t revision_ = 0;
  std::optional<Result<InstallOutcome>> outcome_;
  std::vector<Signal*> watchers_;
};

}  // namespace sa
