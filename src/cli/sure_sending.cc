#include "cli/sure_sending.h"

#include <thread>

namespace sa {

Task<> pause(WorkerPool& pool, Millis time) {
  co_await pool.run([time] {
    std::this_thread::sleep_for(time);
    return true;
  });
}

Task<Outcome<void>> send_surely(WorkerPool& pool, std::function<Task<Outcome<void>>()> send, std::function<bool()> is_over) {
  constexpr int tries = 8;
  for (int at = 1;; ++at) {
    auto sent = co_await send();
    if (sent || at == tries || sent.error().exit != Exit::unreachable || is_over()) co_return sent;
    co_await pause(pool, Millis(250));
  }
}

}  // namespace sa
