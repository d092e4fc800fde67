// Mixed traffic for a while, after which the daemon must have no more of the machine than before. SOAK_SECONDS: how long.
#include <doctest/doctest.h>
#include <signal.h>

#include <iostream>
#include <limits>
#include <thread>

#include "play.h"
#include "support/failure_watch.h"

using namespace chaos;
using namespace rig;

namespace {

constexpr std::int64_t allowed_kib = 6 * 1024;  // what a heap in pieces may keep, and our own stores of frames and buffers
constexpr std::int64_t small_change_kib = 100;  // between two looks at a daemon that has done nothing new

Vitals vitals_after(World& world, std::uint64_t seed, milliseconds duration) {
  play(world, make_soak(seed, duration));
  if (test_has_failed()) return {};
  world.come_to_rest();
  Vitals vitals{};
  eventually([&] { return (vitals = vitals_of(world.daemon.pid())).threads == 1; },
             milliseconds(8000));  // the pool's end by then
  return vitals;
}

// Instances come and go, requests are answered; then everything is over for more than the second after which memory goes back,
// or until it is as little as wanted.
std::int64_t resident_after(World& world, int instances, int requests, std::int64_t wanted_kib) {
  Slot& slot = world.places[0];
  for (int at = 0; at < instances; ++at) {
    REQUIRE_EQ(slot.acp.call("echo").status, 200);
    REQUIRE_EQ(slot.acp.remove().status, 204);
  }
  for (int at = 0; at < requests; ++at) REQUIRE_EQ(slot.acp.call("echo").status, 200);
  REQUIRE_EQ(slot.acp.remove().status, 204);
  std::this_thread::sleep_for(milliseconds(1500));
  std::int64_t resident_kib = 0;
  eventually([&] { return (resident_kib = vitals_of(world.daemon.pid()).resident_kib) <= wanted_kib; });
  return resident_kib;
}

}  // namespace

TEST_SUITE_BEGIN("soak");

TEST_CASE("an instance that is gone and a request that is answered leave no memory behind") {
  World world(plain_flavour(), 1);
  const auto before = resident_after(world, 200, 12'000, std::numeric_limits<std::int64_t>::max());
  const auto wanted = before + small_change_kib * scaled(milliseconds(1)).count();
  const auto after = resident_after(world, 800, 8'000, wanted);
  std::cout << "resident KiB " << before << ", after 800 more instances and 8,000 requests " << after << '\n';
  CHECK_LE(after, wanted);
}

TEST_CASE("after mixed traffic the daemon has no more memory, descriptors, threads and children than before") {
  const auto seconds = wish("SOAK_SECONDS", 20);
  World world(plain_flavour(), seconds);
  const auto fresh = vitals_of(world.daemon.pid());
  const auto before = vitals_after(world, 1, milliseconds(seconds * 1000 / 4));  // pools are filled, buffers have their size
  const auto after = vitals_after(world, 2, milliseconds(seconds * 1000 * 3 / 4));
  CHECK_LE(after.descriptors, before.descriptors);
  CHECK_EQ(after.threads, 1);
  CHECK_EQ(after.children, 0);
  CHECK_LE(after.resident_kib, fresh.resident_kib + allowed_kib * scaled(milliseconds(1)).count());
  if (test_has_failed()) tell(world);
  std::cout << "resident KiB " << fresh.resident_kib << " -> " << before.resident_kib << " -> " << after.resident_kib
            << ", descriptors " << before.descriptors << " -> " << after.descriptors << ", threads " << before.threads << " -> "
            << after.threads << ", children " << after.children << '\n';
}

TEST_SUITE_END();
