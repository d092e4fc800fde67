// A program on a real pseudo-terminal, which is its controlling terminal: a typed Ctrl-C is a SIGINT, a hang-up a SIGHUP. What
// it prints is kept as the raw bytes a terminal would get. Not thread-safe. The destructor kills the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "process.h"

namespace rig {

struct TerminalLaunch {
  std::vector<std::string> argv;
  std::vector<std::string> env;  // NAME=value, the whole environment
  std::filesystem::path cwd;
  std::filesystem::path stdout_file{};  // empty: the terminal
  int rows = 30;
  int columns = 120;
};

class Terminal {
 public:
  explicit Terminal(const TerminalLaunch& launch);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  static constexpr std::string_view ctrl_c = "\x03";
  static constexpr std::string_view ctrl_d = "\x04";

  // As if somebody pressed these keys.
  void type(std::string_view keys);
  // Everything printed so far, the echo of what was typed included.
  const std::string& screen();
  // The same as a reader sees it: without escape sequences and carriage returns.
  std::string text();
  // False when the (scaled) deadline passed. Text, not bytes.
  bool wait_for(std::string_view part, milliseconds deadline = milliseconds(10000));

  // Whether it shows what is typed and takes it line by line, as it does for a shell.
  bool echoes() const;
  void resize(int rows, int columns);
  // The window is closed.
  void hang_up();

  pid_t pid() const { return process_->pid(); }
  void signal(int number) const { process_->signal(number); }
  // Nothing when it still runs after the (scaled) deadline. Reads on meanwhile.
  std::optional<Ending> wait(milliseconds deadline = milliseconds(10000));
  // Its exit code, or -1 when it did not end or a signal ended it.
  int code(milliseconds deadline = milliseconds(10000));

 private:
  void read_what_is_there();

  int fd_ = -1;  // our end
  std::string screen_;
  std::optional<Process> process_;
};

// Without CSI and OSC sequences and carriage returns.
std::string without_escapes(std::string_view bytes);

}  // namespace rig
