// Commands as people meet them: help, and a whole turn with the demo agent.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "measures.h"
#include "statistics.h"

extern char** environ;

namespace bench {
namespace {

struct CommandCost {
  double cpu_ms;
  double first_byte_ms;
};

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// Runs it with its stdout in a pipe, to its end.
CommandCost run_command(std::vector<std::string> command) {
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) give_up("pipe");
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, pipe_ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const std::int64_t began = now_ns();
  pid_t pid = 0;
  if (::posix_spawn(&pid, words.front(), &files, nullptr, words.data(), environ) != 0) give_up("a command");
  ::posix_spawn_file_actions_destroy(&files);
  ::close(pipe_ends[1]);
  char buffer[65536];
  if (::read(pipe_ends[0], buffer, sizeof buffer) <= 0) give_up("the output of a command");
  const double first_byte_ms = static_cast<double>(now_ns() - began) / 1e6;
  while (::read(pipe_ends[0], buffer, sizeof buffer) > 0) {
  }
  ::close(pipe_ends[0]);
  int status = 0;
  rusage used{};
  if (::wait4(pid, &status, 0, &used) != pid || status != 0) give_up("a command");
  return {milliseconds(used.ru_utime) + milliseconds(used.ru_stime), first_byte_ms};
}

struct Costs {
  std::vector<double> cpu_ms, first_byte_ms;
};

Costs run_often(const std::vector<std::string>& command, int times) {
  Costs costs;
  for (int at = 0; at < times; ++at) {
    const CommandCost cost = run_command(command);
    costs.cpu_ms.push_back(cost.cpu_ms);
    costs.first_byte_ms.push_back(cost.first_byte_ms);
  }
  return costs;
}

}  // namespace

// A home of their own, so that no daemon of the user is met.
void measure_commands(const Setup& setup, Report& report) {
  constexpr int times = 20;
  const std::string home = setup.scratch.make_folder();
  for (const char* variable : {"HOME", "XDG_DATA_HOME"}) ::setenv(variable, home.c_str(), 1);
  ::setenv("SANDBOX_AGENT_PORT", "0", 1);
  const std::string& program = setup.programs.daemon;
  report.state({"--help: CPU", "ms", 10}, median(run_often({program, "--help"}, times).cpu_ms));
  const CommandCost cold = run_command({program, "run", "--agent", "mock", "hello"});
  report.state({"run with the demo agent, starting a daemon: first character", "ms", 300}, cold.first_byte_ms);
  const Costs warm = run_often({program, "run", "--agent", "mock", "hello"}, times);
  report.state({"run with the demo agent: first character", "ms", 300}, median(warm.first_byte_ms));
  report.state({"run with the demo agent: CPU of the command", "ms", 60}, median(warm.cpu_ms));
  run_to_end({program, "daemon", "stop", "--quiet"});
}

}  // namespace bench
