#include "daemon.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "failure_watch.h"
#include "survivors.h"

namespace rig {
namespace {

std::filesystem::path path_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !std::filesystem::exists(value)) {
    throw std::runtime_error(std::string(variable) + " must name an existing program");
  }
  return std::filesystem::absolute(value);
}

milliseconds grace_in(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i + 1 < flags.size(); ++i) {
    if (flags[i] == "--stop-grace-ms") return milliseconds(std::atoi(flags[i + 1].c_str()));
  }
  return milliseconds(1500);
}

// By many short looks: when the machine stands still, that counts as one of them.
std::optional<Ending> end_within(Process& process, milliseconds patience) {
  constexpr milliseconds look{20};
  for (auto left = patience; left > milliseconds(0); left -= look)
    if (const auto ending = process.wait(look)) return ending;
  return std::nullopt;
}

}  // namespace

std::filesystem::path binary_under_test() { return path_from("SANDBOX_AGENT_UNDER_TEST"); }
std::filesystem::path fake_agent_path() { return path_from("FAKE_AGENT"); }
std::string fake_agent_command() { return "'" + fake_agent_path().string() + "'"; }

std::vector<std::string> clean_environment(const std::filesystem::path& folder, const std::string& mark) {
  std::vector<std::string> env = {
      "HOME=" + folder.string(),
      "XDG_DATA_HOME=" + (folder / "data").string(),
      "XDG_CONFIG_HOME=" + (folder / "config").string(),
      "XDG_STATE_HOME=" + (folder / "state").string(),
      "XDG_RUNTIME_DIR=" + (folder / "run").string(),
      "FAKE_AGENT_LEDGER_DIR=" + (folder / "ledgers").string(),
      "FAKE_AGENT_MARK=" + mark,
      "LANG=C.UTF-8",
  };
  for (const char* name : {"PATH", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) env.push_back(std::string(name) + "=" + value);
  }
  return env;
}

Daemon::Daemon(DaemonSetup setup) : mark_(fresh_mark()), stop_grace_(grace_in(setup.flags)) {
  for (const char* name : {"data", "config", "state", "run", "ledgers"}) {
    std::filesystem::create_directory(folder_.path() / name);
  }
  std::filesystem::permissions(folder_.path() / "run", std::filesystem::perms::owner_all);
  if (setup.prepare) setup.prepare(folder_.path());

  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  Launch launch;
  launch.argv = {binary_under_test(), "server", "--host", "127.0.0.1", "--port", "0", "--ready-fd", "9"};
  if (setup.with_token) {
    token_ = "token-" + mark_;
    launch.argv.insert(launch.argv.end(), {"--token", token_});
  }
  for (const char* mode : {"zoo", "verbatim", "silent", "deaf"}) {
    const std::string id = std::string(mode) == "zoo" ? "fake" : mode;
    launch.argv.insert(launch.argv.end(), {"--agent", id + "=" + fake_agent_command() + " " + mode});
  }
  launch.argv.insert(launch.argv.end(), setup.flags.begin(), setup.flags.end());
  launch.env = clean_environment(folder_.path(), mark_);
  launch.env.insert(launch.env.end(), setup.env.begin(), setup.env.end());
  launch.cwd = folder_.path();
  launch.stdout_file = folder_.path() / "stdout";
  launch.stderr_file = folder_.path() / "stderr";
  launch.passed_fd = ready[1];
  launch.nofile = setup.nofile;
  process_ = std::make_unique<Process>(launch);
  close(ready[1]);
  read_ready_line(ready[0]);
  close(ready[0]);
}

void Daemon::read_ready_line(int fd) {
  const auto end = Clock::now() + scaled(milliseconds(15000));
  pollfd input{.fd = fd, .events = POLLIN, .revents = 0};
  while (!ready_line_.ends_with('\n') && poll(&input, 1, milliseconds_until(end)) > 0) {
    char bytes[512];
    const auto n = read(fd, bytes, sizeof bytes);
    if (n <= 0) break;
    ready_line_.append(bytes, static_cast<std::size_t>(n));
  }
  const auto address = ready_line_.find("http://127.0.0.1:");
  if (!ready_line_.ends_with('\n') || address == std::string::npos) {
    process_->signal(SIGKILL);
    throw std::runtime_error("the daemon did not get ready; ready line: '" + ready_line_ + "', stderr: " + stderr_text());
  }
  port_ = static_cast<std::uint16_t>(std::atoi(ready_line_.c_str() + address + 17));
}

Daemon::~Daemon() {
  if (process_->running()) stop(SIGTERM);
  if (!left_nothing_) kill_marked(mark_);
  if (test_has_failed()) std::cerr << "--- stderr of the daemon ---\n" << stderr_text() << "--- end ---\n";
}

void Daemon::stop(int signal) {
  process_->signal(signal);
  const auto ending = end_within(*process_, stop_grace_ + milliseconds(1000));
  CHECK_MESSAGE(ending.has_value(), "the daemon must end within grace + 1 s");
  if (ending) {
    INFO("ended by signal ", ending->signal);
    CHECK_EQ(ending->code, 0);
    auto left = marked_processes(mark_);
    CHECK_MESSAGE(std::none_of(left.begin(), left.end(), runs_fake_agent), "left after shutdown: ", describe(left));
    if (!left.empty()) eventually([&] { return (left = marked_processes(mark_)).empty(); }, milliseconds(5000));
    CHECK_MESSAGE(left.empty(), "left after shutdown: ", describe(left));
    left_nothing_ = left.empty();
  } else {
    kill();
  }
}

void Daemon::kill() {
  process_->signal(SIGKILL);
  process_->wait(milliseconds(5000));
}

std::int64_t Daemon::resident_kib() const {
  const auto status = read_file("/proc/" + std::to_string(pid()) + "/status");
  return std::atoll(status.c_str() + status.find("VmRSS:") + 6);
}

}  // namespace rig
