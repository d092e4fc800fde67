// Why a command did not succeed, as people are told: what failed, why, what to do, and the exit code. A value.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/exit_codes.h"
#include "base/result.h"

namespace sa {

struct [[nodiscard]] Failure {
  Exit exit = Exit::failure;
  std::string what;
  std::string why{};
  std::string what_to_do{};  // usually a command line; may stay empty, as `why` may
  std::string code{};        // of the error table, when it comes from there
  std::string more{};        // the cause in full, for --verbose: lines
};

template <class T>
using Outcome = std::expected<T, Failure>;

inline std::unexpected<Failure> failed(Failure failure) { return std::unexpected(std::move(failure)); }

// An error of a room: its sentence, and the exit code of its row.
Failure failure_of(const Error& error);

}  // namespace sa
