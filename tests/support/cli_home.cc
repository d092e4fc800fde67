#include "cli_home.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "failure_watch.h"
#include "survivors.h"

namespace rig {
namespace {

// What a killed test leaves ends by itself.
constexpr const char* bounded_stay = "120000";

std::string member(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

// A pipe that holds a text. A child made while it lives can open it by its path, and meets its end when both have let go.
struct FilledPipe {
  int ends[2];

  explicit FilledPipe(const std::string& text) {
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw std::runtime_error("pipe failed");
    if (write(ends[1], text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the pipe is full");
  }
  ~FilledPipe() {
    close(ends[0]);
    close(ends[1]);
  }
  FilledPipe(const FilledPipe&) = delete;
  FilledPipe& operator=(const FilledPipe&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(ends[0]); }
};

bool runs_demo_agent(pid_t pid) {
  const auto command = read_file("/proc/" + std::to_string(pid) + "/cmdline");
  return command.find(std::string("\0mock-agent\0", 12)) != std::string::npos;
}

}  // namespace

RunningCommand::RunningCommand(const Launch& launch, std::filesystem::path out, std::filesystem::path err)
    : out_(std::move(out)), err_(std::move(err)), process_(launch) {}

CommandEnd RunningCommand::end(milliseconds deadline) {
  const auto ending = process_.wait(deadline);
  return {.code = ending ? ending->code : -1, .out = out(), .err = err(), .took = since(start_)};
}

std::string LocalDaemon::url() const { return member(state, "url"); }
std::string LocalDaemon::token() const { return member(state, "token"); }

std::uint16_t LocalDaemon::port() const {
  const auto address = url();
  return static_cast<std::uint16_t>(std::atoi(address.c_str() + address.rfind(':') + 1));
}

pid_t LocalDaemon::pid() const {
  const auto* value = state.if_contains("pid");
  return value == nullptr ? -1 : value->to_number<pid_t>();
}

CliHome::CliHome() : mark_(fresh_mark()) {
  for (const char* name : {"data", "config", "state", "run", "ledgers"}) {
    std::filesystem::create_directory(folder_.path() / name);
  }
  std::filesystem::permissions(folder_.path() / "run", std::filesystem::perms::owner_all);
}

CliHome::~CliHome() {
  if (test_has_failed()) {
    std::cerr << "--- the daemon's log ---\n" << read_file(state_folder() / "daemon.log") << "--- end ---\n";
  } else {
    if (!daemons().empty()) CHECK_EQ(run({"daemon", "stop"}).code, 0);
    auto left = marked_processes(mark_);
    if (!left.empty()) eventually([&] { return (left = marked_processes(mark_)).empty(); }, milliseconds(5000));
    CHECK_MESSAGE(left.empty(), "left at the end: ", describe(left));
  }
  kill_marked(mark_);
}

void CliHome::unset(const std::string& name) {
  std::erase_if(env_, [&](const std::string& variable) { return variable.starts_with(name + "="); });
}

Words CliHome::environment(const CommandSetup& setup) const {
  auto env = clean_environment(folder_.path(), mark_);
  for (const Words& more : {env_, setup.env}) {
    for (const auto& variable : more) {
      const auto name = variable.substr(0, variable.find('=') + 1);
      std::erase_if(env, [&](const std::string& former) { return former.starts_with(name); });
      env.push_back(variable);
    }
  }
  return env;
}

Launch CliHome::launch(const Words& words, const CommandSetup& setup) {
  const std::string number = std::to_string(++started_);
  Launch l;
  l.argv = {binary_under_test()};
  l.argv.insert(l.argv.end(), words.begin(), words.end());
  l.env = environment(setup);
  l.cwd = setup.cwd.empty() ? folder_.path() : setup.cwd;
  l.stdin_file = setup.stdin_file;
  l.stdout_file = setup.stdout_file.empty() ? folder_.path() / ("out" + number) : setup.stdout_file;
  l.stderr_file = folder_.path() / ("err" + number);
  return l;
}

std::unique_ptr<RunningCommand> CliHome::start(const Words& words, const CommandSetup& setup) {
  Launch l = launch(words, setup);
  std::optional<FilledPipe> input;
  if (setup.input) l.stdin_file = input.emplace(*setup.input).path();
  return std::make_unique<RunningCommand>(l, l.stdout_file, l.stderr_file);
}

CommandEnd CliHome::run(const Words& words, const CommandSetup& setup, milliseconds deadline) {
  return start(words, setup)->end(deadline);
}

std::unique_ptr<Terminal> CliHome::on_terminal(const Words& words, const CommandSetup& setup) {
  TerminalLaunch l{
      .argv = {binary_under_test()}, .env = environment(setup), .cwd = setup.cwd, .stdout_file = setup.stdout_file};
  l.argv.insert(l.argv.end(), words.begin(), words.end());
  l.env.emplace_back("TERM=xterm-256color");
  if (l.cwd.empty()) l.cwd = folder_.path();
  return std::make_unique<Terminal>(l);
}

std::vector<LocalDaemon> CliHome::daemons() const {
  std::vector<LocalDaemon> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(state_folder(), none)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with("server-") || !name.ends_with(".json")) continue;
    const auto text = read_file(entry.path());
    if (!text.empty()) found.push_back({entry.path(), parse_json(text).as_object()});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return found;
}

LocalDaemon CliHome::daemon() const {
  auto found = daemons();
  REQUIRE_EQ(found.size(), 1);
  return std::move(found.front());
}

LocalDaemon CliHome::start_daemon(const Words& flags, const CommandSetup& setup) {
  Words words{"daemon", "start", "--port", "0", "--idle-exit-ms", bounded_stay};
  words.insert(words.end(), flags.begin(), flags.end());
  const auto started = run(words, setup);
  INFO(started.all());
  REQUIRE_EQ(started.code, 0);
  return daemon();
}

std::vector<pid_t> CliHome::agents() const {
  auto found = marked_processes(mark_);
  std::erase_if(found, [](pid_t pid) { return !runs_demo_agent(pid); });
  return found;
}

bool CliHome::agents_gone_within(milliseconds deadline) const {
  return eventually([&] { return agents().empty(); }, deadline);
}

void CliHome::put_agent(const std::string& id) const {
  write_file(data() / "bin" / "agent_processes" / (id + "-acp"),
             "#!/bin/sh\n# tee writes to its output first; what was heard must be on disk before it is answered\ntee -a '" +
                 (folder_.path() / ("heard-" + id)).string() +
                 "' /dev/fd/3 3>&1 >/dev/null | \"$SANDBOX_AGENT_BIN\" mock-agent\n",
             true);
}

void CliHome::record_agent() {
  put_agent("mock");
  set("SANDBOX_AGENT_AGENT=mock");
}

std::string CliHome::heard(const std::string& id) const { return read_file(folder_.path() / ("heard-" + id)); }

std::string demo_answer(const Api& api, const std::string& prompt) {
  Acp acp(api, "truth", "mock");
  REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
  const auto opened = acp.call("session/new", R"({"cwd":"/","mcpServers":[]})");
  const boost::json::value params = {{"sessionId", text_at(opened.body, "result.sessionId")},
                                     {"prompt", {{{"type", "text"}, {"text", prompt}}}}};
  const auto answer = acp.call("session/prompt", boost::json::serialize(params));
  REQUIRE_EQ(text_at(answer.body, "result.stopReason"), "end_turn");
  std::string said;
  {
    auto stream = acp.stream();
    for (StreamEvent event = stream.next(); event.data != answer.body; event = stream.next()) {
      if (text_at(event.data, "params.update.sessionUpdate") != "agent_message_chunk") continue;
      said += text_at(event.data, "params.update.content.text");
    }
  }
  CHECK_EQ(acp.remove().status, 204);
  return said;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<boost::json::object> json_lines(std::string_view text) {
  std::vector<boost::json::object> documents;
  for (const auto& line : lines_of(text)) documents.push_back(parse_json(line).as_object());
  return documents;
}

}  // namespace rig
