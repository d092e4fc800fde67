// Judges the order of one reader's events: dense numbers, each once, and every hole explained by a gap whose bounds are
// exact. Used by single streams and by the oracle alike. Passive; not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sse_parser.h"

namespace rig {

class StreamCheck {
 public:
  // The reader asked for everything after `last_id` (0: from the start).
  void begin(std::uint64_t last_id) {
    next_ = last_id + 1;
    last_ = last_id;
    lost_position_expected_ = lost_position_is_fine_ = false;
  }
  // The reader named an instance that is gone, or a position that cannot be: the first thing to come must say so.
  void expect_lost_position() { lost_position_expected_ = true; }
  // Its position may be of another instance, or of none.
  void allow_lost_position() { lost_position_is_fine_ = true; }

  void on_message(std::uint64_t id);
  // `last_lost`: the last event that can have been lost by now.
  void on_gap(std::string_view data, std::uint64_t last_lost = UINT64_MAX);

  std::uint64_t last_id() const { return last_; }  // that it has; 0 after a position that was none
  bool awaits_lost_position() const { return lost_position_expected_; }
  const std::vector<Gap>& gaps() const { return gaps_; }
  const std::vector<std::string>& faults() const { return faults_; }
  void note_fault(std::string text);

 private:
  std::uint64_t next_ = 1;
  std::uint64_t last_ = 0;
  bool lost_position_expected_ = false;
  bool lost_position_is_fine_ = false;
  std::vector<Gap> gaps_;
  std::vector<std::string> faults_;
};

}  // namespace rig
