// How agents and their supervisors go wrong.
#include <signal.h>

#include "world.h"

namespace chaos {
namespace {

using namespace rig;

void crash(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static constexpr std::string_view ends[] = {R"("code":0)", R"("code":7)", R"("signal":9)", R"("signal":11,"stderr":"oh")"};
  world.harm(slot);
  const auto words = R"(,"updates":)" + std::to_string(dice.one_in(2) ? dice.between(0, 200) : dice.between(1000, 5000));
  world.call(slot, "crash", "{" + std::string(dice.pick(ends)) + words + (dice.one_in(2) ? R"(,"answer":true})" : "}"));
  slot.is_dead = true;
}

void kill_agent(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || slot.is_dead || !lives(slot.agent)) return;
  world.harm(slot);
  ::kill(slot.agent.pid, SIGKILL);
  slot.is_dead = true;
}

void kill_supervisor(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || slot.is_dead || !lives(slot.supervisor)) return;
  world.harm(slot);
  ::kill(slot.supervisor.pid, SIGKILL);
  slot.is_dead = true;
}

void fall_ill(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  world.harm(slot);
  static constexpr std::string_view ways[] = {"silent", "deaf", "never", "close_stdin", "close_stdout"};
  world.call(slot, dice.pick(ways));
}

// More than a pipe takes, to an agent that may not be reading.
void press(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  if (world.flavour.small_memory) world.harm(slot);  // there may be no room
  for (std::uint64_t times = dice.between(1, 8); times > 0; --times)
    world.call(slot, "echo", R"({"text":")" + std::string(dice.between(50'000, 400'000), 'p') + "\"}");
}

void nonsense(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  world.harm(slot);
  if (dice.one_in(4)) return world.call(slot, "giant", R"({"bytes":2000000,"newline":true})");
  world.call(slot, "malformed");
}

void grumble(World& world, Slot& slot, Dice&) {
  if (world.ensure(slot)) world.call(slot, "stderr", R"({"bytes":500000})");
}

void grow_tree(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static constexpr std::string_view kinds[] = {"same_group",   "own_group",  "setsid", "double_fork",
                                               "ignores_term", "child_gone", "storm"};
  const auto kind = dice.pick(kinds);
  if (kind == "child_gone") world.harm(slot);
  world.call(slot, "tree", R"({"count":20,"kind":")" + std::string(kind) + "\"}");
  if (kind == "child_gone") slot.is_dead = true;
}

void freeze(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot) || slot.is_dead || !lives(slot.agent) || !lives(slot.supervisor)) return;
  world.stopped.push_back(dice.one_in(4) ? slot.supervisor : slot.agent);
  ::kill(world.stopped.back().pid, SIGSTOP);
}

void thaw(World& world, Slot&, Dice&) { world.thaw(); }

constexpr Act rows[] = {
    {"the agent crashes", 3, crash},
    {"the agent is killed", 2, kill_agent},
    {"the supervisor is killed", 2, kill_supervisor},
    {"the agent falls ill", 3, fall_ill},
    {"much is sent to the agent", 2, press},
    {"the agent talks nonsense", 2, nonsense},
    {"the agent grumbles", 2, grumble},
    {"the agent grows a tree", 4, grow_tree},
    {"somebody is frozen", 4, freeze},
    {"all are thawed", 6, thaw},
};

}  // namespace

std::span<const Act> illnesses() { return rows; }

}  // namespace chaos
