// A TCP connection to a host by its name or address, made within the patience of a fetch. Blocks. Addresses and
// localhost need no look-up.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "base/unique_fd.h"
#include "io/fetch_patience.h"

namespace sa {

// A non-blocking socket, close-on-exec. All addresses of the host are tried in turn; the time is shared among them.
std::expected<UniqueFd, FetchError> connect_socket(const std::string& host, std::uint16_t port, const FetchPatience& patience);

}  // namespace sa
