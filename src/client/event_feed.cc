#include "client/event_feed.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/json_members.h"
#include "base/percent.h"
#include "client/api_call.h"
#include "client/message.h"
#include "io/url_parts.h"

namespace sa {
namespace {

constexpr std::size_t most_bytes = 8 << 20;  // that wait for the loop
constexpr std::size_t item_cost = 64;        // of one, besides its data
constexpr Millis silence{45'000};            // three heartbeats
constexpr Millis first_pause{50};
constexpr Millis longest_pause{1'000};
constexpr Millis settled_after{1'000};  // of a stream that has given nothing new
constexpr Millis longest_echo{1'000};   // an answer that took longer was held back by the daemon, not by the way
constexpr Millis far_patience{30'000};  // for a broken connection to come back,
constexpr Millis near_patience{4'000};  // and on this machine, where only the daemon itself can be gone

// Whether trying again may help.
bool is_passing(const Failure& failure) { return failure.exit == Exit::unreachable || failure.code == "overloaded"; }

// Clients' messages have no number: after a break the daemon gives those since the last numbered event again, in their order.
class Repeats {
 public:
  void on_stream() { at_ = 0; }
  void on_event() {
    seen_.clear();
    at_ = 0;
  }
  bool is_repeat(std::string_view message) {
    const std::size_t mark = std::hash<std::string_view>()(message);
    if (at_ < seen_.size() && seen_[at_] == mark) {
      ++at_;
      return true;
    }
    seen_.resize(at_++);  // the daemon has forgotten some: better twice than not at all
    seen_.push_back(mark);
    return false;
  }

 private:
  std::vector<std::size_t> seen_;  // since the last numbered event
  std::size_t at_ = 0;             // how many of them this stream gave
};

// Waits, but not for somebody who wants to leave.
void pause(const StopFlag& stop, Millis duration) {
  constexpr Millis step{20};
  for (const TimePoint end = Clock::now() + duration; !stop && Clock::now() < end;) std::this_thread::sleep_for(step);
}

}  // namespace

Loss read_loss(std::string_view gap) {
  Loss loss;
  const auto value = read_json(gap);
  const auto* object = value ? value->if_object() : nullptr;
  if (!object) return loss;
  const auto from = integer_member(*object, "from").value_or(0);
  const auto to = integer_member(*object, "to").value_or(0);
  loss.of_clients =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, integer_member(*object, "clientMessages").value_or(0)));
  if (from > 0 && to >= from) {
    loss.from = static_cast<std::uint64_t>(from);
    loss.to = static_cast<std::uint64_t>(to);
    loss.is_known = true;
  } else {
    const auto names = [object](std::string_view member) { return object->contains(member); };
    loss.is_known = loss.of_clients > 0 && !names("from") && !names("to") && !names("reason");
  }
  return loss;
}

std::string Loss::agent_words() const {
  if (to > 0) return fmt::format("{} messages of the agent were lost: the daemon keeps no more", to - from + 1);
  if (is_known) return "";
  return "the daemon no longer knows this position: what follows may repeat, and messages may be missing";
}

std::string Loss::client_words() const {
  return of_clients > 0 ? fmt::format("{} messages of clients are no longer kept", of_clients) : "";
}

std::optional<FeedItem> feed_item(const ServerEvent& event) {
  if (event.event == "client") return FeedItem{.kind = FeedItem::Kind::client, .data = std::string(event.data)};
  if (event.event == "gap")
    return FeedItem{.kind = FeedItem::Kind::gap, .number = read_loss(event.data).to, .data = std::string(event.data)};
  FeedItem item{.data = std::string(event.data)};
  std::from_chars(event.id.data(), event.id.data() + event.id.size(), item.number);
  return event.event == "message" && item.number > 0 ? std::optional(std::move(item)) : std::nullopt;
}

EventFeed::EventFeed(Loop& loop, ServerAddress server, FeedWishes wishes, Take take) : channel_(std::make_shared<Channel>()) {
  channel_->take = std::move(take);
  thread_ = std::thread([&loop, server = std::move(server), wishes = std::move(wishes), channel = channel_] {
    read_all(loop, server, wishes, channel);
  });
}

EventFeed::~EventFeed() {
  channel_->take = nullptr;
  {
    const std::lock_guard lock(channel_->mutex);  // or push() could miss it and sleep
    channel_->stop = true;
  }
  channel_->room.notify_all();
  thread_.join();
}

bool EventFeed::has_taken_all() const {
  const std::lock_guard lock(channel_->mutex);
  return channel_->is_all_taken();
}

bool EventFeed::is_quiet_for(Millis time) const {
  const std::lock_guard lock(channel_->mutex);
  const Heard& heard = channel_->heard;
  return channel_->is_all_taken() && Clock::now() - *heard.at >= std::max(time, std::min(heard.answer_took * 2, longest_echo));
}

void EventFeed::read_all(Loop& loop, ServerAddress server, FeedWishes wishes, std::shared_ptr<Channel> channel) {
  std::uint64_t last = 0;
  Millis wait = first_pause;
  std::optional<TimePoint> broken_since;
  std::optional<TimePoint> answered_at;  // of the stream being read
  bool is_getting_on = false;            // that stream gave something new
  const auto url = parse_url(server.url);
  const Millis patience = url && is_loopback(url->host) ? near_patience : far_patience;
  EventParser parser;
  Repeats repeats;
  Heard heard;
  const auto take = [&](const ServerEvent& event) {
    auto item = feed_item(event);
    if (!item || (item->kind == FeedItem::Kind::client && repeats.is_repeat(item->data))) return;
    if (item->number > last) is_getting_on = true;
    if (item->number > 0) {
      last = item->number;
      repeats.on_event();
    }
    push(loop, channel, std::move(*item));
  };
  const std::string target =
      fmt::format("/v1/acp/{}{}", percent_encoded(wishes.server_id), wishes.include_client ? "?include=client" : "");
  while (!channel->stop) {
    ApiRequest request{
        .target = target, .headers = {{"Accept", "text/event-stream"}}, .idle_timeout = silence, .stop = &channel->stop};
    const TimePoint asked_at = Clock::now();
    request.answered = [&] {
      answered_at = Clock::now();
      heard = {.at = answered_at, .answer_took = std::chrono::duration_cast<Millis>(*answered_at - asked_at)};
      channel->hear(heard);
    };
    answered_at.reset();
    is_getting_on = false;
    if (last > 0) request.headers.emplace_back("Last-Event-ID", std::to_string(last));
    if (!wishes.instance_id.empty()) request.headers.emplace_back("Acp-Instance-Id", wishes.instance_id);
    parser.reset();
    repeats.on_stream();
    const auto answer = call_api(server, request, [&](std::string_view bytes) -> Result<void> {
      heard.is_mid_event = true;  // until all events of these bytes are pushed
      channel->hear(heard);
      bool has_event = false;  // heartbeats are none
      parser.feed(bytes, [&](const ServerEvent& event) {
        has_event = true;
        take(event);
      });
      if (has_event) heard.at = Clock::now();
      heard.is_mid_event = parser.is_mid_event();
      channel->hear(heard);
      return {};
    });
    channel->hear({});
    if (answer) return push(loop, channel, {.kind = FeedItem::Kind::ended});
    if (channel->stop) return;
    // An answer alone is no good sign: something between us and the daemon may give one and cut, again and again.
    if (is_getting_on || (answered_at && Clock::now() - *answered_at >= settled_after)) {
      broken_since.reset();
      wait = first_pause;
    }
    const bool is_new = !broken_since;
    if (is_new) broken_since = Clock::now();
    if (!is_passing(answer.error()) || Clock::now() - *broken_since > patience) {
      const bool gone = answer.error().code == "not_found";  // it was deleted meanwhile
      return push(loop, channel, {.kind = gone ? FeedItem::Kind::ended : FeedItem::Kind::failed, .failure = answer.error()});
    }
    if (is_new) push(loop, channel, {.kind = FeedItem::Kind::cut, .failure = answer.error()});
    pause(channel->stop, wait);
    wait = std::min(wait * 2, longest_pause);
  }
}

void EventFeed::push(Loop& loop, const std::shared_ptr<Channel>& channel, FeedItem item) {
  std::unique_lock lock(channel->mutex);
  channel->room.wait(lock, [&] { return channel->bytes < most_bytes || channel->stop; });
  channel->bytes += item.data.size() + item_cost;
  channel->items.push_back(std::move(item));
  if (!std::exchange(channel->announced, true)) loop.post([&loop, channel] { deliver(loop, channel); });
}

// A few at a time: signals and timers shall have their turn, however fast the agent is.
void EventFeed::deliver(Loop& loop, const std::shared_ptr<Channel>& channel) {
  constexpr Millis turn{5};
  for (const TimePoint end = Clock::now() + turn; Clock::now() < end;) {
    FeedItem item;
    {
      const std::lock_guard lock(channel->mutex);
      if (channel->items.empty()) {
        channel->announced = false;
        return;
      }
      item = std::move(channel->items.front());
      channel->items.pop_front();
      channel->bytes -= item.data.size() + item_cost;
    }
    channel->room.notify_all();
    if (!channel->take) return;
    channel->take(std::move(item));
  }
  loop.post([&loop, channel] { deliver(loop, channel); });
}

}  // namespace sa
