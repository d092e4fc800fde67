// Which servers of this user run on this machine: each keeps one file, server-<port>.json, for this user only, under the state
// folder, from the moment it listens until its orderly end. Files of servers that are no more are unlinked by whoever meets
// them. Writing a file, and unlinking that of another, happen under the folder's lock; a server drops its own without: as long
// as that is there and its server lives, nobody takes its name. Blocking; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.h"
#include "base/settings.h"
#include "base/shape.h"
#include "client/server_address.h"
#include "daemon/places.h"
#include "daemon/token.h"

namespace sa {

struct ServerState {
  std::string url;
  std::int64_t pid = 0;
  std::string machine;            // its name
  std::string world;              // in which the pid counts: a boot of the machine and a namespace of processes
  std::uint64_t start_ticks = 0;  // of that process: a pid alone may belong to another one by now
  std::string version;
  std::int64_t started_at_ms = 0;
  bool background = false;
  bool for_command = false;               // started because a command needed one
  std::optional<std::string> token;       // only one that was generated; a user's own is never stored
  std::optional<std::string> token_file;  // absolute
  bool no_token = false;
  std::vector<std::string> agents;  // as --agent gave them
  std::int64_t idle_exit_ms = 0;    // 0: none
  std::int64_t stop_grace_ms = 0;   // what it grants its agents at its end
};

template <>
struct Shape<ServerState> {
  using S = ServerState;
  static constexpr std::string_view name = "ServerState";
  static constexpr std::string_view help = "A server that runs on this machine.";
  static constexpr bool absent_is_default = true;  // other versions know other members
  static constexpr std::tuple fields{
      Field{"url", &S::url, "Where it listens."},
      Field{"pid", &S::pid, "Its process id."},
      Field{"machine", &S::machine, "The machine, or the container, by its name."},
      Field{"world", &S::world, "Where that id counts: the boot and the namespace of processes."},
      Field{"startTicks", &S::start_ticks, "When that process started, in clock ticks since boot."},
      Field{"version", &S::version, "Its version."},
      Field{"startedAtMs", &S::started_at_ms, "When it started to listen, in milliseconds since 1970."},
      Field{"background", &S::background, "Whether it is the background daemon."},
      Field{"forCommand", &S::for_command, "Whether it was started because a command needed one."},
      Field{"token", &S::token, "Its token, when it was generated."},
      Field{"tokenFile", &S::token_file, "The file that holds its token."},
      Field{"noToken", &S::no_token, "Whether it lets everybody in."},
      Field{"agents", &S::agents, "Agents it was given by command line."},
      Field{"idleExitMs", &S::idle_exit_ms, "How long it stays when nobody uses it; 0 for ever."},
      Field{"stopGraceMs", &S::stop_grace_ms, "How long agents have to end after SIGTERM."},
  };
};

// The folder and those above it, for this user only. Error: internal with the reason.
Result<void> make_state_folder(const std::string& folder);

// This process, as it listens now.
ServerState own_state(const Settings& settings, const Token& token, const std::string& url);

// Writes the file and tells its path. Another server that has it and may be running, on the same port of another address or of
// another machine or container that shares the folder, keeps it: then ours has our pid and our world in its name. Error:
// internal with the reason.
Result<std::string> store_state(const ServerState& state, const std::string& folder = state_directory());
// Unlinks our own file; one that another server has taken over stays.
void drop_state(const std::string& path);

// Whether the process lives. Needs nothing of a state but what tells the process.
bool is_process_running(const ServerState& state);
// Waits for its end, at the latest until the deadline. Blocking. Who is killed takes no connections some milliseconds before.
bool is_gone_by(const ServerState& state, TimePoint deadline);
// Whether the process that wrote it lives.
bool is_running(const ServerState& state);

// Those that run, oldest first. States of those that are no more are unlinked; what cannot be read, or is of another machine or
// container that shares the folder, stays.
std::vector<ServerState> known_servers(const std::string& folder = state_directory());
std::optional<ServerState> background_server(const std::string& folder = state_directory());
// The one to talk to: the background daemon, else the only one, else that on the default port, else the newest.
// Failure: unreachable when none runs.
Outcome<ServerState> local_server(const std::string& folder = state_directory());

// How to reach it: with its generated token, that of its token file, or SANDBOX_AGENT_TOKEN. Failure: token.
Outcome<ServerAddress> address_of(const ServerState& state);

}  // namespace sa
