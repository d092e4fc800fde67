// One user at one machine: a home of its own in which commands of the binary under test run one after another or side by side,
// and with it the background daemon they share. The destructor stops that daemon as a user would and checks that no process is
// left. Main thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "acp.h"
#include "process.h"
#include "terminal.h"

namespace rig {

using Words = std::vector<std::string>;

// How a command is started.
struct CommandSetup {
  Words env = {};                         // added to the home's; the same name replaces
  std::optional<std::string> input = {};  // on stdin through a pipe, which takes 64 KiB; none: stdin_file
  std::filesystem::path stdin_file = "/dev/null";
  std::filesystem::path cwd = {};  // empty: the home
  std::filesystem::path stdout_file = {};
};

// What a command that has ended left.
struct CommandEnd {
  int code = -1;  // -1: a signal ended it, or the deadline passed
  std::string out;
  std::string err;
  milliseconds took{0};
  std::string all() const { return out + err; }
};

// A command that runs without a terminal.
class RunningCommand {
 public:
  RunningCommand(const Launch& launch, std::filesystem::path out, std::filesystem::path err);

  Process& process() { return process_; }
  std::string out() const { return read_file(out_); }
  std::string err() const { return read_file(err_); }
  CommandEnd end(milliseconds deadline = milliseconds(10000));

 private:
  std::filesystem::path out_;
  std::filesystem::path err_;
  Clock::time_point start_ = Clock::now();
  Process process_;
};

// The state file of a daemon that runs here.
struct LocalDaemon {
  std::filesystem::path file;
  boost::json::object state;

  std::string url() const;
  std::uint16_t port() const;
  std::string token() const;
  pid_t pid() const;
  Api api() const { return Api(port(), token()); }
};

class CliHome {
 public:
  CliHome();
  ~CliHome();
  CliHome(const CliHome&) = delete;
  CliHome& operator=(const CliHome&) = delete;

  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path data() const { return folder_.path() / "data" / "sandbox-agent"; }
  std::filesystem::path state_folder() const { return data() / "daemon"; }
  const std::string& mark() const { return mark_; }

  // NAME=value for every command that is started from now on.
  void set(const std::string& variable) { env_.push_back(variable); }
  void unset(const std::string& name);

  CommandEnd run(const Words& words, const CommandSetup& setup = {}, milliseconds deadline = milliseconds(10000));
  std::unique_ptr<RunningCommand> start(const Words& words, const CommandSetup& setup = {});
  std::unique_ptr<Terminal> on_terminal(const Words& words, const CommandSetup& setup = {});

  // Those whose state files are here, by name.
  std::vector<LocalDaemon> daemons() const;
  // The only one; fails the test when it is not.
  LocalDaemon daemon() const;
  // A background daemon on a free port that does not outlive a test that was killed for long.
  LocalDaemon start_daemon(const Words& flags = {}, const CommandSetup& setup = {});

  // Processes of the demo agent, whoever started them here.
  std::vector<pid_t> agents() const;
  bool agents_gone_within(milliseconds deadline = milliseconds(10000)) const;

  // An installed agent: the demo agent under another id. What clients say to it is kept, see heard().
  void put_agent(const std::string& id) const;
  // From now on the demo agent's conversations are kept.
  void record_agent();
  std::string heard(const std::string& id) const;

 private:
  Words environment(const CommandSetup& setup) const;
  Launch launch(const Words& words, const CommandSetup& setup);

  TempDir folder_;
  std::string mark_;
  Words env_;
  int started_ = 0;
};

// The text of the demo agent's answer to a prompt, asked for over HTTP.
std::string demo_answer(const Api& api, const std::string& prompt);

bool contains(std::string_view text, std::string_view part);
std::vector<std::string> lines_of(std::string_view text);
// Every line as a JSON object; throws for one that is not.
std::vector<boost::json::object> json_lines(std::string_view text);

}  // namespace rig
