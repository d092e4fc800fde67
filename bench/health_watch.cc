#include "health_watch.h"

#include "http_client.h"
#include "requests.h"

namespace bench {

HealthWatch::HealthWatch(const Server& server, std::vector<std::int64_t>& times_ns)
    : thread_([port = server.port(), &times_ns](const std::stop_token& stop) {
        constexpr std::int64_t interval_ns = 2'000'000;
        HttpClient client(port);
        const std::string request = get(port, "/v1/health");
        for (std::int64_t due = now_ns(); !stop.stop_requested(); due += interval_ns) {
          // A question that had to wait for the answer to the one before counts from when it was due.
          std::int64_t begin = due;
          if (const std::int64_t early = due - now_ns(); early > 0) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(early));
            begin = now_ns();
          }
          client.exchange(request);
          times_ns.push_back(now_ns() - begin);
        }
      }) {}

}  // namespace bench
