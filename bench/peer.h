// Another server of the same contract and the daemon, side by side: the same words on the command line, the same environment,
// the same agent in the same place, the same requests.
#pragma once

#include "measures.h"
#include "servers.h"

namespace bench {

class Contest {
 public:
  explicit Contest(const Setup& setup);

  Server start_daemon() const { return start(daemon_, {}); }
  Server start_peer() const { return start(peer_, {}); }
  // As it comes it notes every request in a file; the daemon does not.
  Server start_peer_without_log() const { return start(peer_, {"RUST_LOG=error"}); }

  const std::string& daemon() const { return daemon_; }
  const std::string& peer() const { return peer_; }

 private:
  Server start(const std::string& program, std::vector<std::string> environment) const;

  const std::string& daemon_;
  const std::string& peer_;
  std::string data_;  // what XDG_DATA_HOME and HOME say
};

// The agent that both find there is the echo agent.
inline std::string contest_target(std::string_view id) { return "/v1/acp/" + std::string(id) + "?agent=mock"; }
void start_contest_instance(const Server& server, std::string_view id);

}  // namespace bench
