// The daemon a command works with, started when there is none. Blocking.
#pragma once

#include "cli/server_choice.h"
#include "daemon/background.h"

namespace sa {

inline constexpr Millis default_idle_exit{10 * 60 * 1'000};
inline constexpr Millis health_patience{2'000};  // for a daemon to say that it is there

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

// What a daemon that takes another's place goes on with, so that open links and pages stay good.
struct Inheritance {
  bool token = true;
  bool port = true;
};

// Whether it was started for a command, and so gives way to another when it is not in use.
bool may_be_replaced(const ServerState& daemon);

// A background daemon that was started for a command and is not in use, ended, and `wish` started in its place with our
// environment and its agents besides; it comes back when that cannot be started. Nothing when it is in use, or not such a one.
// Not fresh when somebody else was quicker: then look again at what that one is. The address has a token it takes.
Outcome<std::optional<StartedServer>> replace_idle(const ServerAddress& address, const ServerState& former,
                                                   BackgroundStart wish, Inheritance inherits = {});

// The same for the commands that start a daemon when they need one; with these agents too. The caller says that it was, and
// why.
Outcome<std::optional<UsedServer>> start_anew(Invocation& given, const UsedServer& server,
                                              const std::vector<std::string>& agents = {});

}  // namespace sa
