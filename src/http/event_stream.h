// Where an endless response gets its bytes from. The connection pulls; the stream notifies `wake` when there is more.
// Owned by the response. Loop thread only.
#pragma once

#include <cstddef>
#include <vector>

#include "base/shared_bytes.h"
#include "io/signal.h"

namespace sa {

class EventStream {
 public:
  virtual ~EventStream() = default;
  // Called once before the first take().
  virtual void start(Signal& wake) = 0;
  // Appends what is to be sent next, whole events, about `max_bytes` of them or one larger one; nothing if there is nothing.
  virtual void take(std::vector<SharedBytes>& out, std::size_t max_bytes) = 0;
  // The client missed something: the next take() starts with a gap. It gets that when it has read all it was sent before, so
  // that one stall is one gap.
  virtual bool behind() const = 0;
  // No more will come.
  virtual bool ended() const = 0;
  // The client took bytes, or the kernel's buffer is full and it has to read first.
  virtual void on_progress() = 0;
  virtual void on_blocked() = 0;
};

}  // namespace sa
