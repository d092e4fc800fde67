// Errors are values. A function that can fail returns Result<T>; the code is the wire word, the detail one sentence that says
// what to do, the extras are what a program may want beside it.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error_codes.h"

namespace sa {

// A named extra of a problem document. `json` is a complete JSON value, already encoded.
struct ErrorExtra {
  std::string name;
  std::string json;
};

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::internal;
  std::string detail;
  std::vector<ErrorExtra> extras;
  bool logged = false;  // where it happened, so not once more for each who gets it

  Error with_text(std::string name, std::string_view value) &&;
  Error with_number(std::string name, long long value) &&;
  Error with_json(std::string name, std::string json) &&;

  std::string extra(std::string_view name) const;  // its JSON; empty when there is none
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string detail) {
  return std::unexpected(Error{code, std::move(detail), {}});
}
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

// errno as "No such file or directory (ENOENT)"; the one funnel from errno to words.
std::string errno_text(int error_number);

}  // namespace sa

#define SA_CONCAT_(a, b) a##b
#define SA_CONCAT(a, b) SA_CONCAT_(a, b)

// CO_TRY(auto value, expression): unwraps a Result inside a coroutine or co_returns its error.
#define CO_TRY(declaration, expression)                                                                    \
  auto SA_CONCAT(try_, __LINE__) = (expression);                                                           \
  if (!SA_CONCAT(try_, __LINE__)) co_return std::unexpected(std::move(SA_CONCAT(try_, __LINE__)).error()); \
  declaration = std::move(*SA_CONCAT(try_, __LINE__))

// TRY(auto value, expression): the same for ordinary functions.
#define TRY(declaration, expression)                                                                    \
  auto SA_CONCAT(try_, __LINE__) = (expression);                                                        \
  if (!SA_CONCAT(try_, __LINE__)) return std::unexpected(std::move(SA_CONCAT(try_, __LINE__)).error()); \
  declaration = std::move(*SA_CONCAT(try_, __LINE__))

// TRY_VOID(expression), CO_TRY_VOID(expression): the same for what gives no value.
#define CO_TRY_VOID(expression)                                                  \
  if (auto SA_CONCAT(try_, __LINE__) = (expression); !SA_CONCAT(try_, __LINE__)) \
  co_return std::unexpected(std::move(SA_CONCAT(try_, __LINE__)).error())

#define TRY_VOID(expression)                                                     \
  if (auto SA_CONCAT(try_, __LINE__) = (expression); !SA_CONCAT(try_, __LINE__)) \
  return std::unexpected(std::move(SA_CONCAT(try_, __LINE__)).error())
