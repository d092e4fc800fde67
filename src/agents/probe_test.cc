// Real processes under real supervisors; the agents are a few lines of shell.
#include "agents/probe.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "base/scratch_folder.h"
#include "base/test_descriptors.h"
#include "base/version.h"
#include "io/process_world.h"

namespace sa {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

// What the scripts begin with: they work in an empty directory and keep what they hear in $NOTES.
constexpr char hear[] = R"(hear() { read -r line && printf '%s\n' "$line" >>"$NOTES/heard"; }; )";
constexpr char initialized[] =
    R"(echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"a","version":"1.2.3"}}}'; )";
constexpr char one_mode[] =
    R"(echo '{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","modes":{"currentModeId":"x","availableModes":[{"id":"x","name":"X"}]}}}'; )";

// Folders for notes and for the agent.
struct World : ProcessWorld {
  ScratchFolder notes, temporary;
  WorkerPool pool{loop};

  Result<ProbeResult> probe(ChildSpec agent, ProbeLimits limits) {
    auto outcome = run(probe_agent(loop, processes, pool, std::move(agent), limits));
    CHECK(temporary.names().empty());
    return outcome;
  }
  std::vector<std::string> environment() const {
    return {"PATH=/usr/bin:/bin", "TMPDIR=" + temporary.path(), "NOTES=" + notes.path()};
  }
  ProbeResult probe(const std::string& script, ProbeLimits limits = {.time = 20s}) {
    return probe({{"/bin/sh", "-c", hear + script}, environment()}, limits).value();
  }
  json::value heard(std::size_t at) const {
    std::istringstream lines(notes.read("heard"));
    std::string line;
    for (std::size_t i = 0; i <= at; ++i) std::getline(lines, line);
    return json::parse(line);
  }
};

// How long agents are waited for that do not answer: others use the machine too, and one that had not begun is asked again.
constexpr Millis patience[] = {Millis(1'000), Millis(10'000)};

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0 || errno != ESRCH; }

}  // namespace

TEST_CASE("an agent is asked in a directory of its own, of which nothing is left") {
  World world;
  const ProbeResult result =
      world.probe(std::string("pwd >$NOTES/cwd; ls -A >$NOTES/files; mkdir -p a/b; touch a/b/c; hear; ") + initialized +
                  "hear; " + one_mode + "sleep 300");
  CHECK_FALSE(result.error.has_value());
  CHECK(result.agent_version == "1.2.3");
  CHECK(to_json(result.options) ==
        R"([{"id":"mode","name":"Mode","category":"mode","currentValue":"x","options":[{"value":"x","name":"X"}]}])");
  std::string directory = world.notes.read("cwd");
  directory.pop_back();
  CHECK(directory.starts_with(world.temporary.path() + "/"));
  CHECK(world.notes.read("files").empty());
  CHECK(world.heard(0) == json::value{{"jsonrpc", "2.0"},
                                      {"id", 1},
                                      {"method", "initialize"},
                                      {"params",
                                       {{"protocolVersion", 1},
                                        {"clientCapabilities",
                                         {{"fs", {{"readTextFile", false}, {"writeTextFile", false}}}, {"terminal", false}}},
                                        {"clientInfo", {{"name", "sandbox-agent"}, {"version", version}}}}}});
  CHECK(world.heard(1) == json::value{{"jsonrpc", "2.0"},
                                      {"id", 2},
                                      {"method", "session/new"},
                                      {"params", {{"cwd", directory}, {"mcpServers", json::array()}}}});
}

TEST_CASE("nothing is left of an agent's directory either when it has made it deeper than all descriptors") {
  World world;
  const FewDescriptors few(200);
  world.probe(std::string("mkdir -p $(printf 'd/%.0s' $(seq 600)); hear; ") + initialized + "hear; " + one_mode);
}

TEST_CASE("options in groups arrive as one list") {
  const ProbeResult result = World().probe(
      std::string("hear; ") + initialized +
      R"(hear; echo '{"id":2,"result":{"sessionId":"s","configOptions":[{"id":"model","name":"Model","category":"model","type":"select","currentValue":"b","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]},{"group":"h","name":"H","options":[{"value":"b","name":"B"}]}]}]}}'; cat)");
  CHECK_FALSE(result.error.has_value());
  REQUIRE(result.options.size() == 1);
  CHECK(result.options[0].options.size() == 2);
  CHECK(result.options[0].current_value == "b");
}

TEST_CASE("an agent's refusal is told in its words, and what it said before is kept") {
  const std::string refusal =
      R"(echo '{"id":2,"error":{"code":-32000,"message":"Authentication required"},"result":null}'; cat)";
  const ProbeResult result = World().probe(std::string("hear; ") + initialized + "hear; " + refusal);
  CHECK(result.error == "session/new: Authentication required (-32000)");
  CHECK(result.agent_version == "1.2.3");
  CHECK(result.options.empty());
  CHECK(World().probe(R"(hear; echo '{"id":1,"error":"no"}'; cat)").error == "initialize: the agent refused");
}

