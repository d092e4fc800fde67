// The background daemon: one per user. Whoever starts it takes the lock of <state>/daemon.lock and hands the locked descriptor
// to the daemon, which keeps it: the lock is held exactly as long as the daemon lives, however it or its starter ends.
// Blocking; any thread.
#pragma once

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

// Asks it to end and waits until it has; kills it when `patience` is over. False when none ran.
Outcome<bool> stop_background(Millis patience, const std::string& folder = state_directory());

// Where it writes what it has to say.
std::string background_log(const std::string& folder = state_directory());
// <state>/daemon.pid: for people and scripts; written by the starter, unlinked at the daemon's orderly end.
std::string background_pid_file(const std::string& folder = state_directory());

}  // namespace sa
