// Sending what an agent waits for. Loop thread; borrows the pool.
#pragma once

#include <functional>

#include "base/failure.h"
#include "io/task.h"
#include "io/worker_pool.h"

namespace sa {

Task<> pause(WorkerPool& pool, Millis time);

// `send` sends an answer once. An agent that waits for it waits for ever: a connection that breaks is tried again for a while,
// unless it is over meanwhile. The first answer counts, so it does no harm.
Task<Outcome<void>> send_surely(WorkerPool& pool, std::function<Task<Outcome<void>>()> send, std::function<bool()> is_over);

}  // namespace sa
