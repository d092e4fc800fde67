#include "cli/instance_feed.h"

#include <signal.h>

#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {
namespace {

constexpr Millis quiet{100};  // after the newest message of the agent: those of clients may follow it

class Reading {
 public:
  Reading(const ServerAddress& server, const ServerDocument& instance, ReadUntil until,
          const std::function<void(const FeedItem&)>& take)
      : take_(take),
        newest_(until == ReadUntil::caught_up ? instance.last_event_id : UINT64_MAX),
        signals_(loop_, not_ignored({SIGINT, SIGTERM}),
                 [this](int) {
                   outcome_ = Exit::interrupted;
                   loop_.stop();
                 }),
        done_(loop_),
        feed_(loop_, server, {.server_id = instance.server_id, .instance_id = instance.instance_id, .include_client = true},
              [this](const FeedItem& item) { on_item(item); }) {
    if (newest_ == 0) wait_for_more();
  }

  Outcome<Exit> run() {
    loop_.run();
    return outcome_;
  }

 private:
  void on_item(const FeedItem& item) {
    if (item.kind == FeedItem::Kind::ended || item.kind == FeedItem::Kind::failed) {
      if (item.kind == FeedItem::Kind::failed) outcome_ = failed(item.failure);
      return loop_.stop();
    }
    take_(item);
    reached_ = std::max(reached_, item.number);
    if (reached_ >= newest_) wait_for_more();
  }

  void wait_for_more() {
    if (!done_.armed()) done_.arm_in(quiet, [this] { loop_.stop(); });
  }

  const std::function<void(const FeedItem&)>& take_;
  std::uint64_t newest_;
  std::uint64_t reached_ = 0;
  Outcome<Exit> outcome_ = Exit::success;
  Loop loop_;
  SignalWatch signals_;
  Timer done_;
  EventFeed feed_;
};

}  // namespace

Outcome<Exit> read_instance(const ServerAddress& server, const ServerDocument& instance, ReadUntil until,
                            const std::function<void(const FeedItem& item)>& take) {
  return Reading(server, instance, until, take).run();
}

}  // namespace sa
