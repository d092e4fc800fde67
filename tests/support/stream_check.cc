#include "stream_check.h"

#include <exception>

namespace rig {

void StreamCheck::note_fault(std::string text) {
  if (faults_.size() < 10) faults_.push_back(std::move(text));
}

void StreamCheck::on_message(std::uint64_t id) {
  if (lost_position_expected_) note_fault("another position without a gap unknown_position");
  lost_position_expected_ = false;
  if (id != next_) {
    const auto numbers = ": expected " + std::to_string(next_) + ", got " + std::to_string(id);
    if (id > next_) note_fault("missing without a gap" + numbers);
    if (id == last_) note_fault("doubled" + numbers);
    if (id < next_ && id != last_) note_fault("reordered or repeated" + numbers);
  }
  last_ = id;
  next_ = id + 1;
}

void StreamCheck::on_gap(std::string_view data, std::uint64_t last_lost) try {
  const Gap gap = parse_gap(data);
  gaps_.push_back(gap);
  if (gap.reason == "unknown_position") {
    if (!lost_position_expected_ && !lost_position_is_fine_)
      note_fault("a good position was called unknown: " + std::string(data));
    lost_position_expected_ = lost_position_is_fine_ = false;
    last_ = 0;
    next_ = 1;  // it goes on with all there is
    return;
  }
  if (!gap.has_bounds && gap.client_messages > 0) return;  // of the agent's nothing is lost
  if (!gap.has_bounds) return note_fault("a gap without bounds: " + std::string(data));
  if (gap.from != next_) {
    note_fault("wrong gap bounds: expected from " + std::to_string(next_) + ", got " + std::string(data));
  }
  if (gap.to < gap.from) note_fault("wrong gap bounds: " + std::string(data));
  if (gap.to > last_lost) note_fault("called lost what cannot be: " + std::string(data));
  next_ = gap.to + 1;
} catch (const std::exception& error) {
  note_fault("a gap that is not an object: " + std::string(data));
}

}  // namespace rig
