// Many deadlines of one common duration, at the cost of one timer: since all last equally long, the list is sorted by itself,
// and arming or disarming one is a few pointer moves without a system call. A duration of zero means "never".
// An Entry sits in its owner and leaves the list when it dies. Loop thread only; Deadlines must outlive its entries.
#pragma once

#include "io/signal.h"
#include "io/timer.h"

namespace sa {

class Deadlines {
 public:
  class Entry {
   public:
    explicit Entry(Signal& signal) : signal_(signal) {}
    Entry(const Entry&) = delete;
    ~Entry() { disarm(); }
    bool expired() const { return expired_; }
    bool armed() const { return list_ != nullptr; }
    void disarm();

   private:
    friend class Deadlines;
    Signal& signal_;
    Deadlines* list_ = nullptr;
    Entry* previous_ = nullptr;
    Entry* next_ = nullptr;
    TimePoint at_;
    bool expired_ = false;
  };

  Deadlines(Loop& loop, Millis duration) : loop_(loop), timer_(loop), duration_(duration) {}
  Deadlines(const Deadlines&) = delete;

  // (Re)starts the full duration. When it passes, the entry reads expired() and its signal is notified.
  void arm(Entry& entry);

 private:
  void expire();
  void schedule();

  Loop& loop_;
  Timer timer_;
  Millis duration_;
  Entry* first_ = nullptr;
  Entry* last_ = nullptr;
};

}  // namespace sa
