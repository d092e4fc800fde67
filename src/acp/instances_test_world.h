// For tests: instances with real processes on a loop of their own. Agents are a few lines of shell.
#pragma once

#include <doctest/doctest.h>
#include <signal.h>

#include "acp/instances.h"

namespace sa {

// Agents by name. `answer` answers every line with the result of request 1; the others misbehave.
inline const std::map<std::string, std::string> agent_scripts = {
    {"answer", R"(while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":"ok"}'; done)"},
    {"echo", "cat"},
    {"deaf", "echo started; sleep 300"},
    {"dies", "read -r line; echo last words >&2; exit 7"},
    {"dies-answering", R"(read -r line; printf '{"id":1,"result":"at the end"}'; exit 0)"},
    {"asks", R"(echo '{"id":"q","method":"ask"}'; cat)"},
    {"babbles", R"(echo Hello; echo; printf '{"a":\r1}\r\n'; printf '\377\n'; cat)"},
    {"long-line", "head -c 5000 /dev/zero | tr '\\0' x; sleep 300"},
    {"whole-long-line", R"(x=$(head -c 2000 /dev/zero | tr '\0' x); echo "{\"a\":\"$x\"}"; sleep 300)"},
    {"long-last-words", R"(x=$(head -c 2000 /dev/zero | tr '\0' x); sleep 0.2; echo "{\"a\":\"$x\"}"; exit 0)"},
    {"closes-its-input", "read -r line; exec 0<&-; sleep 300"},
    {"floods-and-deaf", R"(exec 0<&-; trap '' TERM; while :; do echo '{"method":"x"}'; done)"},
    {"floods-politely", R"(trap 'exit 7' TERM; while :; do echo '{"method":"x"}'; done)"},
    {"stubborn", "trap '' TERM; echo '{}'; while :; do sleep 0.05; done"},
    {"stops-its-supervisor", "sleep 0.2; kill -STOP $PPID; exit 3"},
    {"leaves-one-that-stops-its-supervisor",
     "trap '' TERM; (while kill -0 $$ 2>&-; do :; done; sleep 0.1; kill -STOP $PPID; sleep 300) & exit 4"},
    {"mute-when-it-ends", "trap 'exec 1>&-; sleep 1.3; exit 0' TERM; echo '{}'; while :; do sleep 0.05; done"},
    {"long-line-and-deaf", "trap '' TERM; head -c 5000 /dev/zero | tr '\\0' x; while :; do sleep 1; done"},
};

inline InstanceLimits small_limits() {
  InstanceLimits limits;
  limits.stop_grace = Millis(50);
  limits.max_line_bytes = 1'000;
  limits.max_instances = 2;
  return limits;
}

struct InstancesWorld {
  using Body = Task<> (*)(InstancesWorld&);

  explicit InstancesWorld(const InstanceLimits& limits = small_limits())
      : processes(loop, Millis(50)), instances(loop, processes, limits, source()) {
    ::signal(SIGPIPE, SIG_IGN);
  }

  // "slow" stays in preparation until the test says what became of it; of "unclear" not even the id is known until then; "other
  // name" means "echo".
  AgentSource source() {
    return {.resolve = [](std::string name) { return resolve(std::move(name)); },
            .prepare =
                [this](const std::string& name, std::shared_ptr<Preparation> preparation) {
                  ++launches;
                  prepare(name, std::move(preparation));
                }};
  }

  void prepare(const std::string& name, std::shared_ptr<Preparation> preparation) {
    if (name == "unclear") {
      slow = std::move(preparation);
      return;
    }
    const auto agent = meaning(name);
    if (agent) preparation->agent = *agent;
    if (!agent) {
      preparation->outcome = fail(agent.error());
    } else if (*agent == "slow") {
      slow = std::move(preparation);
    } else if (*agent == "missing") {
      preparation->outcome = ChildSpec{{"/no/such/program"}, {}};
    } else {
      preparation->outcome = ChildSpec{{"/bin/sh", "-c", agent_scripts.at(*agent)}, {"PATH=/usr/bin:/bin"}};
    }
  }

  static Result<std::string> meaning(const std::string& name) {
    if (name == "other name") return "echo";
    if (name == "missing" || name == "slow" || agent_scripts.contains(name)) return name;
    return fail(ErrorCode::unsupported_agent, "There is no such agent.");
  }
  static Task<Result<std::string>> resolve(std::string name) { co_return meaning(name); }

  void run(Body body) {
    patience.arm_in(Millis(20'000), [this] {
      FAIL_CHECK("the test did not end");
      processes.kill_all();
      loop.stop();
    });
    spawn(body_then_end(body));
    loop.run();
    CHECK(processes.alive() == 0);
  }
  Task<> body_then_end(Body body) {
    co_await body(*this);
    co_await instances.close_all();
    while (processes.alive() > 0) co_await Yield{loop};
    loop.stop();
  }

  Loop loop;
  Processes processes;
  Instances instances;
  Timer patience{loop};
  int launches = 0;
  std::shared_ptr<Preparation> slow;
};

inline Envelope envelope(std::string text) { return parse_envelope(std::move(text)).value(); }
inline Envelope request_1() { return envelope(R"({"id":1,"method":"m"})"); }

inline bool stays(Signal&) { return false; }

// Starts an agent under its own name as id. A failure fails the test by exception, which ends the process.
inline Task<std::shared_ptr<Instance>> start(InstancesWorld& world, std::string agent) {
  auto started = co_await world.instances.find_or_start(agent, agent);
  co_return std::move(started.value());
}

// Everything a reader gets until it has seen `end` or the stream has ended.
inline Task<std::string> read_until(InstancesWorld& world, Instance& instance, std::string end, ReaderStart from = {}) {
  Signal wake(world.loop);
  const auto reader = instance.read(from);
  reader->set_wake(&wake);
  std::string text;
  for (;;) {
    std::vector<SharedBytes> batch;
    reader->take(batch, 1u << 20);
    for (const SharedBytes& piece : batch) text += piece.bytes;
    if (text.find(end) != std::string::npos || reader->ended()) break;
    co_await wake.wait();
  }
  co_return text;
}

inline std::string message(int id, std::string_view data) {
  return "event: message\nid: " + std::to_string(id) + "\ndata: " + std::string(data) + "\n\n";
}

}  // namespace sa
