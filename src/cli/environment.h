// The process's environment, as the settings table wants it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace sa {

inline std::optional<std::string> from_environment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

inline bool is_set(std::string_view name) { return !from_environment(name).value_or("").empty(); }

}  // namespace sa
