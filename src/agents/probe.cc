#include "agents/probe.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstdlib>

#include "agents/offered_options.h"
#include "agents/probe_answer.h"
#include "agents/surroundings.h"
#include "base/id_key.h"
#include "base/json_scan.h"
#include "base/output_tail.h"
#include "base/shape_read.h"
#include "base/telling_line.h"
#include "base/version.h"
#include "files/remove.h"
#include "io/attended_child.h"
#include "io/line_buffer.h"

namespace sa {
namespace {

constexpr std::size_t longest_line = std::size_t{4} * 1024 * 1024;
constexpr std::size_t most_unsent = std::size_t{1} * 1024 * 1024;
constexpr Millis grace{200};

// The two questions, in order; their number is the id.
enum class Step : std::uint8_t { initialize = 1, session_new = 2, over = 3 };

std::string_view method_of(Step step) { return step == Step::initialize ? "initialize" : "session/new"; }

std::string request(Step step, std::string_view params) {
  return fmt::format("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{}\",\"params\":{}}}\n", static_cast<int>(step),
                     method_of(step), params);
}

std::string initialize_params() {
  return fmt::format(R"({{"protocolVersion":1,"clientCapabilities":{{"fs":{{"readTextFile":false,"writeTextFile":false}},)"
                     R"("terminal":false}},"clientInfo":{{"name":"sandbox-agent","version":"{}"}}}})",
                     version);
}

std::string session_params(const std::string& directory) {
  std::string params = "{\"cwd\":";
  append_json_string(params, directory);
  return params + ",\"mcpServers\":[]}";
}

// One talk with an agent. Lives in probe_agent's frame.
class Talk {
 public:
  Talk(Loop& loop, std::shared_ptr<Child> child, std::string directory, ProbeLimits limits)
      : directory_(std::move(directory)),
        agent_(
            loop, std::move(child), limits.time, limits.stop, [this](std::string_view bytes) { hear(bytes); },
            [this](std::string_view bytes) { last_words_.append(bytes); }),
        limits_(limits) {}

  Task<> run() {
    agent_.send(request(Step::initialize, initialize_params()));
    while (step_ != Step::over && !agent_.child().gone() && !agent_.timed_out() && !agent_.stopped()) co_await agent_.news();
    if (step_ != Step::over && !agent_.child().gone())
      fail_with(fmt::format("the agent did not answer within {} s", static_cast<double>(limits_.time.count()) / 1000));
    co_await agent_.end(grace);
    if (step_ != Step::over) fail_with(end_words());
  }

  bool stopped() const { return agent_.stopped(); }
  ProbeResult take_result() {
    if (result_.error) result_.stderr_tail = last_words_.last_lines();
    return std::move(result_);
  }

 private:
  void hear(std::string_view bytes) {
    if (step_ == Step::over) return;
    lines_.feed(bytes);
    while (step_ != Step::over) {
      const auto line = lines_.front();
      if (!line) break;
      on_line(*line);
      lines_.pop();
    }
    if (step_ != Step::over && lines_.rest().size() > longest_line)
      fail_with(fmt::format("the agent wrote a line longer than {} bytes", longest_line));
  }

  void on_line(std::string_view line) {
    const JsonScan scan = scan_json(line);
    const EnvelopeMembers& members = scan.members;
    if (scan.kind != JsonKind::object || members.id.empty()) return;
    if (!members.method.empty()) {
      refuse(members.id);
    } else if (id_key(members.id) == id_key(std::to_string(static_cast<int>(step_)))) {
      on_answer(members);
    }
  }

  void refuse(std::string_view id) {
    agent_.send(
        fmt::format("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{{\"code\":-32601,\"message\":\"Method not found\"}}}}\n", id));
    if (agent_.unsent() > most_unsent) fail_with("the agent does not read its input");
  }

  void on_answer(const EnvelopeMembers& members) {
    const bool refused = !members.error.empty() && members.error != "null";
    if (refused || members.result.empty()) return fail_with(refusal_words(members.error));
    const auto answer = parse_json(members.result);
    if (!answer) return fail_with("the agent's answer cannot be read");
    if (step_ == Step::initialize) {
      result_.agent_version = agent_version_in(*answer);
      result_.initialized = std::chrono::duration_cast<Millis>(Clock::now() - begin_);
      step_ = limits_.only_initialize ? Step::over : Step::session_new;
      if (step_ == Step::over) return;
      agent_.send(request(step_, session_params(directory_)));
    } else {
      result_.options = offered_options(*answer);
      step_ = Step::over;
    }
  }

  void fail_with(std::string_view why) {
    result_.error = fmt::format("{}: {}", method_of(step_), why);
    step_ = Step::over;
  }

  // How it ended before it answered, with what it said about that.
  std::string end_words() const {
    const Child& child = agent_.child();
    if (child.spawn_error() != 0) return fmt::format("the agent could not be started: {}", errno_text(child.spawn_error()));
    std::string words = fmt::format("the agent {} before it answered", exit_text(child.exit()));
    const std::string said = cause_line(last_words_.last_lines());
    return said.empty() ? words : words + ": " + said;
  }

  std::string directory_;
  LineBuffer lines_;
  OutputTail last_words_;
  ProbeResult result_;
  Step step_ = Step::initialize;
  TimePoint begin_ = Clock::now();
  AttendedChild agent_;
  ProbeLimits limits_;
};

// Blocking. Below the agent's own TMPDIR, else /tmp.
Result<std::string> make_directory(const std::vector<std::string>& environment) {
  std::string below = variable_in(environment, "TMPDIR");
  if (!below.starts_with('/')) below = "/tmp";
  std::string path = below + "/sandbox-agent-probe.XXXXXX";
  if (::mkdtemp(path.data())) return path;
  return fail(errno == ENOSPC ? ErrorCode::no_space : ErrorCode::internal,
              fmt::format("No directory for the agent can be made in '{}': {}. Make room there, or set TMPDIR to a directory "
                          "that may be written to.",
                          below, errno_text(errno)));
}

// Blocking. However deep the agent has made it; what cannot be removed stays.
Result<void> remove_directory(const std::string& path) {
  const StopFlag never = false;
  TRY(const FileRoot root, FileRoot::open("/", Confined::no));
  TRY(const GuardedPath guarded, root.guard(path));
  TRY(const Place place, place_of(guarded));
  return remove(place, Recursive::yes, never);
}

}  // namespace

Task<Result<ProbeResult>> probe_agent(Loop& loop, Processes& processes, WorkerPool& pool, ChildSpec agent, ProbeLimits limits) {
  if (limits.stop && *limits.stop) co_return fail_stopped();
  if (!limits.only_initialize) {
    auto making = pool.run([&agent] { return make_directory(agent.env); });
    CO_TRY(agent.cwd, co_await making);
  }
  Result<ProbeResult> result = fail_stopped();
  if (auto child = processes.start(agent)) {
    Talk talk(loop, *child, agent.cwd, limits);
    co_await talk.run();
    if (!talk.stopped()) result = talk.take_result();
  } else {
    result = std::unexpected(std::move(child).error());
  }
  if (!limits.only_initialize) {
    auto removing = pool.run([&agent] { return remove_directory(agent.cwd); });
    co_await removing;
  }
  co_return result;
}

}  // namespace sa
