// The supervisor: our own binary, re-executed once per agent, single-threaded, without a heap to speak of.
// It is a child subreaper, so every orphan of its agent lands on it and ending an instance can end exactly its tree, also
// what left the process group or the session. When the daemon dies (EOF on the control socket) it takes the tree along.
#pragma once

namespace sa {

inline constexpr char supervisor_command[] = "supervise";

// argv: <binary> supervise --nofile=SOFT:HARD --grace-ms=N --on-daemon-loss=kill|keep -- program arguments…
// The environment and working directory it was started with are the agent's.
int run_supervisor(int argc, char** argv);

}  // namespace sa
