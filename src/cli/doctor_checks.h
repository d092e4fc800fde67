// What `doctor` looks at, one check per question. Nothing is changed and nothing is downloaded; no text holds a secret. The
// checks of the machine block for a moment; those of agents are coroutines on the loop of their tools.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agents/catalog.h"
#include "agents/credentials.h"
#include "agents/surroundings.h"
#include "base/clock.h"
#include "base/settings.h"
#include "base/shape.h"
#include "base/stop_flag.h"
#include "io/platform.h"
#include "io/processes.h"
#include "io/worker_pool.h"

namespace sa {

enum class CheckState : std::uint8_t { fine, warning, bad };
template <>
struct Words<CheckState> {
  static constexpr std::string_view all[] = {"ok", "warning", "error"};
};

struct Check {
  std::string name;
  CheckState state = CheckState::fine;
  std::string text;
  std::optional<std::string> fix{};
};

template <>
struct Shape<Check> {
  using E = Check;
  static constexpr std::string_view name = "Check";
  static constexpr std::string_view help = "One thing that was looked at.";
  static constexpr std::tuple fields{
      Field{"name", &E::name, "What was looked at."},
      Field{"state", &E::state, "How it is."},
      Field{"text", &E::text, "What was found, in a sentence."},
      Field{"fix", &E::fix, "What to do about it."},
  };
};

// --- the machine ---

Check check_binary();                                // version, libc
Check check_data_folder(const std::string& folder);  // may be written to
Check check_free_space(const std::string& folder);   // of the disk it is on
Check judge_space(std::uint64_t free_bytes, const std::string& folder);
// Free, or ours. Another one will do, unless a variable demands this one.
Check check_port(std::uint16_t port, bool is_demanded = false);
Check check_state_files(const std::string& folder);  // for nobody else to read
Check check_proxy(const Environment& environment);   // which variables are set, without what they hold
Check check_inotify(const Platform& platform, const std::string& limits = "/proc/sys/fs/inotify");
Check check_pty();
Check check_cgroup(const Platform& platform);
Check check_landlock();
Check check_openat2(const Platform& platform);

// All of the above, in this order, for this user's folders.
std::vector<Check> check_machine(std::uint16_t port, const Environment& environment);

// Whether an address can be reached at all: any answer will do. Blocks for 2 s at most; only when somebody asks for it.
Check reach(const std::string& url);

// --- agents ---

// What checks of agents work with; borrowed.
struct DoctorTools {
  Loop& loop;
  Processes& processes;
  WorkerPool& pool;
  const Catalog& catalog;
  const Store& store;
  const Surroundings& surroundings;
  const StopFlag* stop = nullptr;  // becomes true: what is under way ends soon
};

// Node.js, with its version, and npm on the PATH agents get. A warning when one is missing that an agent not installed yet
// would need.
Task<Check> check_node(DoctorTools& tools);
Task<Check> check_npm(DoctorTools& tools);

struct AgentReport {
  std::string agent;
  std::string name;
  bool installed = false;
  std::optional<std::string> version;
  CredentialStatus credentials = CredentialStatus::unknown;
  std::optional<std::string> credentials_place;
  Check check;  // whether it answers
};

template <>
struct Shape<AgentReport> {
  using E = AgentReport;
  static constexpr std::string_view name = "AgentReport";
  static constexpr std::string_view help = "One agent: what is there of it, and whether it answers.";
  static constexpr std::tuple fields{
      Field{"agent", &E::agent, "Its id."},
      Field{"name", &E::name, "As people read it."},
      Field{"installed", &E::installed, "Whether it can be started."},
      Field{"version", &E::version, "Of the program that speaks ACP, where known."},
      Field{"credentials", &E::credentials, "Whether credentials were found."},
      Field{"credentialsPlace", &E::credentials_place, "The variable or file that has them."},
      Field{"check", &E::check, "Whether it answers."},
  };
};

// Starts an installed agent, asks initialize, and ends it. One that is not installed is fine, unless there is a key for it.
Task<Check> check_agent(DoctorTools& tools, AgentPtr agent, Millis limit);

// Every agent of the catalog, in its order; installed ones are asked at the same time, so that all of it takes little longer
// than `limit`.
inline constexpr Millis agent_check_limit{2'500};
Task<std::vector<AgentReport>> check_agents(DoctorTools& tools, Millis limit = agent_check_limit);

// Both programs and every agent, all at the same time.
struct AgentChecks {
  Check node;
  Check npm;
  std::vector<AgentReport> agents;
};
Task<AgentChecks> check_programs_and_agents(DoctorTools& tools, Millis limit = agent_check_limit);

}  // namespace sa
