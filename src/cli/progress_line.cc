#include "cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shape_read.h"

namespace sa {
namespace {

constexpr double mega = 1e6;
constexpr std::size_t bar_cells = 15;
constexpr std::uint64_t hundred = 100;
constexpr Millis between_looks{100};  // faster is only more bytes for the terminal
constexpr Millis one_second{1'000};

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / mega; }

// Nothing when it is not known how much there is.
std::optional<std::uint64_t> percent_of(std::optional<std::uint64_t> bytes, std::optional<std::uint64_t> total) {
  if (!bytes || !total || *total == 0) return std::nullopt;
  return static_cast<std::uint64_t>(100.0 * static_cast<double>(std::min(*bytes, *total)) / static_cast<double>(*total));
}

std::string bar(std::uint64_t percent) {
  std::string cells;
  for (std::size_t cell = 0; cell < bar_cells; ++cell) cells += cell * hundred < percent * bar_cells ? "█" : "░";
  return cells;
}

// "71 %  12.4/17.5 MB", "12.4 MB" or nothing.
std::string amount(std::optional<std::uint64_t> bytes, std::optional<std::uint64_t> total) {
  if (const auto percent = percent_of(bytes, total))
    return fmt::format("  {:>2} %  {:.1f}/{:.1f} MB", *percent, megabytes(*bytes), megabytes(*total));
  return bytes ? fmt::format("  {:.1f} MB", megabytes(*bytes)) : "";
}

}  // namespace

std::optional<InstallProgress> read_progress(std::string_view json) {
  const auto value = parse_json(json);
  auto progress = value ? from_json<InstallProgress>(*value) : fail(value.error());
  return progress ? std::optional(std::move(*progress)) : std::nullopt;
}

std::string progress_text(std::string_view agent, std::string_view phase, std::optional<std::uint64_t> bytes,
                          std::optional<std::uint64_t> total, Millis since_begin) {
  const auto percent = percent_of(bytes, total);
  return fmt::format("▸ installing {}  {}{}  {} s", agent, percent ? bar(*percent) : std::string(phase), amount(bytes, total),
                     std::chrono::duration_cast<std::chrono::seconds>(since_begin).count());
}

ProgressLine::ProgressLine(Console& console, std::string agent)
    : console_(console), agent_(std::move(agent)), began_(Clock::now()) {}

void ProgressLine::show(std::string_view phase, std::optional<std::uint64_t> bytes, std::optional<std::uint64_t> total) {
  if (phase.empty()) return;
  const std::lock_guard lock(mutex_);
  const std::uint64_t tenths = percent_of(bytes, total).value_or(0) / 10;
  const bool other_phase = phase != phase_;
  phase_ = phase;
  bytes_ = bytes;
  total_ = total;
  if (console_.status_is_terminal()) {
    if (other_phase || Clock::now() - shown_ >= between_looks) draw();
    if (!clock_.joinable()) clock_ = std::jthread([this](const std::stop_token& ended) { go_on(ended); });
  } else if (other_phase || tenths > tenths_) {
    console_.status(fmt::format("▸ installing {}  {}{}", agent_, phase, amount(bytes, total)));
    tenths_ = tenths;
  }
}

void ProgressLine::draw() {
  shown_ = Clock::now();
  console_.passing(progress_text(agent_, phase_, bytes_, total_, std::chrono::duration_cast<Millis>(shown_ - began_)));
}

// Some phases have nothing to report for a minute.
void ProgressLine::go_on(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  while (!no_more_.wait_for(lock, ended, one_second, [&] { return ended.stop_requested(); })) draw();
}

void ProgressLine::end() {
  clock_ = {};
  console_.clear_passing();
}

}  // namespace sa
