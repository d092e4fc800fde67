// The one table of errors: the wire word, the HTTP status, the title and the CLI's exit code. Everything that turns an error
// into something a human or a program sees reads it from here.
#pragma once

#include <cstdint>
#include <string_view>

namespace sa {

// X(enumerator and wire word, HTTP status, title, exit code)
#define SA_ERROR_TABLE(X)                                     \
  X(invalid_request, 400, "Invalid request", 2)               \
  X(unprocessable, 422, "Unprocessable content", 2)           \
  X(unsupported_agent, 400, "Unsupported agent", 5)           \
  X(token_missing, 401, "Token missing", 4)                   \
  X(token_invalid, 401, "Token invalid", 4)                   \
  X(forbidden, 403, "Forbidden", 1)                           \
  X(not_found, 404, "Not found", 1)                           \
  X(agent_not_installed, 404, "Agent not installed", 5)       \
  X(method_not_allowed, 405, "Method not allowed", 1)         \
  X(not_acceptable, 406, "Not acceptable", 1)                 \
  X(request_timeout, 408, "Request timeout", 8)               \
  X(conflict, 409, "Conflict", 1)                             \
  X(config_corrupt, 409, "Config file is corrupt", 1)         \
  X(removed, 410, "Removed", 1)                               \
  X(precondition_failed, 412, "Precondition failed", 1)       \
  X(payload_too_large, 413, "Payload too large", 1)           \
  X(uri_too_long, 414, "URI too long", 1)                     \
  X(unsupported_media_type, 415, "Unsupported media type", 1) \
  X(range_not_satisfiable, 416, "Range not satisfiable", 1)   \
  X(header_too_large, 431, "Request header too large", 1)     \
  X(install_failed, 500, "Install failed", 5)                 \
  X(internal, 500, "Internal error", 1)                       \
  X(agent_process_exited, 502, "Agent process exited", 6)     \
  X(agent_spawn_failed, 502, "Agent could not be started", 6) \
  X(agent_io_failed, 502, "Agent input or output failed", 6)  \
  X(overloaded, 503, "Overloaded", 1)                         \
  X(timeout, 504, "Timeout", 8)                               \
  X(no_space, 507, "No space left", 1)

enum class ErrorCode : std::uint8_t {
#define SA_ENUMERATOR(name, status, title, exit_code) name,
  SA_ERROR_TABLE(SA_ENUMERATOR)
#undef SA_ENUMERATOR
};

struct ErrorRow {
  std::string_view word;
  int status;
  std::string_view title;
  int exit_code;
};

inline constexpr ErrorRow error_rows[] = {
#define SA_ROW(name, status, title, exit_code) {#name, status, title, exit_code},
    SA_ERROR_TABLE(SA_ROW)
#undef SA_ROW
};

constexpr const ErrorRow& error_row(ErrorCode code) { return error_rows[static_cast<std::size_t>(code)]; }

}  // namespace sa
