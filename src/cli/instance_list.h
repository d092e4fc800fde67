// The instances of a daemon. Blocking.
#pragma once

#include "api/acp_documents.h"
#include "cli/invocation.h"
#include "client/server_address.h"

namespace sa {

Outcome<ServerList> list_instances(const ServerAddress& server);

// By its id, or the beginning of one. Failure: one that names those that exist.
Outcome<ServerDocument> find_instance(const ServerAddress& server, const std::string& id);

// The argument that names one.
inline constexpr Argument instance_argument{"ID", "an instance, as 'ps' lists it; its first letters will do",
                                            Argument::Count::one, Completes::instance};

}  // namespace sa
