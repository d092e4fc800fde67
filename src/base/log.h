// One line per thing worth telling an operator, on stderr or a file. Used at the edges only: rooms return errors instead.
// Writing to a pipe never blocks the caller: when nobody reads our stderr, lines are dropped and the loss is said in the next
// line. Safe from any thread.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace sa::log {

enum class Level : std::uint8_t { debug, info, warn, error, off };

void set_level(Level level);
bool set_file(const char* path);  // false when it cannot be opened for appending
void write(Level level, std::string_view text);
bool enabled(Level level);

template <class... Args>
void line(Level level, fmt::format_string<Args...> format, Args&&... args) {
  if (enabled(level)) write(level, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::debug, format, std::forward<Args>(args)...);
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::info, format, std::forward<Args>(args)...);
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::warn, format, std::forward<Args>(args)...);
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  line(Level::error, format, std::forward<Args>(args)...);
}

// For what no part of the program can do without: says why, what to do, and ends the process with code 1.
[[noreturn]] void give_up(std::string_view why);

}  // namespace sa::log
