// What a command's exit code means. The one list: the error table, the commands and the reference page name them from here.
#pragma once

#include <string_view>

namespace sa {

// X(enumerator, code, meaning)
#define SA_EXIT_TABLE(X)                                                       \
  X(success, 0, "success; a turn ended normally")                              \
  X(failure, 1, "another failure")                                             \
  X(usage, 2, "wrong usage")                                                   \
  X(unreachable, 3, "the daemon is not reachable; 'daemon status': none runs") \
  X(token, 4, "the token is missing or wrong")                                 \
  X(agent, 5, "the agent is unknown, or its install failed")                   \
  X(crashed, 6, "the agent crashed or broke the protocol")                     \
  X(permission, 7, "a permission was denied, or there was nobody to ask")      \
  X(time_limit, 8, "the time limit is over")                                   \
  X(authentication, 9, "the agent asks for authentication, or has no key")     \
  X(refused, 10, "the turn was refused, or met a token limit")                 \
  X(interrupted, 130, "interrupted")                                           \
  X(quit, 131, "ended by SIGQUIT (Ctrl-Backslash)")

enum class Exit : int {
#define SA_ENUMERATOR(name, code, meaning) name = code,
  SA_EXIT_TABLE(SA_ENUMERATOR)
#undef SA_ENUMERATOR
};

struct ExitRow {
  Exit exit;
  std::string_view meaning;
};

inline constexpr ExitRow exit_rows[] = {
#define SA_ROW(name, code, meaning) {Exit::name, meaning},
    SA_EXIT_TABLE(SA_ROW)
#undef SA_ROW
};

}  // namespace sa
