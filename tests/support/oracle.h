// The oracle: what every agent said against what every reader got. One epoll thread of its own drives all readers (hundreds of
// them); tests command it from outside, each command runs on that thread. Agents are fake agents that keep a ledger, so every
// event is compared with the agent's own words while it is read. Refers to nothing but the port, so it may outlive a killed
// daemon.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daemon.h"
#include "oracle_reader.h"

namespace rig {

class Oracle {
 public:
  using Reader = std::size_t;

  Oracle(std::uint16_t port, std::string token, std::filesystem::path ledgers, std::string mark);
  explicit Oracle(const Daemon& daemon) : Oracle(daemon.port(), daemon.token(), daemon.ledgers(), daemon.mark()) {}
  ~Oracle();
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  // Readers of this instance are checked against the ledger of this agent process. Call before readers join.
  void know_agent(const std::string& instance_id, pid_t pid);
  std::uint64_t said_by(const std::string& instance_id) { return in_ledger(instance_id, &Ledger::written); }
  // Whether an agent that is known said this as its line `n`.
  bool has_said(const std::string& instance_id, std::uint64_t n, std::string_view line);
  std::uint64_t heard_by(const std::string& instance_id) { return in_ledger(instance_id, &Ledger::heard); }
  std::uint64_t heard_twice_by(const std::string& instance_id) { return in_ledger(instance_id, &Ledger::heard_twice); }

  Reader add_reader(ReaderPlan plan);
  void add_readers(std::size_t count, const ReaderPlan& plan);
  void pause(Reader reader);
  void resume(Reader reader);
  void slow_down(Reader reader, std::uint64_t bytes_per_second);
  // Hangs up at once, in the middle of whatever was coming, and comes back with Last-Event-ID.
  void cut(Reader reader);
  void leave(Reader reader);
  // One that left, with Last-Event-ID.
  void come_back(Reader reader) { cut(reader); }

  ReaderReport report(Reader reader);
  std::vector<ReaderReport> reports();
  // True once every reader that is neither paused nor gone has got event `id`.
  bool all_reach(std::uint64_t id, milliseconds deadline);

  // Everything that is wrong, in words; empty is the verdict to hope for. `gaps_allowed`: exact gaps are no fault.
  // Readers that are open and not paused must have everything their agent had written when this was asked.
  std::vector<std::string> verdict(bool gaps_allowed, milliseconds patience = milliseconds(5000));
  // Processes of the daemon's agents that still live.
  std::size_t survivors() const;

 private:
  void loop();
  void run_on_loop(const std::function<void()>& action);
  void take_commands();
  std::uint64_t in_ledger(const std::string& instance_id, std::uint64_t (Ledger::*number)() const);
  void watch(Reader reader, bool on);
  void after_reading(Reader reader, OracleReader::After what);
  void wake_throttled();

  std::uint16_t port_;
  std::string token_;
  std::filesystem::path ledger_directory_;
  std::string mark_;
  int epoll_ = -1;
  int wakeup_ = -1;
  std::vector<std::unique_ptr<OracleReader>> readers_;
  std::vector<Reader> throttled_;
  std::map<std::string, Ledger> ledgers_;
  std::string scratch_;
  bool stopping_ = false;

  std::mutex mutex_;  // guards commands_ only
  std::vector<std::function<void()>> commands_;
  std::thread thread_;
};

}  // namespace rig
