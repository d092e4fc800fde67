// The Prefer header field (RFC 7240). Pure function.
#pragma once

#include <string_view>

#include "http/request.h"

namespace sa {

// Whether the client prefers `preference`, such as "respond-async"; parameters of preferences are not looked at.
bool prefers(const Request& request, std::string_view preference);

}  // namespace sa
