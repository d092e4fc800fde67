// Everything an instance says, in its order, from the daemon's event stream to the loop. A thread reads the stream and goes on
// where it was when the connection breaks; nothing is shown twice as long as the daemon keeps it, and what the daemon can no
// longer give is said. Holds a bounded amount of what the loop has not taken yet. Made and destroyed on the loop; destroying
// ends the thread within 100 ms.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/failure.h"
#include "base/stop_flag.h"
#include "client/event_parser.h"
#include "client/server_address.h"
#include "io/loop.h"

namespace sa {

struct FeedItem {
  enum class Kind : std::uint8_t {
    message,  // of the agent; `number` is its event number
    client,   // of a client to the agent
    gap,      // the daemon's words about what is lost; `number` is that of the last lost message, if they tell it
    cut,      // the connection broke and is being made again; once, however often it is tried
    ended,    // the instance is gone; nothing follows
    failed,   // it could not be read any more; nothing follows
  };
  Kind kind = Kind::message;
  std::uint64_t number = 0;
  std::string data{};
  Failure failure{};
};

// What an event of the stream means; nothing for one of a kind we do not know, and for a message without a number.
std::optional<FeedItem> feed_item(const ServerEvent& event);

// What a gap says is lost.
struct Loss {
  std::uint64_t from = 0;  // events of the agent, both included; 0: none, as far as it is known
  std::uint64_t to = 0;
  std::uint64_t of_clients = 0;  // how many messages
  bool is_known = false;         // else anything may be: the daemon does not know where we were, or makes no sense

  // For people; empty where nothing was lost.
  std::string agent_words() const;
  std::string client_words() const;
};
Loss read_loss(std::string_view gap);

struct FeedWishes {
  std::string server_id;
  std::string instance_id{};  // which one is meant, also after a new start under the same id
  bool include_client = false;
};

class EventFeed {
 public:
  using Take = std::function<void(FeedItem item)>;
  // `take` is called on the loop.
  EventFeed(Loop& loop, ServerAddress server, FeedWishes wishes, Take take);
  ~EventFeed();
  EventFeed(const EventFeed&) = delete;

  // The stream was answered, all that has come was taken, and no event is half read.
  bool has_taken_all() const;
  // And nothing more seems to be on its way: no event came for `time`, nor for twice as long as that answer took, a second at
  // most.
  bool is_quiet_for(Millis time) const;

 private:
  // Of the stream being read.
  struct Heard {
    std::optional<TimePoint> at{};  // its answer, or its newest event
    Millis answer_took{0};
    bool is_mid_event = false;
  };

  // What the thread and the loop share; lives until both are done with it.
  struct Channel {
    std::mutex mutex;
    std::condition_variable room;
    std::deque<FeedItem> items;
    std::size_t bytes = 0;
    bool announced = false;  // the loop knows there is something
    Heard heard;

    bool is_all_taken() const { return heard.at && !heard.is_mid_event && items.empty(); }  // with the mutex

    void hear(const Heard& now) {
      const std::lock_guard lock(mutex);
      heard = now;
    }
    StopFlag stop = false;
    Take take;  // loop thread only; empty when the feed is gone
  };

  static void read_all(Loop& loop, ServerAddress server, FeedWishes wishes, std::shared_ptr<Channel> channel);
  static void push(Loop& loop, const std::shared_ptr<Channel>& channel, FeedItem item);
  static void deliver(Loop& loop, const std::shared_ptr<Channel>& channel);

  std::shared_ptr<Channel> channel_;
  std::thread thread_;
};

}  // namespace sa
