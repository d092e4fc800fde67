// A program under measurement, ended with this object (and with this process, however that ends); CPU time and memory as the
// kernel counts them.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// Ends the benchmark: a figure from a run in which something failed would be worth nothing.
[[noreturn]] void give_up(const char* what);

// Puts the calling thread, and all it will start from now on, on one core or on all that there were at first.
enum class Cores { one, all };
void run_on(Cores cores);

// Runs a program found by PATH to its end; if it fails, so does the benchmark.
void run_to_end(std::vector<std::string> command);

std::int64_t now_ns();
std::int64_t cpu_ns(pid_t pid);  // of all its threads, since it was forked

// Idle streams and agents by the hundred need many.
void raise_descriptor_limit();

class Process {
 public:
  // The first line of its standard output is read before this returns.
  explicit Process(std::vector<std::string> command);
  // Nothing it says is read, and nobody waits for it. `environment` ("NAME=value") is added to ours.
  Process(std::vector<std::string> command, const std::vector<std::string>& environment);
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  const std::string& first_line() const { return first_line_; }
  std::int64_t started_at_ns() const { return started_at_ns_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::int64_t started_at_ns_ = 0;
  std::string first_line_;
};

std::int64_t resident_bytes(pid_t pid);
std::int64_t peak_resident_bytes(pid_t pid);
std::int64_t private_bytes(pid_t pid);
int thread_count(pid_t pid);
std::int64_t wake_ups(pid_t pid);  // of the threads it has now, each since it began
std::vector<pid_t> children_of(pid_t pid);

}  // namespace bench
