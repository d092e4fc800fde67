// The background daemon: one per user, and where machines or containers share the folder one in each. Whoever starts it takes
// the lock of <state>/daemon-<machine>.lock and hands the locked descriptor to the daemon, which keeps it: the lock is held
// exactly as long as the daemon lives, however it or its starter ends.
// Blocking; any thread.
#pragma once

#include <signal.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "daemon/server_state.h"

namespace sa {

// What to do when the default port is taken and nobody asked for a certain one.
enum class PortChoice : std::uint8_t { as_given, free_when_taken };

struct BackgroundStart {
  std::vector<std::string> setting_words;  // of `server`; relative paths among them start at our working directory
  Millis idle_exit{0};                     // 0: never; --idle-exit-ms among the words beats it
  Millis patience{10'000};                 // until it is ready
  PortChoice port = PortChoice::as_given;
  bool for_command = false;     // nobody asked for a daemon: one that somebody asks for may take its place
  std::uint16_t kept_port = 0;  // of a predecessor, so that its links go on working; when somebody took it: any
  std::string kept_token{};     // the one a predecessor had generated, for a daemon that is given none
  std::string program = own_binary();
  std::string folder = state_directory();
};

struct StartedServer {
  ServerState state;
  bool fresh = false;  // started now; else it ran already, and was left as it is
};

// The background daemon, started if there is none. Its environment is ours, its working directory home, its output goes to
// <state>/daemon.log. Failure: what the daemon said when it could not start (usage for wrong settings).
Outcome<StartedServer> start_background(const BackgroundStart& start);

// Asks a daemon to end unless it is in use: something runs there, or was asked for a moment ago.
inline constexpr int give_way_signal = SIGUSR1;

// Asks this very daemon to give way, and waits until it has ended. False when it is in use until `patience` is over.
Outcome<bool> make_give_way(const ServerState& daemon, Millis patience, const std::string& folder = state_directory());

// Asks it to end and waits until it has; kills it when `patience` is over, and the time it needs for its agents. False when
// none ran.
Outcome<bool> stop_background(Millis patience, const std::string& folder = state_directory());

// For the daemon at its start: the token its starter wants it to go on with, once. Empty when it is to make one. It has no
// other way to get a secret that is not its environment's; nobody reads the file later.
std::string kept_token_file(const std::string& folder = state_directory());
std::string take_kept_token(const std::string& folder = state_directory());

// Where it writes what it has to say.
std::string background_log(const std::string& folder = state_directory());
// <state>/daemon-<machine>.pid: for people and scripts; written by the starter, unlinked at the daemon's orderly end.
std::string background_pid_file(const std::string& folder = state_directory());

}  // namespace sa
