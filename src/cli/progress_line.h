// An install's progress on stderr: one line that changes on a terminal, where its seconds go on by a thread of its own;
// elsewhere a line per phase and per 10 %. Borrows the console, which nobody else writes to until end(); lives as long as the
// install.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "agents/install_job.h"
#include "base/clock.h"
#include "cli/console.h"

namespace sa {

class ProgressLine {
 public:
  ProgressLine(Console& console, std::string agent);

  // Where it is now; bytes as far as they are known.
  void show(std::string_view phase, std::optional<std::uint64_t> bytes = {}, std::optional<std::uint64_t> total = {});
  void end();  // the line is gone from the terminal

 private:
  void draw();
  void go_on(const std::stop_token& ended);

  Console& console_;
  std::string agent_;
  TimePoint began_;
  std::mutex mutex_;  // for all that follows
  std::condition_variable_any no_more_;
  TimePoint shown_{};
  std::string phase_;
  std::optional<std::uint64_t> bytes_, total_;
  std::uint64_t tenths_ = 0;
  std::jthread clock_;
};

// What a daemon says of an install; nothing when that cannot be understood.
std::optional<InstallProgress> read_progress(std::string_view json);

// "▸ installing claude  ███████████░░░░  71 %  12.4/17.5 MB  3 s".
std::string progress_text(std::string_view agent, std::string_view phase, std::optional<std::uint64_t> bytes,
                          std::optional<std::uint64_t> total, Millis since_begin);

}  // namespace sa
