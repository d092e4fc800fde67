// Which daemon a command talks to: --endpoint, SANDBOX_AGENT_URL, else the one that runs on this machine; and with which token.
// Blocking, a few files.
#pragma once

#include "cli/invocation.h"
#include "client/server_address.h"
#include "daemon/server_state.h"

namespace sa {

struct ChosenServer {
  ServerAddress address;
  std::optional<ServerState> local{};  // when it was found on this machine
};

// Failure: unreachable when none is named and none runs, token, usage.
Outcome<ChosenServer> choose_server(Invocation& given);

// The one of this machine when none is named, by the rule of local_server(). Where several run, a line says which it is.
Outcome<ServerState> choose_local(Console& console, std::string_view how_to_name_another = {});

// Whether a daemon is named, so that none may be started instead.
bool names_server(const Invocation& given);

}  // namespace sa
