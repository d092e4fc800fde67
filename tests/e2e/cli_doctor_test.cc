#include <doctest/doctest.h>
#include <signal.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>

#include "command_run.h"
#include "scripted_daemon.h"
#include "support/acp.h"

using namespace rig;

namespace {

constexpr milliseconds limit{3000};

// How long the command takes; `look` sees what it did.
milliseconds time_once(const std::vector<std::string>& words, const CommandRun::Prepare& prepare,
                       const std::function<void(CommandRun&)>& look) {
  const auto start = Clock::now();
  CommandRun run(words, {}, prepare);
  run.code();
  const auto took = since(start);
  look(run);
  return took;
}

boost::json::object object(const std::string& text) { return boost::json::parse(text).as_object(); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A state file that others may read: its token is no secret any more.
void put_open_state(const std::filesystem::path& home) {
  const auto folder = home / "data/sandbox-agent/daemon";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "server-1.json")
      << R"({"url":"http://127.0.0.1:1","pid":1,"startTicks":1,"token":"state-secret-4711"})";
  std::filesystem::permissions(folder / "server-1.json", std::filesystem::perms(0644));
}

// An agent by a launcher put there by hand.
void put_launcher(const std::filesystem::path& home, const std::string& id, const std::string& script) {
  const auto folder = home / "data/sandbox-agent/bin/agent_processes";
  std::filesystem::create_directories(folder);
  const auto path = folder / (id + "-acp");
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms(0755));
}

boost::json::object check_named(const boost::json::object& report, std::string_view name) {
  for (const auto& check : report.at("checks").as_array())
    if (check.at("name").as_string() == name) return check.as_object();
  return {};
}

boost::json::object agent_named(const boost::json::object& report, std::string_view id) {
  for (const auto& agent : report.at("agents").as_array())
    if (agent.at("agent").as_string() == id) return agent.as_object();
  return {};
}

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("doctor takes less than three seconds, counts its checks and exits 0 when nothing is wrong") {
  const auto took = best_of_three(scaled(limit), [] {
    return time_once({"doctor", "--port", "1"}, {}, [](CommandRun& run) {
      INFO(run.all());
      CHECK_EQ(run.code(), 0);
      CHECK(contains(run.out(), "✓ "));
      CHECK(contains(run.out(), " checks: "));
      CHECK(contains(run.out(), "- claude         Not installed\n"));
      CHECK(contains(run.out(), "None runs"));
      CHECK_EQ(run.err(), "");
      CHECK_FALSE(contains(run.out(), "\x1b["));
    });
  });
  CHECK_LT(took, scaled(limit));
}

TEST_CASE("doctor finds a state file others may read, says how to mend it, and exits 1") {
  CommandRun run({"doctor"}, {}, put_open_state);
  CHECK_EQ(run.code(), 1);
  CHECK(contains(run.out(), "✗ "));
  CHECK(contains(run.out(), "chmod"));
  CHECK(contains(run.out(), "server-1.json"));
  CHECK_FALSE(contains(run.all(), "state-secret-4711"));
}

TEST_CASE("doctor shows no secret, whatever the environment holds") {
  const std::vector<std::string> secrets = {"ANTHROPIC_API_KEY=SECRET-a", "OPENAI_API_KEY=SECRET-b",
                                            "SANDBOX_AGENT_TOKEN=SECRET-c", "https_proxy=http://user:SECRET-d@127.0.0.1:9"};
  for (const auto& words : {std::vector<std::string>{"doctor"}, {"doctor", "--json"}, {"doctor", "--verbose"}}) {
    CommandRun run(words, secrets, put_open_state);
    CHECK_EQ(run.code(), 1);
    CHECK(contains(run.out(), "ANTHROPIC_API_KEY"));
    CHECK(contains(run.out(), "https_proxy"));
    CHECK_FALSE(contains(run.all(), "SECRET"));
    CHECK_FALSE(contains(run.all(), "state-secret-4711"));
  }
}

