// What happens around the daemon: it is stopped for a moment, descriptors run out, the disk is full.
#include <doctest/doctest.h>
#include <signal.h>

#include <thread>

#include "world.h"

namespace chaos {
namespace {

using namespace rig;

void freeze_daemon(World& world, Slot&, Dice& dice) {
  ::kill(world.daemon.pid(), SIGSTOP);
  std::this_thread::sleep_for(milliseconds(dice.between(1, 400)));
  ::kill(world.daemon.pid(), SIGCONT);
}

// More connections than it has descriptors for, none of which asks for anything.
void crowd(World& world, Slot&, Dice&) {
  for (std::uint64_t i = 0; i < *world.flavour.descriptors + 20; ++i) world.hold(Connection(world.daemon.port()));
  std::this_thread::sleep_for(milliseconds(50));
  world.release_held();
}

// Six files of which three have room. What was taken is there.
void fill_disk(World& world, Slot&, Dice& dice) {
  const std::string ballast(300'000, static_cast<char>('a' + dice.between(0, 25)));
  int taken = 0;
  for (int i = 0; i < 6; ++i) {
    const auto name = "small/ballast-" + std::to_string(i);
    const auto status = world.files.upload(name, ballast).status;
    const bool is_refused_rightly = status == 507 || (status == 503 && world.flavour.descriptors);
    if (is_refused_rightly) continue;
    CHECK_MESSAGE((status == 200 || status == 201), "an upload to a full disk was answered with ", status);
    world.check_content(name, ballast);
    ++taken;
  }
  CHECK((taken <= 3 || !world.disk.is_small()));
  if (dice.one_in(2)) return;
  for (int i = 0; i < 6; ++i) world.files.remove("small/ballast-" + std::to_string(i));
}

void let_go(World& world, Slot&, Dice&) { world.release_held(); }

constexpr Act rows[] = {
    {"the daemon is frozen", 3, freeze_daemon},
    {"a crowd comes and goes", 3, crowd, [](const Flavour& flavour) { return flavour.descriptors.has_value(); }},
    {"the disk is filled", 2, fill_disk},
    {"connections are let go", 5, let_go},
};

}  // namespace

std::span<const Act> weather() { return rows; }

std::span<const Act> all_acts() {
  static const std::vector<Act> all = [] {
    std::vector<Act> acts;
    for (const auto family : {talking(), illnesses(), manners(), weather()})
      acts.insert(acts.end(), family.begin(), family.end());
    return acts;
  }();
  return all;
}

}  // namespace chaos
