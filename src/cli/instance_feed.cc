#include "cli/instance_feed.h"

#include <signal.h>

#include "cli/interrupt.h"
#include "io/signal_watch.h"
#include "io/timer.h"

namespace sa {
namespace {

constexpr Millis quiet{100};  // behind the newest message of the agent: those of clients may follow it
constexpr Millis look_again{20};
constexpr int most_looks = 150;  // clients may go on talking while the agent is silent

class Reading {
 public:
  Reading(const ServerAddress& server, const ServerDocument& instance, ReadUntil until,
          const std::function<bool(const FeedItem&)>& take)
      : take_(take),
        until_(until),
        newest_(until == ReadUntil::caught_up ? instance.last_event_id : UINT64_MAX),
        signals_(loop_, not_ignored({SIGINT, SIGTERM}), [this](int) { end(Exit::interrupted); }),
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
    using Kind = FeedItem::Kind;
    if (is_over_) return;
    if (item.kind == Kind::ended) return end(Exit::success);
    if (item.kind == Kind::failed) return end(failed(item.failure));
    if (item.kind == Kind::message && item.number > newest_) return end(Exit::success);  // all that was kept came before it
    if (!take_(item)) return end(is_interrupted() ? Exit::interrupted : Exit::success);
    if (is_of_another(item)) return end(Exit::success);
    reached_ = std::max(reached_, item.number);
    if (reached_ >= newest_ && !done_.armed()) wait_for_more();
  }

  // What follows is not what is kept of ours, and has numbers of its own.
  bool is_of_another(const FeedItem& item) const {
    return until_ == ReadUntil::caught_up && item.kind == FeedItem::Kind::gap && !read_loss(item.data).is_known;
  }

  void wait_for_more() {
    if (feed_.has_taken_all()) ++looks_;
    if (feed_.is_quiet_for(quiet) || looks_ > most_looks) return end(Exit::success);
    done_.arm_in(look_again, [this] { wait_for_more(); });
  }

  void end(Outcome<Exit> outcome) {
    if (std::exchange(is_over_, true)) return;
    outcome_ = std::move(outcome);
    loop_.stop();
  }

  const std::function<bool(const FeedItem&)>& take_;
  ReadUntil until_;
  std::uint64_t newest_;  // when we began
  std::uint64_t reached_ = 0;
  int looks_ = 0;  // at a stream of which all was taken
  bool is_over_ = false;
  Outcome<Exit> outcome_ = Exit::success;
  Loop loop_;
  SignalWatch signals_;
  Timer done_;
  EventFeed feed_;
};

}  // namespace

Outcome<Exit> read_instance(const ServerAddress& server, const ServerDocument& instance, ReadUntil until,
                            const std::function<bool(const FeedItem& item)>& take) {
  return Reading(server, instance, until, take).run();
}

}  // namespace sa
