// The one table of errors: the wire word, the HTTP status, the title and the CLI's exit code. Everything that turns an error
// into something a human or a program sees reads it from here.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/exit_codes.h"

namespace sa {

// X(enumerator and wire word, HTTP status, title, exit)
#define SA_ERROR_TABLE(X)                                           \
  X(invalid_request, 400, "Invalid request", usage)                 \
  X(unprocessable, 422, "Unprocessable content", usage)             \
  X(unsupported_agent, 400, "Unsupported agent", agent)             \
  X(token_missing, 401, "Token missing", token)                     \
  X(token_invalid, 401, "Token invalid", token)                     \
  X(forbidden, 403, "Forbidden", failure)                           \
  X(not_found, 404, "Not found", failure)                           \
  X(agent_not_installed, 404, "Agent not installed", agent)         \
  X(method_not_allowed, 405, "Method not allowed", failure)         \
  X(not_acceptable, 406, "Not acceptable", failure)                 \
  X(request_timeout, 408, "Request timeout", time_limit)            \
  X(conflict, 409, "Conflict", failure)                             \
  X(config_corrupt, 409, "Config file is corrupt", failure)         \
  X(removed, 410, "Removed", failure)                               \
  X(precondition_failed, 412, "Precondition failed", failure)       \
  X(payload_too_large, 413, "Payload too large", failure)           \
  X(uri_too_long, 414, "URI too long", failure)                     \
  X(unsupported_media_type, 415, "Unsupported media type", failure) \
  X(range_not_satisfiable, 416, "Range not satisfiable", failure)   \
  X(header_too_large, 431, "Request header too large", failure)     \
  X(install_failed, 500, "Install failed", agent)                   \
  X(internal, 500, "Internal error", failure)                       \
  X(agent_process_exited, 502, "Agent process exited", crashed)     \
  X(agent_spawn_failed, 502, "Agent could not be started", crashed) \
  X(agent_io_failed, 502, "Agent input or output failed", crashed)  \
  X(overloaded, 503, "Overloaded", failure)                         \
  X(timeout, 504, "Timeout", time_limit)                            \
  X(no_space, 507, "No space left", failure)

enum class ErrorCode : std::uint8_t {
#define SA_ENUMERATOR(name, status, title, exit) name,
  SA_ERROR_TABLE(SA_ENUMERATOR)
#undef SA_ENUMERATOR
};

struct ErrorRow {
  std::string_view word;
  int status;
  std::string_view title;
  Exit exit;
};

inline constexpr ErrorRow error_rows[] = {
#define SA_ROW(name, status, title, exit) {#name, status, title, Exit::exit},
    SA_ERROR_TABLE(SA_ROW)
#undef SA_ROW
};

constexpr const ErrorRow& error_row(ErrorCode code) { return error_rows[static_cast<std::size_t>(code)]; }

}  // namespace sa