TEST_CASE("a silent agent is given up at the time limit, with all it started") {
  World world;
  ProbeResult result;
  for (const Millis time : patience) {
    const std::string script = "trap '' TERM; echo $$ >$NOTES/pid; setsid sleep 300 & echo $! >$NOTES/other; wait; sleep 300";
    result = world.probe(script, {.time = time});
    if (world.notes.has("other") && !world.notes.read("other").empty()) break;
  }
  REQUIRE(result.error.has_value());
  CHECK(result.error->starts_with("initialize: the agent did not answer within 1"));
  CHECK(result.agent_version.empty());
  CHECK_FALSE(is_alive(std::stoi(world.notes.read("pid"))));
  CHECK_FALSE(is_alive(std::stoi(world.notes.read("other"))));
}

TEST_CASE("the time limit is for both answers together") {
  ProbeResult result;
  for (const Millis time : patience) {
    result = World().probe(std::string("hear; ") + initialized + "sleep 300", {.time = time});
    if (!result.agent_version.empty()) break;
  }
  REQUIRE(result.error.has_value());
  CHECK(result.error->starts_with("session/new: the agent did not answer within 1"));
  CHECK(result.agent_version == "1.2.3");
}

TEST_CASE("an agent that ends instead of answering is told with its exit and its last line") {
  CHECK(World().probe("exit 7").error == "initialize: the agent exited with code 7 before it answered");
  CHECK(World().probe(std::string("hear; ") + initialized + "echo one >&2; echo two >&2; echo >&2; kill -KILL $$").error ==
        "session/new: the agent was ended by SIGKILL before it answered: two");
}

TEST_CASE("an agent that ends as soon as it has answered has answered") {
  const ProbeResult result = World().probe(std::string("hear; ") + initialized + "hear; " + one_mode + "exit 1");
  CHECK_FALSE(result.error.has_value());
  CHECK(result.options.size() == 1);
}

TEST_CASE("an agent that is not there is an error in words") {
  World world;
  const auto result = world.probe({{"/no/such/agent"}, world.environment()}, {});
  REQUIRE(result.has_value());
  CHECK(result->error == "initialize: the agent could not be started: No such file or directory (ENOENT)");
}

TEST_CASE("what an agent asks is refused at once, so that it can go on") {
  World world;
  const ProbeResult result = world.probe(
      std::string(R"(hear; echo '{"id":"q\u0031","method":"fs/read_text_file","params":{"path":"/etc/passwd"}}'; hear; )") +
      initialized + R"(echo '{"id":2,"method":"x"}'; hear; hear; )" + one_mode + "cat");
  CHECK_FALSE(result.error.has_value());
  CHECK(result.options.size() == 1);
  CHECK(world.heard(1) ==
        json::value{{"jsonrpc", "2.0"}, {"id", "q1"}, {"error", {{"code", -32601}, {"message", "Method not found"}}}});
}

TEST_CASE("an agent that asks for ever and hears nothing is given up") {
  const ProbeResult result = World().probe(R"(exec yes '{"id":1234567890,"method":"x"}')");
  CHECK(result.error == "initialize: the agent does not read its input");
}

TEST_CASE("notifications, other answers and lines that are no JSON are ignored") {
  const ProbeResult result = World().probe(
      std::string(R"(echo hello; echo; printf '\377\000{\n'; echo '[1]'; echo '{"method":"session/update"}'; )") +
      R"(echo '{"id":"1","result":{}}'; echo '{"id":2,"result":{}}'; head -c 200000 /dev/zero | tr '\0' x; echo; hear; )" +
      initialized + "hear; " + one_mode + "cat");
  CHECK_FALSE(result.error.has_value());
  CHECK(result.agent_version == "1.2.3");
  CHECK(result.options.size() == 1);
}

TEST_CASE("a line without an end is given up") {
  const ProbeResult result = World().probe("cat /dev/zero");
  CHECK(result.error == "initialize: the agent wrote a line longer than 4194304 bytes");
}

TEST_CASE("an answer that cannot be read is said so") {
  CHECK(World().probe(R"(hear; echo '{"id":1,"result":"\ud83d"}'; cat)").error ==
        "initialize: the agent's answer cannot be read");
}

TEST_CASE("a stop ends the probe") {
  World world;
  StopFlag stop = false;
  Timer look(world.loop);
  const std::function<void()> stop_when_heard = [&] {
    stop = world.notes.has("heard");
    if (!stop) look.arm_in(5ms, stop_when_heard);
  };
  stop_when_heard();
  const ChildSpec agent{{"/bin/sh", "-c", std::string(hear) + "hear; sleep 300"}, world.environment()};
  const auto result = world.probe(agent, {.stop = &stop});
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().code == ErrorCode::overloaded);
}

TEST_CASE("without a place for the directory the agent is not started") {
  World world;
  const auto result =
      world.probe({{"/bin/sh", "-c", "touch $NOTES/started"}, {"TMPDIR=/no/such/folder", "NOTES=" + world.notes.path()}}, {});
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().code == ErrorCode::internal);
  CHECK(result.error().detail.find("/no/such/folder") != std::string::npos);
  CHECK_FALSE(world.notes.has("started"));
}

}  // namespace sa
