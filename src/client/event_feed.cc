#include "client/event_feed.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/json_members.h"
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
constexpr Millis far_patience{30'000};  // for a broken connection to come back,
constexpr Millis near_patience{4'000};  // and on this machine, where only the daemon itself can be gone

// Whether trying again may help.
bool is_passing(const Failure& failure) { return failure.exit == Exit::unreachable || failure.code == "overloaded"; }

// Waits, but not for somebody who wants to leave.
void pause(const StopFlag& stop, Millis duration) {
  constexpr Millis step{20};
  for (const TimePoint end = Clock::now() + duration; !stop && Clock::now() < end;) std::this_thread::sleep_for(step);
}

}  // namespace

std::optional<FeedItem> feed_item(const ServerEvent& event) {
  if (event.event == "client") return FeedItem{.kind = FeedItem::Kind::client, .data = std::string(event.data)};
  if (event.event == "gap") return FeedItem{.kind = FeedItem::Kind::gap, .data = std::string(event.data)};
  FeedItem item{.data = std::string(event.data)};
  std::from_chars(event.id.data(), event.id.data() + event.id.size(), item.number);
  return event.event == "message" && item.number > 0 ? std::optional(std::move(item)) : std::nullopt;
}

std::string lost_words(std::string_view gap) {
  const auto value = read_json(gap);
  const auto* object = value ? value->if_object() : nullptr;
  const auto from = object ? integer_member(*object, "from") : std::nullopt;
  const auto to = object ? integer_member(*object, "to") : std::nullopt;
  const bool is_known = from && to && *from > 0 && *to >= *from;  // a daemon may say anything
  if (is_known) return fmt::format("{} messages of the agent were lost: the daemon keeps no more", *to - *from + 1);
  return "the daemon no longer knows this position: what follows may repeat, and messages may be missing";
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

void EventFeed::read_all(Loop& loop, ServerAddress server, FeedWishes wishes, std::shared_ptr<Channel> channel) {
  std::uint64_t last = 0;
  Millis wait = first_pause;
  std::optional<TimePoint> broken_since;
  const auto url = parse_url(server.url);
  const Millis patience = url && is_loopback(url->host) ? near_patience : far_patience;
  EventParser parser;
  const auto take = [&](const ServerEvent& event) {
    auto item = feed_item(event);
    if (!item) return;
    if (item->kind == FeedItem::Kind::message) last = item->number;
    push(loop, channel, std::move(*item));
  };
  const std::string target =
      fmt::format("/v1/acp/{}{}", percent_encoded(wishes.server_id), wishes.include_client ? "?include=client" : "");
  while (!channel->stop) {
    ApiRequest request{
        .target = target, .headers = {{"Accept", "text/event-stream"}}, .idle_timeout = silence, .stop = &channel->stop};
    request.answered = [&] {
      broken_since.reset();
      wait = first_pause;
    };
    if (last > 0) request.headers.emplace_back("Last-Event-ID", std::to_string(last));
    if (!wishes.instance_id.empty()) request.headers.emplace_back("Acp-Instance-Id", wishes.instance_id);
    parser.reset();
    const auto answer = call_api(server, request, [&](std::string_view bytes) -> Result<void> {
      parser.feed(bytes, take);
      return {};
    });
    if (answer) return push(loop, channel, {.kind = FeedItem::Kind::ended});
    if (channel->stop) return;
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