TEST_CASE("doctor asks installed agents, and one that never answers does not hold it up") {
  const auto prepare = [](const std::filesystem::path& home) {
    put_launcher(home, "mute", "exec sleep 60");
    put_launcher(home, "tin", "exec \"$SANDBOX_AGENT_BIN\" mock-agent");
  };
  boost::json::object tin;
  const auto took = best_of_three(scaled(limit), [&] {
    milliseconds said{0};
    const auto measured = time_once({"doctor", "--json"}, prepare, [&](CommandRun& run) {
      INFO(run.out());
      CHECK_EQ(run.code(), 0);  // a busy machine may be the reason: a warning
      const auto report = object(run.out());
      CHECK_EQ(report.at("ok").as_bool(), true);
      CHECK_EQ(agent_named(report, "mute").at("check").at("state").as_string(), "warning");
      CHECK_EQ(agent_named(report, "mock").at("credentials").as_string(), "not_needed");
      tin = agent_named(report, "tin").at("check").as_object();
      said = milliseconds(report.at("durationMs").as_int64());
    });
    const bool is_heard = tin.at("state").as_string() == "ok";  // else it had no turn in time: once more
    return is_heard ? std::max(measured, said) : scaled(limit);
  });
  CHECK_LT(took, scaled(limit));
  CHECK_EQ(tin.at("state").as_string(), "ok");
  CHECK(contains(std::string(tin.at("text").as_string()), " ms"));
}

TEST_CASE("doctor ends also when the key is the mark that stands for a key") {
  CommandRun run({"doctor", "--json"}, {"ANTHROPIC_API_KEY=…"},
                 [](const std::filesystem::path& home) { put_launcher(home, "claude", "echo 'no … today' >&2; exit 3"); });
  run.code();
  CHECK(contains(run.out(), "no … today"));
}

TEST_CASE("doctor knows a daemon that is healthy and one that is not") {
  Daemon daemon;
  const std::string url = "http://127.0.0.1:" + std::to_string(daemon.port());
  CommandRun healthy({"doctor", "--json", "--endpoint", url}, {"SANDBOX_AGENT_TOKEN=" + daemon.token()});
  healthy.code();
  const auto fine = check_named(object(healthy.out()), "daemon");
  CHECK_EQ(fine.at("state").as_string(), "ok");
  CHECK(contains(std::string(fine.at("text").as_string()), url));
  CommandRun wrong_token({"doctor", "--endpoint", url}, {"SANDBOX_AGENT_TOKEN=another"});
  CHECK_EQ(wrong_token.code(), 1);
  CHECK(contains(wrong_token.out(), "✗ daemon"));
  CommandRun gone({"doctor", "--endpoint", "http://127.0.0.1:1"});
  CHECK_EQ(gone.code(), 1);
  CHECK(contains(gone.out(), "✗ daemon"));
}

TEST_CASE("a daemon that hangs does not hold doctor up") {
  Daemon daemon;
  daemon.process().signal(SIGSTOP);
  const std::string port = std::to_string(daemon.port());
  const std::vector<std::string> words{"doctor", "--port", port, "--endpoint", "http://127.0.0.1:" + port, "--token", "t"};
  const auto took = best_of_three(scaled(limit), [&] {
    return time_once(words, {}, [](CommandRun& run) {
      CHECK_EQ(run.code(), 1);
      CHECK(contains(run.out(), "✗ daemon"));
    });
  });
  daemon.process().signal(SIGCONT);
  CHECK_LT(took, scaled(limit));
}

TEST_CASE("nor does one that answers drop by drop") {
  std::string answer;
  for (int i = 0; i < 120; ++i) answer += " <pause>";  // a minute
  const ScriptedDaemon daemon([&](const std::string&) { return answer; });
  CommandRun run({"doctor", "--endpoint", daemon.url(), "--token", "t"});
  CHECK_EQ(run.code(milliseconds(30'000)), 1);
  CHECK(contains(run.out(), "✗ daemon"));
}

TEST_CASE("doctor --online reaches the registry and the hosts of the models whose keys are there, and nothing else does") {
  Daemon stand_in;  // any HTTP server will do: whatever it answers, it is there
  const std::string url = "http://localhost:" + std::to_string(stand_in.port());
  const std::vector<std::string> env = {"SANDBOX_AGENT_ACP_REGISTRY_URL=" + url + "/registry.json", "OPENAI_API_KEY=SECRET",
                                        "OPENAI_BASE_URL=http://127.0.0.1:1/v1"};
  CommandRun offline({"doctor"}, env);
  offline.code();
  CHECK_FALSE(contains(offline.out(), "reach "));
  CommandRun online({"doctor", "--online"}, env);
  CHECK_EQ(online.code(), 1);
  CHECK(contains(online.out(), "✓ reach localhost"));
  CHECK(contains(online.out(), "✗ reach 127.0.0.1"));
  CHECK_FALSE(contains(online.all(), "SECRET"));
}

TEST_SUITE_END();
