// --yes, --ask and --deny: how permission requests are answered.
#pragma once

#include "cli/invocation.h"
#include "cli/permission_desk.h"

namespace sa {

#define SA_PERMISSION_OPTIONS                                                \
  {"--yes", "-y", "", "allow whatever the agent asks permission for"},       \
      {"--ask", "", "", "ask on the terminal; this is what happens anyway"}, \
      {"--deny", "", "", "refuse whatever the agent asks permission for"}

// Failure: usage.
inline Outcome<PermissionRule> permission_rule(const Invocation& given) {
  const int chosen = given.has("--yes") + given.has("--ask") + given.has("--deny");
  if (chosen > 1) return failed({.exit = Exit::usage, .what = "give only one of --yes, --ask and --deny"});
  if (given.has("--yes")) return PermissionRule::allow;
  return given.has("--deny") ? PermissionRule::deny : PermissionRule::ask;
}

}  // namespace sa
