// How agents and their supervisors go wrong.
#include <signal.h>

#include "support/survivors.h"
#include "world.h"

namespace chaos {
namespace {

using namespace rig;

void crash(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static constexpr std::string_view ends[] = {R"("code":0)", R"("code":7)", R"("signal":9)", R"("signal":11,"stderr":"oh")"};
  const auto words = R"(,"updates":)" + std::to_string(dice.between(0, 200));
  world.call(slot, "crash", "{" + std::string(dice.pick(ends)) + words + (dice.one_in(2) ? R"(,"answer":true})" : "}"));
  slot.is_dead = true;
}

void kill_agent(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || slot.is_dead) return;
  ::kill(slot.agent, SIGKILL);
  slot.is_dead = true;
}

void kill_supervisor(World& world, Slot& slot, Dice&) {
  if (!world.ensure(slot) || slot.is_dead || !alive(slot.agent)) return;
  const pid_t supervisor = parent_of(slot.agent);
  if (supervisor <= 1 || supervisor == world.daemon.pid()) return;
  ::kill(supervisor, SIGKILL);
  slot.is_dead = true;
}

void fall_ill(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  static constexpr std::string_view ways[] = {"silent", "deaf", "never", "close_stdin", "close_stdout"};
  world.call(slot, dice.pick(ways));
}

// More than a pipe takes, to an agent that may not be reading.
void press(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
  for (std::uint64_t times = dice.between(1, 8); times > 0; --times)
    world.call(slot, "echo", R"({"text":")" + std::string(dice.between(50'000, 400'000), 'p') + "\"}");
}

void nonsense(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot)) return;
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
  world.call(slot, "tree", R"({"count":20,"kind":")" + std::string(kind) + "\"}");
  if (kind == "child_gone") slot.is_dead = true;
}

void freeze(World& world, Slot& slot, Dice& dice) {
  if (!world.ensure(slot) || slot.is_dead || !alive(slot.agent)) return;
  const pid_t supervisor = parent_of(slot.agent);
  const bool is_agent = supervisor <= 1 || supervisor == world.daemon.pid() || !dice.one_in(4);
  world.stopped.push_back(is_agent ? slot.agent : supervisor);
  ::kill(world.stopped.back(), SIGSTOP);
}

void thaw(World& world, Slot&, Dice&) {
  for (const pid_t pid : world.stopped) ::kill(pid, SIGCONT);
  world.stopped.clear();
}

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
