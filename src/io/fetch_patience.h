// How long a fetch waits: the deadline of all of it, that of the step it is in, and the flag that stops it. Lives as long as
// its fetch; its thread only.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "io/fetch.h"

namespace sa {

inline std::unexpected<FetchError> fail_fetch(FetchError::Kind kind, std::string text) {
  return std::unexpected(FetchError{kind, std::move(text), std::nullopt});
}

class FetchPatience {
 public:
  explicit FetchPatience(const FetchRequest& request);

  // From here on all waiting together may last as long as connecting may.
  void begin_connecting(std::string peer);
  // From here on each waiting may last as long as nothing may come.
  void begin_transfer();

  const std::string& peer() const { return peer_; }

  // Stopped, or out of time. To be asked also by those who never need to wait.
  std::expected<void, FetchError> check() const;

  // True when the descriptor is ready for `events`; false when it is not by `until`, which none of the others forbade.
  std::expected<bool, FetchError> wait(int fd, short events, std::optional<TimePoint> until = std::nullopt) const;

  // What is left for connecting; nullopt for as long as it takes.
  std::optional<Clock::duration> left_to_connect() const;

 private:
  std::unexpected<FetchError> out_of_time() const;

  const FetchRequest& request_;
  std::optional<TimePoint> end_by_;
  std::optional<TimePoint> connect_by_;
  bool is_connecting_ = false;
  std::string peer_;
};

}  // namespace sa
