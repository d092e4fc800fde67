// What --json prints when a command fails. A value and its shape.
#pragma once

#include "base/failure.h"
#include "base/shape.h"

namespace sa {

struct FailureWords {
  int exit_code = 1;
  std::optional<std::string> code;
  std::string what;
  std::optional<std::string> why;
  std::optional<std::string> what_to_do;
};

template <>
struct Shape<FailureWords> {
  using D = FailureWords;
  static constexpr std::string_view name = "FailureWords";
  static constexpr std::string_view help = "Why a command failed.";
  static constexpr std::tuple fields{
      Field{"exitCode", &D::exit_code, "The exit code."},
      Field{"code", &D::code, "The word of the API's error table, when it has one."},
      Field{"what", &D::what, "What failed."},
      Field{"why", &D::why, "The reason."},
      Field{"try", &D::what_to_do, "What to do."},
  };
};

struct FailureDocument {
  std::string type = "error";
  FailureWords error;
};

template <>
struct Shape<FailureDocument> {
  static constexpr std::string_view name = "Failure";
  static constexpr std::string_view help = "The last document of a command that fails.";
  static constexpr std::tuple fields{
      Field{"type", &FailureDocument::type, "Always 'error': among other lines it is told by this."},
      Field{"error", &FailureDocument::error, "What happened."},
  };
};

inline FailureWords failure_words(const Failure& failure) {
  const auto given = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  return {.exit_code = static_cast<int>(failure.exit),
          .code = given(failure.code),
          .what = failure.what,
          .why = given(failure.why),
          .what_to_do = given(failure.what_to_do)};
}

inline std::string failure_document(const Failure& failure) {
  return to_json(FailureDocument{.error = failure_words(failure)});
}

}  // namespace sa
