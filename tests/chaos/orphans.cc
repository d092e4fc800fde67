#include "orphans.h"

namespace chaos {
namespace {

using namespace rig;

constexpr milliseconds between_looks{400};
constexpr milliseconds long_enough{5000};  // the daemon itself may stand still for a while

}  // namespace

std::vector<std::string> Orphans::look(pid_t daemon) {
  if (since(looked_) < between_looks) return {};
  looked_ = Clock::now();
  std::vector<std::string> wrong;
  std::map<pid_t, Clock::time_point> seen;
  for (const pid_t pid : children_of(daemon)) {
    if (alive(pid) && !runs_fake_agent(pid)) continue;  // a supervisor
    const auto before = since_.find(pid);
    seen[pid] = before == since_.end() ? looked_ : before->second;
    if (since(seen[pid]) > scaled(long_enough))
      wrong.push_back(std::to_string(pid) + (alive(pid) ? " was left to the daemon and lives" : " is dead and not reaped"));
  }
  since_.swap(seen);
  return wrong;
}

}  // namespace chaos
