// Mixed traffic for a while, after which the daemon must have no more of the machine than before. SOAK_SECONDS: how long.
#include <doctest/doctest.h>
#include <signal.h>

#include <iostream>

#include "play.h"
#include "support/failure_watch.h"

using namespace chaos;
using namespace rig;

namespace {

constexpr std::int64_t allowed_kib = 6 * 1024;  // what a heap in pieces may keep, and our own stores of frames and buffers

Vitals vitals_after(World& world, std::uint64_t seed, milliseconds duration) {
  play(world, make_soak(seed, duration));
  if (test_has_failed()) return {};
  world.come_to_rest();
  Vitals vitals{};
  eventually([&] { return (vitals = vitals_of(world.daemon.pid())).threads == 1; },
             milliseconds(8000));  // the pool's end by then
  return vitals;
}

}  // namespace

TEST_SUITE_BEGIN("soak");

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
