// A fake agent on two pipes, without any daemon: the instrument is tested by itself. One thread; killed by the destructor.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "support/daemon.h"
#include "support/process.h"
#include "support/survivors.h"

namespace rig {

class PipedAgent {
 public:
  explicit PipedAgent(std::vector<std::string> arguments) : mark_(fresh_mark()) {
    const auto inbox = folder_.path() / "in";
    const auto outbox = folder_.path() / "out";
    if (mkfifo(inbox.c_str(), 0600) != 0 || mkfifo(outbox.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    input_ = open(inbox.c_str(), O_RDWR | O_CLOEXEC);
    output_ = open(outbox.c_str(), O_RDWR | O_CLOEXEC);
    Launch launch;
    launch.argv = {fake_agent_path()};
    launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
    launch.env = {"FAKE_AGENT_MARK=" + mark_, "FAKE_AGENT_LEDGER_DIR=" + folder_.path().string()};
    launch.stdin_file = inbox;
    launch.stdout_file = outbox;
    process_ = std::make_unique<Process>(launch);
  }
  ~PipedAgent() {
    close(input_);
    close(output_);
    process_.reset();
    kill_marked(mark_);
  }
  PipedAgent(const PipedAgent&) = delete;
  PipedAgent& operator=(const PipedAgent&) = delete;

  void tell(std::string line) const {
    line += '\n';
    [[maybe_unused]] const auto n = write(input_, line.data(), line.size());
  }
  std::string hear() {
    std::size_t end;
    while ((end = heard_.find('\n')) == std::string::npos) {
      pollfd output{.fd = output_, .events = POLLIN, .revents = 0};
      if (poll(&output, 1, static_cast<int>(scaled(milliseconds(10000)).count())) <= 0) throw TimedOut("the fake agent");
      char bytes[65536];
      const auto n = read(output_, bytes, sizeof bytes);
      heard_.append(bytes, static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    }
    const auto line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }
  Process& process() { return *process_; }
  const std::string& mark() const { return mark_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TempDir folder_;
  std::string mark_;
  int input_ = -1;
  int output_ = -1;
  std::string heard_;
  std::unique_ptr<Process> process_;
};

}  // namespace rig
