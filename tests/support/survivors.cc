#include "survivors.h"

#include <signal.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "process.h"

namespace rig {
namespace {

template <typename Visit>
void each_process(Visit visit) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc() && end == name.data() + name.size()) visit(pid);
  }
}

std::string proc_file(pid_t pid, const char* name) { return read_file("/proc/" + std::to_string(pid) + "/" + name); }

struct Stat {
  char state = 'X';
  pid_t parent = 0;
  std::uint64_t born = 0;
};

// What follows the command name, which is in parentheses.
Stat stat_of(pid_t pid) {
  constexpr int fields_between = 17;  // the parent and the start
  const auto stat = proc_file(pid, "stat");
  const auto close = stat.rfind(") ");
  if (close == std::string::npos) return {};
  Stat seen;
  std::istringstream fields(stat.substr(close + 2));
  fields >> seen.state >> seen.parent;
  std::string skipped;
  for (int i = 0; i < fields_between; ++i) fields >> skipped;
  fields >> seen.born;
  return fields ? seen : Stat{};
}

bool is_alive(const Stat& seen) { return seen.state != 'X' && seen.state != 'Z'; }

// Looks for marked processes again and again. What turned out to be somebody else's or dead is not read twice, so all looks but
// the first are quick enough to catch a process that lives for milliseconds.
class Lookout {
 public:
  explicit Lookout(const std::string& mark) : wanted_("FAKE_AGENT_MARK=" + mark) {}

  template <typename Visit>
  void look(Visit visit) {
    each_process([&](pid_t pid) {
      if (others_.contains(pid)) return;
      const auto environment = proc_file(pid, "environ");
      if (environment.find(wanted_) != std::string::npos) {
        visit(pid);
      } else if (!environment.empty() || !alive(pid) || parent_of(pid) == kernel_threads) {
        others_.insert(pid);
      }
    });
  }

 private:
  static constexpr pid_t kernel_threads = 2;
  std::string wanted_;
  std::set<pid_t> others_;
};

}  // namespace

std::string fresh_mark() {
  static std::random_device random;
  return "mark" + std::to_string(random()) + std::to_string(random());
}

std::vector<pid_t> marked_processes(const std::string& mark) {
  Lookout lookout(mark);
  std::vector<pid_t> found;
  for (int i = 0; i < 6 && found.empty(); ++i) {
    if (i > 0) std::this_thread::sleep_for(milliseconds(2));
    lookout.look([&](pid_t pid) { found.push_back(pid); });
  }
  return found;
}

bool runs_fake_agent(pid_t pid) {
  const auto command = proc_file(pid, "cmdline");
  const auto program = command.substr(0, command.find('\0'));
  return program.ends_with("fake_agent");
}

std::vector<pid_t> marked_agents(const std::string& mark) {
  auto found = marked_processes(mark);
  std::erase_if(found, [](pid_t pid) { return !runs_fake_agent(pid); });
  return found;
}

bool no_agents_within(const std::string& mark, milliseconds deadline) {
  return eventually([&] { return marked_agents(mark).empty(); }, deadline);
}

void kill_marked(const std::string& mark) {
  Lookout lookout(mark);
  int empty_looks = 0;
  eventually(
      [&] {
        bool found = false;
        lookout.look([&](pid_t pid) {
          kill(pid, SIGKILL);
          found = true;
        });
        empty_looks = found ? 0 : empty_looks + 1;
        return empty_looks >= 6;
      },
      milliseconds(10000));
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  each_process([&](pid_t pid) {
    if (parent_of(pid) == parent) found.push_back(pid);
  });
  return found;
}

std::vector<pid_t> descendants_of(pid_t ancestor) {
  std::multimap<pid_t, pid_t> children;
  each_process([&](pid_t pid) { children.emplace(parent_of(pid), pid); });
  std::vector<pid_t> found{ancestor};
  for (std::size_t at = 0; at < found.size(); ++at) {
    const auto [begin, end] = children.equal_range(found[at]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

pid_t parent_of(pid_t pid) { return stat_of(pid).parent; }

bool alive(pid_t pid) { return is_alive(stat_of(pid)); }

bool stopped(pid_t pid) { return stat_of(pid).state == 'T'; }

Sighting sighting_of(pid_t pid) { return {.pid = pid, .born = stat_of(pid).born}; }

bool lives(const Sighting& seen) {
  const auto now = stat_of(seen.pid);
  return is_alive(now) && now.born == seen.born;
}

std::string describe(const std::vector<pid_t>& pids) {
  std::string out;
  for (const pid_t pid : pids) {
    auto command = proc_file(pid, "cmdline");
    std::replace(command.begin(), command.end(), '\0', ' ');
    out += std::to_string(pid) + " [" + command + "] ";
  }
  return out;
}

}  // namespace rig
