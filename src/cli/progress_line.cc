#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

namespace sa {
namespace {

constexpr const char* clear_line = "\r\x1b[K";
constexpr double mega = 1e6;

std::string words(const InstallProgress& progress) {
  if (!progress.bytes || !progress.total || *progress.total == 0)
    return progress.phase + (progress.bytes ? " " + size_text(*progress.bytes) : "");
  const double share = 100.0 * static_cast<double>(*progress.bytes) / static_cast<double>(*progress.total);
  return fmt::format("{} {:.0f} %  {} of {}", progress.phase, share, size_text(*progress.bytes), size_text(*progress.total));
}

}  // namespace

std::string size_text(std::uint64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / mega); }

ProgressLine::ProgressLine(std::string agent) : agent_(std::move(agent)), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const InstallProgress& progress) {
  if (progress.phase.empty()) return;
  const std::string text = fmt::format("installing {}: {}", agent_, words(progress));
  if (terminal_) {
    fmt::print(stderr, "{}{}", clear_line, text);
    visible_ = true;
    return;
  }
  constexpr std::uint64_t parts = 10;
  const bool counted = progress.bytes && progress.total && *progress.total > 0;
  const unsigned tenths = counted ? static_cast<unsigned>(*progress.bytes * parts / *progress.total) : 0;
  if (progress.phase == phase_ && tenths <= tenths_) return;
  phase_ = progress.phase;
  tenths_ = tenths;
  fmt::print(stderr, "{}\n", text);
}

void ProgressLine::end() {
  if (visible_) fmt::print(stderr, "{}", clear_line);
  visible_ = false;
}

}  // namespace sa
