// Values go to a worker and come back, many at a time, while other threads post to the loop: nothing may be touched by two
// threads without an order between them. What is wrong here is said by ThreadSanitizer, which ends the program.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <numeric>

#include "base/log.h"
#include "io/task.h"
#include "io/worker_pool.h"

namespace sa {
namespace {

using namespace std::chrono_literals;

constexpr int errands = 64;
constexpr int rounds = 50;

struct Office {
  Loop loop;
  WorkerPool pool{loop, 8, Millis(1)};  // threads come and go meanwhile
  int open = errands;
  long long sum = 0;
};

// What the work reads and writes belongs to this frame, which sleeps meanwhile. Every round adds as many as there are papers.
Task<> run_errands(Office& office, int number) {
  std::vector<int> papers(100, number);
  for (int round = 0; round < rounds; ++round) {
    auto work = [&papers] {
      for (int& paper : papers) ++paper;
      return std::accumulate(papers.begin(), papers.end(), 0LL);
    };
    const long long result = co_await office.pool.run(work);
    office.sum += result - static_cast<long long>(papers.size()) * (number + round);
    papers.push_back(number + round + 1);
  }
  if (--office.open == 0) office.loop.stop();
}

}  // namespace

TEST_CASE("what is handed to a worker and back is never touched by two threads at once") {
  Office office;
  for (int number = 0; number < errands; ++number) spawn(run_errands(office, number));
  Timer patience{office.loop};
  patience.arm_in(60s, [&] { office.loop.stop(); });
  office.loop.run();
  CHECK(office.open == 0);
  CHECK(office.sum == errands * (100 * rounds + rounds * (rounds - 1) / 2));
}

TEST_CASE("many threads post to one loop and log beside it") {
  Loop loop;
  REQUIRE(log::set_file("/dev/null"));
  int seen = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        log::info("beside the loop");
        loop.post([&] {
          if (++seen == 4000) loop.stop();
        });
      }
    });
  Timer patience{loop};
  patience.arm_in(60s, [&] { loop.stop(); });
  loop.run();
  for (std::thread& thread : threads) thread.join();
  CHECK(seen == 4000);
}

}  // namespace sa

int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
