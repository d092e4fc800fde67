// Who is still alive: processes found by the marker in their environment, which every descendant of a daemon under test
// inherits, wherever it hides. Reads /proc; no state.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "deadline.h"

namespace rig {

// Random, so that two runs on one machine never count each other.
std::string fresh_mark();

// All processes carrying FAKE_AGENT_MARK=<mark>, the daemon and its supervisors included. One look can miss a process that
// forks and leaves all the time, so that nobody is left is said only after several looks.
std::vector<pid_t> marked_processes(const std::string& mark);
// Those of them that run the fake agent: an agent or something it made.
std::vector<pid_t> marked_agents(const std::string& mark);
bool runs_fake_agent(pid_t pid);

bool no_agents_within(const std::string& mark, milliseconds deadline);
void kill_marked(const std::string& mark);

// Processes whose parent is `parent`, zombies included.
std::vector<pid_t> children_of(pid_t parent);
// Those below `ancestor`, of any generation.
std::vector<pid_t> descendants_of(pid_t ancestor);
pid_t parent_of(pid_t pid);
bool alive(pid_t pid);
bool stopped(pid_t pid);  // by SIGSTOP or its like
std::string describe(const std::vector<pid_t>& pids);

// A process that was seen. Its number may be another's by now; lives() knows.
struct Sighting {
  pid_t pid = 0;
  std::uint64_t born = 0;  // in ticks since the machine started
};
Sighting sighting_of(pid_t pid);
bool lives(const Sighting& seen);

}  // namespace rig
