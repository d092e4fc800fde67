// An install as a stream of events: `progress` as often as it changes (the newest counts), then `done` or `problem`. Owned by
// the response; a client that leaves does not end the install.
#pragma once

#include <memory>
#include <string>

#include "agents/install_job.h"
#include "http/event_stream.h"

namespace sa {

class InstallEvents final : public EventStream {
 public:
  explicit InstallEvents(std::shared_ptr<InstallJob> job) : job_(std::move(job)) {}
  ~InstallEvents() override;

  void start(Signal& wake) override;
  void take(std::vector<SharedBytes>& out, std::size_t max_bytes) override;
  bool behind() const override { return false; }
  bool ended() const override { return ended_; }
  void on_progress() override {}
  void on_blocked() override {}

 private:
  std::shared_ptr<InstallJob> job_;
  Signal* wake_ = nullptr;
  std::uint64_t told_ = 0;  // the revision of the progress that was sent last
  bool ended_ = false;
};

}  // namespace sa
