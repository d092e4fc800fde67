#include "io/deadlines.h"

namespace sa {

void Deadlines::Entry::disarm() {
  if (!list_) return;
  (previous_ ? previous_->next_ : list_->first_) = next_;
  (next_ ? next_->previous_ : list_->last_) = previous_;
  list_ = nullptr;
  previous_ = next_ = nullptr;
}

void Deadlines::arm(Entry& entry) {
  entry.disarm();
  entry.expired_ = false;
  if (duration_ == Millis::zero()) return;
  entry.at_ = loop_.now() + duration_;
  entry.list_ = this;
  entry.previous_ = last_;
  (last_ ? last_->next_ : first_) = &entry;
  last_ = &entry;
  if (!timer_.armed()) schedule();
}

// The timer may run early for the present first entry (its predecessor was disarmed): then it is simply set again.
void Deadlines::schedule() {
  if (first_) timer_.arm(first_->at_, [this] { expire(); });
}

void Deadlines::expire() {
  while (first_ && first_->at_ <= loop_.heard_until()) {
    Entry& entry = *first_;
    entry.disarm();
    entry.expired_ = true;
    entry.signal_.notify();
  }
  schedule();
}

}  // namespace sa
