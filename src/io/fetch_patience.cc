#include "io/fetch_patience.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

namespace sa {
namespace {

constexpr Millis stop_look{50};  // the flag is looked at so often

std::optional<TimePoint> after(Millis limit) { return limit > Millis(0) ? std::optional(Clock::now() + limit) : std::nullopt; }

std::optional<TimePoint> earlier(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

std::string seconds(Millis time) { return fmt::format("{:g} s", std::chrono::duration<double>(time).count()); }

}  // namespace

FetchPatience::FetchPatience(const FetchRequest& request) : request_(request), end_by_(after(request.total_timeout)) {}

void FetchPatience::begin_connecting(std::string peer) {
  peer_ = std::move(peer);
  is_connecting_ = true;
  connect_by_ = after(request_.connect_timeout);
}

void FetchPatience::begin_transfer() {
  is_connecting_ = false;
  connect_by_.reset();
}

std::optional<Clock::duration> FetchPatience::left_to_connect() const {
  const auto by = earlier(connect_by_, end_by_);
  if (!by) return std::nullopt;
  return *by - Clock::now();
}

std::unexpected<FetchError> FetchPatience::out_of_time() const {
  using enum FetchError::Kind;
  if (end_by_ && Clock::now() >= *end_by_)
    return fail_fetch(timed_out, fmt::format("Fetching from {} took longer than {}.", peer_, seconds(request_.total_timeout)));
  if (is_connecting_)
    return fail_fetch(timed_out,
                      fmt::format("There was no connection to {} within {}.", peer_, seconds(request_.connect_timeout)));
  return fail_fetch(timed_out, fmt::format("Nothing moved between here and {} for {}.", peer_, seconds(request_.idle_timeout)));
}

std::expected<void, FetchError> FetchPatience::check() const {
  if (request_.stop && request_.stop->load())
    return fail_fetch(FetchError::Kind::stopped, fmt::format("Fetching from {} was stopped.", peer_));
  const auto by = earlier(connect_by_, end_by_);
  if (by && Clock::now() >= *by) return out_of_time();
  return {};
}

std::expected<bool, FetchError> FetchPatience::wait(int fd, short events, std::optional<TimePoint> until) const {
  auto by = earlier(connect_by_, end_by_);
  if (!is_connecting_) by = earlier(by, after(request_.idle_timeout));
  for (;;) {
    if (auto go_on = check(); !go_on) return std::unexpected(std::move(go_on).error());
    const TimePoint now = Clock::now();
    if (by && now >= *by) return out_of_time();
    if (until && now >= *until) return false;
    auto wake = earlier(by, until);
    if (request_.stop) wake = earlier(wake, now + stop_look);
    constexpr Millis longest{60'000};
    const Millis pause = wake ? std::min(std::chrono::ceil<Millis>(*wake - now), longest) : longest;
    pollfd descriptor{fd, events, 0};
    if (::poll(&descriptor, 1, static_cast<int>(pause.count())) > 0) return true;
  }
}

}  // namespace sa
