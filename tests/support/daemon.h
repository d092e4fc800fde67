// The binary under test, running on a free loopback port with a fresh home and a marker of its own. The destructor
// stops it with SIGTERM and checks the promises of every shutdown: exit 0 within grace + 1 s, and no process left. Main
// thread only: the daemon dies with the thread that started it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "process.h"

namespace rig {

std::filesystem::path binary_under_test();
std::filesystem::path fake_agent_path();
std::string fake_agent_command();  // its path as one word of a command line

struct DaemonSetup {
  std::vector<std::string> flags = {};
  std::vector<std::string> env = {};  // NAME=value, added to a clean environment
  std::optional<std::uint64_t> nofile = {};
  bool with_token = true;  // pass --token; without it the flags or the environment say what holds
  std::function<void(const std::filesystem::path& home)> prepare = {};  // before the start
};

class Daemon {
 public:
  // With the agents `fake` (the zoo), `verbatim`, `silent` and `deaf` registered. Throws when it does not get ready.
  explicit Daemon(DaemonSetup setup);
  explicit Daemon(std::vector<std::string> flags = {}) : Daemon(DaemonSetup{.flags = std::move(flags)}) {}
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  std::uint16_t port() const { return port_; }
  pid_t pid() const { return process_->pid(); }
  std::int64_t resident_kib() const;
  Process& process() { return *process_; }
  const std::string& token() const { return token_; }
  const std::string& mark() const { return mark_; }
  const std::string& ready_line() const { return ready_line_; }
  const std::filesystem::path& home() const { return folder_.path(); }
  std::filesystem::path data() const { return folder_.path() / "data"; }
  std::filesystem::path ledgers() const { return folder_.path() / "ledgers"; }
  std::string stdout_text() const { return read_file(folder_.path() / "stdout"); }
  std::string stderr_text() const { return read_file(folder_.path() / "stderr"); }
  milliseconds stop_grace() const { return stop_grace_; }

  // Sends the signal and waits for the end, at most grace + 1 s; checks exit 0 and that nothing is left.
  void stop(int signal);
  // SIGKILL, without any check.
  void kill();

 private:
  void read_ready_line(int fd);

  TempDir folder_;
  std::string mark_;
  std::string token_;
  std::string ready_line_;
  std::uint16_t port_ = 0;
  milliseconds stop_grace_{1500};
  bool left_nothing_ = false;
  std::unique_ptr<Process> process_;
};

// The environment every program under test gets: a home below `folder`, the marker, and the sanitizers' options.
std::vector<std::string> clean_environment(const std::filesystem::path& folder, const std::string& mark);

}  // namespace rig
