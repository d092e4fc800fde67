// What was said in one session, for session/load. Bounded: chunks of one speaker are joined, and when the whole passes
// `max_bytes` the oldest entries go, so that a flood of any length costs no more than that. Owned by its Session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "mock_agent/rpc.h"

namespace sa::mock {

class History {
 public:
  explicit History(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Takes the `update` of any session/update; keeps it if it is part of the conversation.
  void add(const json::object& update);

  // Calls `send` with each update in order, the loss of the beginning first if there is one.
  template <typename Send>
  void replay(Send send) const {
    if (is_cut_) send(cut_notice());
    for (const Entry& entry : entries_) send(entry.update);
  }

  // Everything that was ever said, kept or not.
  std::uint64_t total_bytes() const { return total_bytes_; }

 private:
  struct Entry {
    json::object update;
    std::size_t bytes;
  };

  static json::object cut_notice();
  bool join(const json::object& update);
  void drop_oldest();

  std::size_t max_bytes_;
  std::deque<Entry> entries_;
  std::size_t bytes_ = 0;
  std::uint64_t total_bytes_ = 0;
  bool is_cut_ = false;
};

}  // namespace sa::mock
