// Where a token must not be seen: answers, logs, process lists, the environment of whatever the daemon starts, files of others.
// And where it can be, because nothing protects it there: docs/guide/security-model.md says so, and this keeps it true.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include "support/cli_home.h"
#include "support/survivors.h"

using namespace rig;

namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;  // where, what

const std::string secret = "s3cr3t-0123456789-abcdef";

std::string of_process(pid_t pid, const char* file) { return read_file("/proc/" + std::to_string(pid) + "/" + file); }

void never_in(const Texts& texts, const std::string& token) {
  for (const auto& [where, text] : texts)
    CHECK_MESSAGE(!contains(text, token), where, " shows the token: ", text.substr(0, 500));
}

// Answers of every kind, asked with the right token, a wrong one and none; also by somebody who put it in the wrong place.
Texts answers_of(const Daemon& daemon, const std::string& token) {
  Texts answers;
  const Api with_it(daemon.port(), token);
  const auto keep = [&](const std::string& what, const Response& response) {
    std::string head;
    for (const auto& [name, value] : response.headers) head.append(name).append(": ").append(value).append("\n");
    answers.emplace_back(what + " " + std::to_string(response.status), head + response.body);
  };
  for (const char* target : {"/", "/v1/health", "/v1/status", "/v1/openapi.json", "/v1/acp", "/v1/agents", "/v1/agents/fake",
                             "/v1/acp/x/stderr", "/v1/acp/nowhere", "/v1/nothing", "/v1/rpc", "/v1/fs/entries", "/ui/",
                             "/v1/fs/stat?path=nowhere", "/v1/config/mcp?directory=.&mcpName=x"}) {
    keep(std::string("GET ") + target, with_it.get(target));
    keep(std::string("GET with another: ") + target, Api(daemon.port(), token + "x").get(target));
    keep(std::string("GET without: ") + target, Api(daemon.port(), "").get(target));
  }
  keep("in the query", with_it.get("/v1/acp/nowhere?token=" + token));
  keep("broken JSON", with_it.request("POST", "/v1/acp/x", {{"Content-Type", "application/json"}}, "{"));
  keep("wrong method", with_it.request("PATCH", "/v1/health"));
  keep("wrong origin", with_it.get("/v1/health", {{"Origin", "http://evil.example"}}));
  keep("wrong host", with_it.get("/v1/health", {{"Host", "evil.example"}}));
  keep("too much", with_it.get("/v1/health", {{"X", std::string(70'000, 'x')}}));
  keep("install", with_it.request("POST", "/v1/agents/fake/install", {{"Content-Type", "application/json"}}, "{}"));
  keep("crash", with_it.request("POST", "/v1/acp/x", {{"Content-Type", "application/json"}}, rpc_request("9", "crash")));
  keep("after it", with_it.request("POST", "/v1/acp/x", {{"Content-Type", "application/json"}}, rpc_request("10", "echo")));
  return answers;
}

// What the processes that the daemon started show to others: its supervisors and agents.
Texts processes_below(const Daemon& daemon) {
  Texts texts;
  for (const pid_t pid : marked_processes(daemon.mark())) {
    if (pid == daemon.pid()) continue;
    const auto name = "process " + std::to_string(pid) + " " + of_process(pid, "comm");
    texts.emplace_back("the environment of " + name, of_process(pid, "environ"));
    texts.emplace_back("the words of " + name, of_process(pid, "cmdline"));
  }
  return texts;
}

Texts files_below(const std::filesystem::path& folder, const std::filesystem::path& but) {
  Texts texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path() != but) texts.emplace_back(entry.path().native(), read_file(entry.path()));
  }
  return texts;
}

void look_everywhere(Daemon& daemon, const std::string& token, const std::filesystem::path& token_file = {}) {
  const Acp acp(Api(daemon.port(), token), "x", "fake");
  const auto agent = acp.post(rpc_request("1", "surroundings"));
  REQUIRE_EQ(agent.status, 200);
  never_in({{"what an agent was given", agent.body}}, token);
  const auto below = processes_below(daemon);
  CHECK_GE(below.size(), 4);  // a supervisor and its agent
  never_in(below, token);
  never_in({{"the daemon's words", of_process(daemon.pid(), "cmdline")}}, token);
  never_in(answers_of(daemon, token), token);
  never_in(files_below(daemon.home(), token_file), token);  // its log and its output are among them
  daemon.stop(SIGTERM);
  never_in(files_below(daemon.home(), token_file), token);
  CHECK_EQ(daemon.ready_line().find(token), std::string::npos);
}

unsigned mode_of(const std::filesystem::path& path) {
  struct stat info{};
  REQUIRE_EQ(lstat(path.c_str(), &info), 0);
  return info.st_mode & 07777U;
}

}  // namespace

TEST_SUITE_BEGIN("security");

TEST_CASE("a token from the environment is in no answer, log, file, process list or child") {
  const auto log = [](const std::string& name) { return std::vector<std::string>{"--log-level", "debug", "--log-file", name}; };
  Daemon daemon(DaemonSetup{.flags = log("daemon.log"), .env = {"SANDBOX_AGENT_TOKEN=" + secret}, .with_token = false});
  look_everywhere(daemon, secret);
  CHECK_GT(read_file(daemon.home() / "daemon.log").size(), 0);
}

TEST_CASE("a token from a file is in no answer, log, other file, process list or child") {
  TempDir folder;
  write_file(folder.path() / "token", secret + "\n");
  Daemon daemon(DaemonSetup{.flags = {"--log-level", "debug", "--token-file", folder.path() / "token"}, .with_token = false});
  CHECK_EQ(of_process(daemon.pid(), "environ").find(secret), std::string::npos);
  look_everywhere(daemon, secret, folder.path() / "token");
}

TEST_CASE("a token from a flag is in the daemon's own words and nowhere else") {
  Daemon daemon(DaemonSetup{.flags = {"--log-level", "debug", "--token", secret}, .with_token = false});
  CHECK(contains(of_process(daemon.pid(), "cmdline"), secret));  // which every user of the machine can read
  const Acp acp(Api(daemon.port(), secret), "x", "fake");
  never_in({{"what an agent was given", acp.post(rpc_request("1", "surroundings")).body}}, secret);
  never_in(processes_below(daemon), secret);
  never_in(answers_of(daemon, secret), secret);
  daemon.stop(SIGTERM);
  never_in(files_below(daemon.home(), {}), secret);
}

TEST_CASE("a generated token is in the link and in one private file, which goes with the daemon") {
  Daemon daemon(DaemonSetup{.flags = {"--log-level", "debug"}, .with_token = false});
  const auto token = text_at(daemon.ready_line(), "token");
  REQUIRE_EQ(token.size(), 48);
  const auto state = daemon.data() / "sandbox-agent/daemon" / ("server-" + std::to_string(daemon.port()) + ".json");
  CHECK(contains(read_file(state), token));
  CHECK_EQ(mode_of(state), 0600U);
  const Acp acp(Api(daemon.port(), token), "x", "fake");
  never_in({{"what an agent was given", acp.post(rpc_request("1", "surroundings")).body}}, token);
  never_in(processes_below(daemon), token);
  never_in(answers_of(daemon, token), token);
  never_in({{"the daemon's words", of_process(daemon.pid(), "cmdline")}, {"its log", daemon.stderr_text()}}, token);
  daemon.stop(SIGTERM);
  CHECK_FALSE(std::filesystem::exists(state));
}

TEST_CASE("an empty token lets nobody in, wherever it comes from") {
  const auto refuses = [](Words words, const Words& env) {
    CliHome home;
    words.insert(words.begin(), {"server", "--port", "0"});
    return home.run(words, {.env = env}).code;
  };
  TempDir folder;
  write_file(folder.path() / "empty", "");
  write_file(folder.path() / "blank", "\n" + secret + "\n");
  CHECK_EQ(refuses({"--token", ""}, {}), 2);
  CHECK_EQ(refuses({"--token="}, {}), 2);
  CHECK_EQ(refuses({"--token-file", folder.path() / "empty"}, {}), 2);
  CHECK_EQ(refuses({"--token-file", folder.path() / "blank"}, {}), 2);
  CHECK_EQ(refuses({"--token-file", folder.path() / "nowhere"}, {}), 2);
  CHECK_EQ(refuses({"--token-file", folder.path()}, {}), 2);
  CHECK_EQ(refuses({"--token", "a", "--no-token"}, {}), 2);
  const Daemon generated(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN="}, .with_token = false});
  CHECK_EQ(problem_of(Api(generated.port(), "").get("/v1/health")), "401 token_missing");
}

TEST_CASE("without a token a daemon stays on loopback unless it is told twice") {
  const auto refuses = [](const Words& more) {
    CliHome home;
    Words words = {"server", "--port", "0", "--no-token", "--host"};
    words.insert(words.end(), more.begin(), more.end());
    const auto end = home.run(words);
    return end.code == 2 && contains(end.err, "without a token");
  };
  CHECK(refuses({"0.0.0.0"}));
  CHECK(refuses({"::"}));
  CHECK(refuses({"[::]"}));
  CHECK(refuses({"10.1.2.3"}));
}

TEST_CASE("commands show the token in the link and nowhere else") {
  CliHome home;
  const auto daemon = home.start_daemon();
  const auto token = daemon.token();
  REQUIRE_GE(token.size(), 32);
  home.run({"run", "hello"});
  for (const Words& words : {Words{"daemon", "status"},
                             {"daemon", "status", "--json"},
                             {"ps"},
                             {"ps", "--json"},
                             {"doctor"},
                             {"doctor", "--json"},
                             {"credentials", "status"},
                             {"agents", "list"},
                             {"version", "--json"},
                             {"logs"},
                             {"api", "status"},
                             {"api", "acp", "list"},
                             {"api", "openapi"},
                             {"api", "fs", "entries"},
                             {"daemon", "start"},
                             {"api", "acp", "stderr", "nowhere"}}) {
    const auto end = home.run(words);
    never_in({{words[0] + " " + (words.size() > 1 ? words[1] : ""), end.all()}}, token);
    CHECK_NE(end.all(), "");
  }
  CHECK(contains(home.run({"ui"}).out, "#token=" + token));
  const auto wrong = home.run({"api", "health"}, {.env = {"SANDBOX_AGENT_TOKEN=" + secret}});
  CHECK_EQ(wrong.code, 4);
  never_in({{"a refusal", wrong.all()}}, secret);
  never_in({{"a refusal", wrong.all()}}, token);
  never_in({{"the daemon's words", of_process(daemon.pid(), "cmdline")}}, token);
  never_in(files_below(home.data(), daemon.file), token);
}

TEST_CASE("a daemon started in the background gets its token by the environment, not in its words") {
  CliHome home;
  const auto started = home.run({"daemon", "start", "--port", "0", "--idle-exit-ms", "60000", "--token", secret});
  REQUIRE_EQ(started.code, 0);
  CHECK(contains(started.err, "visible in process lists"));
  const auto daemon = home.daemon();
  never_in({{"its words", of_process(daemon.pid(), "cmdline")}}, secret);
  never_in(files_below(home.path(), {}), secret);
  CHECK_EQ(Api(daemon.port(), secret).get("/v1/health").status, 200);
  CHECK_EQ(Api(daemon.port(), "").get("/v1/health").status, 401);
}

TEST_CASE("what the daemon keeps for itself is closed to other users, whatever the umask") {
  const mode_t before = umask(0);
  Daemon daemon(DaemonSetup{.flags = {"--log-file", "daemon.log"}, .with_token = false});
  umask(before);
  const Api api(daemon.port(), text_at(daemon.ready_line(), "token"));
  const auto put = api.request("PUT", "/v1/config/mcp?directory=.&mcpName=x", {{"Content-Type", "application/json"}},
                               R"({"type":"local","command":["x"],"env":{"KEY":"a secret"}})");
  REQUIRE_EQ(put.status, 204);
  CHECK_EQ(mode_of(daemon.home() / "daemon.log"), 0600U);
  CHECK_EQ(mode_of(daemon.home() / ".sandbox-agent/config/mcp.json"), 0600U);
  CHECK_EQ(mode_of(daemon.data() / "sandbox-agent/daemon"), 0700U);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(daemon.data() / "sandbox-agent/daemon")) {
    INFO(entry.path());
    CHECK_EQ(mode_of(entry.path()) & 077U, 0U);
    ++files;
  }
  CHECK_GT(files, 0);
}

TEST_CASE("not protected: whoever runs as the same user can read the daemon's environment and its state") {
  const Daemon daemon(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN=" + secret}, .with_token = false});
  CHECK(contains(of_process(daemon.pid(), "environ"), "SANDBOX_AGENT_TOKEN=" + secret));
  const Daemon generated(DaemonSetup{.with_token = false});
  const auto state = generated.data() / "sandbox-agent/daemon" / ("server-" + std::to_string(generated.port()) + ".json");
  CHECK_EQ(Api(generated.port(), text_at(read_file(state), "token")).get("/v1/health").status, 200);
}

TEST_SUITE_END();
