// One run of the binary under test as a command: what it printed and how it ended. Main thread only.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/daemon.h"
#include "support/process.h"
#include "support/survivors.h"

namespace rig {

struct CommandRun {
  TempDir folder;
  std::string mark = fresh_mark();
  Process process;

  // `prepare` gets the home before the start.
  using Prepare = std::function<void(const std::filesystem::path& home)>;
  explicit CommandRun(std::vector<std::string> arguments, const std::vector<std::string>& env = {}, const Prepare& prepare = {})
      : process(launch(std::move(arguments), env, prepare)) {}
  ~CommandRun() { kill_marked(mark); }
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // The exit code, or -1 when it does not end.
  int code(milliseconds deadline = milliseconds(10000)) {
    const auto ending = process.wait(deadline);
    return ending ? ending->code : -1;
  }
  std::string out() const { return read_file(folder.path() / "out"); }
  std::string err() const { return read_file(folder.path() / "err"); }
  std::string all() const { return out() + err(); }

 private:
  Launch launch(std::vector<std::string> arguments, const std::vector<std::string>& env, const Prepare& prepare) const {
    if (prepare) prepare(folder.path());
    Launch l;
    l.argv = {binary_under_test()};
    l.argv.insert(l.argv.end(), arguments.begin(), arguments.end());
    l.env = clean_environment(folder.path(), mark);
    l.env.insert(l.env.end(), env.begin(), env.end());
    l.cwd = folder.path();
    l.stdout_file = folder.path() / "out";
    l.stderr_file = folder.path() / "err";
    return l;
  }
};

}  // namespace rig
