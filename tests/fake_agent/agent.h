// One fake agent: a loop over standard input lines and timers that performs the behaviour named by each method. One
// thread; lives as long as the process. Behaviours may block (a burst does), then nothing is read meanwhile, as with
// real agents.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "envelope.h"
#include "mouth.h"

namespace fake {

class Agent {
 public:
  using Clock = std::chrono::steady_clock;

  Agent(std::string_view ledger_directory, std::vector<std::string> arguments);

  Mouth& mouth() { return mouth_; }
  const std::vector<std::string>& arguments() const { return arguments_; }

  void answer(std::string_view raw_id, std::string_view raw_result);
  void notify(std::string_view method, std::string_view raw_params);

  // Performs `method` as if a line with these parameters had come.
  void perform(std::string_view method, std::string_view raw_params);
  void run();

  void after(std::chrono::milliseconds delay, std::function<void()> action);
  void become_deaf() { deaf_ = true; }
  void become_silent() { silent_ = true; }
  void report_every_line() { reporting_ = true; }
  void stay_after_eof() { staying_ = true; }
  // Requests kept to be answered together, in reverse.
  std::vector<std::pair<std::string, std::string>>& held() { return held_; }

 private:
  void read_some();
  void hear(std::string_view line);
  int milliseconds_to_next_timer() const;
  void fire_timers();

  Mouth mouth_;
  std::vector<std::string> arguments_;
  std::string heard_;
  std::set<std::string, std::less<>> asked_;  // ids of requests
  std::size_t searched_ = 0;
  std::multimap<Clock::time_point, std::function<void()>> timers_;
  std::vector<std::pair<std::string, std::string>> held_;
  bool deaf_ = false;
  bool silent_ = false;
  bool reporting_ = false;
  bool staying_ = false;
  bool at_eof_ = false;
};

// Nothing this program starts lives longer than this after its last sign of life.
inline constexpr unsigned safety_seconds = 60;

}  // namespace fake
