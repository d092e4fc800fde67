// The daemon a command works with, started when there is none. Blocking.
#pragma once

#include "cli/server_choice.h"
#include "daemon/background.h"

namespace sa {

inline constexpr Millis default_idle_exit{10 * 60 * 1'000};

// "--idle-exit SECONDS", for the commands that start a daemon.
inline constexpr Option idle_exit_option{"--idle-exit", "", "SECONDS",
                                         "a daemon started for this ends when unused for so long; 0: never [600]"};
// An option's number of seconds, or what holds without it. Failure: usage.
Outcome<Millis> seconds_of(const Invocation& given, std::string_view option, Millis otherwise);

struct UsedServer {
  ServerAddress address;
  std::optional<ServerState> local;  // a daemon of this machine
  bool fresh = false;                // it was started for this command
};

// The one that is named, or runs, else a new one in the background with these further agents ("id=command line").
Outcome<UsedServer> use_server(Invocation& given, const std::vector<std::string>& agents = {});

// A background daemon without instances, ended and started again with our environment and these agents besides its own. Nothing
// when it is busy or not one that was started for a command. The caller says that it was, and why.
Outcome<std::optional<UsedServer>> start_anew(Invocation& given, const UsedServer& server,
                                              const std::vector<std::string>& agents = {});

// The inspector's link; with the token, so that a click is enough.
std::string link_to(const ServerAddress& server);

}  // namespace sa
