#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/cli_home.h"

using namespace rig;

namespace {

std::string url_of(const Daemon& daemon) { return "http://127.0.0.1:" + std::to_string(daemon.port()); }

// Nobody listens there, and nobody else gets it meanwhile.
struct SilentPort {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string url;

  SilentPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) throw std::runtime_error("cannot hold a port");
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~SilentPort() { close(fd); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;
};

}  // namespace

TEST_SUITE_BEGIN("cli_endpoint");

TEST_CASE("without a daemon a command that needs one exits 3 with three lines at most") {
  CliHome home;
  for (const Words& words : {Words{"ps"}, {"stop", "x"}, {"logs", "x"}, {"attach", "x"}, {"trace", "export", "x"}, {"ui"}}) {
    INFO(words[0]);
    const auto ended = home.run(words);
    CHECK_EQ(ended.code, 3);
    CHECK_EQ(ended.out, "");
    CHECK(ended.err.starts_with("error: "));
    CHECK_LE(lines_of(ended.err).size(), 3);
    CHECK(contains(ended.err, "sandbox-agent"));
  }
  CHECK(home.daemons().empty());
}

TEST_CASE("nobody at the given address exits 3 within two seconds and starts no daemon") {
  CliHome home;
  SilentPort nobody;
  for (const Words& words : {Words{"ps"}, {"run", "hello"}}) {
    INFO(words[0]);
    auto with_flag = words;
    with_flag.insert(with_flag.begin() + 1, {"--endpoint", nobody.url});
    const auto limit = scaled(milliseconds(2000));
    const auto took = best_of_three(limit, [&] {
      const auto ended = home.run(with_flag);
      CHECK_EQ(ended.code, 3);
      CHECK(contains(ended.err, nobody.url.substr(7)));
      CHECK_LE(lines_of(ended.err).size(), 3);
      return ended.took;
    });
    CHECK_LT(took, limit);
    const auto by_variable = home.run(words, {.env = {"SANDBOX_AGENT_URL=" + nobody.url}});
    CHECK_EQ(by_variable.code, 3);
  }
  CHECK(home.daemons().empty());
}

TEST_CASE("a wrong token and a missing one exit 4") {
  CliHome home;
  Daemon daemon;
  write_file(home.path() / "wrong", "wrong-token\n");
  const auto wrong = home.run({"ps", "--endpoint", url_of(daemon), "--token-file", "wrong"});
  CHECK_EQ(wrong.code, 4);
  CHECK_LE(lines_of(wrong.err).size(), 3);
  CHECK_FALSE(contains(wrong.all(), "wrong-token"));
  CHECK_EQ(home.run({"ps", "--endpoint", url_of(daemon)}).code, 4);
  CHECK_EQ(home.run({"run", "--endpoint", url_of(daemon), "hello"}).code, 4);
  CHECK_EQ(home.run({"ps", "--endpoint", url_of(daemon), "--token-file", "/no/such/file"}).code, 4);
}

TEST_CASE("--token is taken with a warning, a file and the environment without") {
  CliHome home;
  Daemon daemon;
  const auto by_option = home.run({"ps", "--endpoint", url_of(daemon), "--token", daemon.token()});
  CHECK_EQ(by_option.code, 0);
  CHECK(contains(by_option.err, "warning: "));
  CHECK(contains(by_option.err, "--token-file"));
  CHECK_FALSE(contains(by_option.all(), daemon.token()));

  write_file(home.path() / "token", daemon.token() + "\n");
  const auto by_file = home.run({"ps", "--endpoint", url_of(daemon), "--token-file", "token"});
  CHECK_EQ(by_file.code, 0);
  CHECK_FALSE(contains(by_file.err, "warning"));

  home.set("SANDBOX_AGENT_URL=" + url_of(daemon));
  home.set("SANDBOX_AGENT_TOKEN=" + daemon.token());
  const auto by_variable = home.run({"ps"});
  CHECK_EQ(by_variable.code, 0);
  CHECK_FALSE(contains(by_variable.err, "warning"));
}

TEST_CASE("options beat the environment") {
  CliHome home;
  Daemon daemon;
  SilentPort nobody;
  write_file(home.path() / "token", daemon.token());
  home.set("SANDBOX_AGENT_URL=" + nobody.url);
  home.set("SANDBOX_AGENT_TOKEN=wrong");
  CHECK_EQ(home.run({"ps", "--endpoint", url_of(daemon) + "/", "--token-file", "token"}).code, 0);
  CHECK_EQ(home.run({"--endpoint", url_of(daemon), "--token-file", "token", "ps"}).code, 0);
}

TEST_CASE("run works at the daemon it is given and starts none") {
  CliHome home;
  Daemon daemon;
  const auto ended =
      home.run({"run", "hello"}, {.env = {"SANDBOX_AGENT_URL=" + url_of(daemon), "SANDBOX_AGENT_TOKEN=" + daemon.token()}});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK_EQ(ended.out, demo_answer(Api(daemon), "hello"));
  CHECK(Api(daemon).servers().empty());
  CHECK(home.daemons().empty());
}

TEST_CASE("a proxy in the environment is not asked for a daemon on this machine") {
  CliHome home;
  SilentPort nobody;
  home.set("HTTP_PROXY=" + nobody.url);
  home.set("http_proxy=" + nobody.url);
  CHECK_EQ(home.run({"run", "hello"}).code, 0);
}

TEST_CASE("an address that is none is wrong usage or unreachable, never a crash") {
  CliHome home;
  for (const std::string url : {"not a url", "ftp://127.0.0.1", "http://", "http://127.0.0.1:99999"}) {
    INFO(url);
    const auto ended = home.run({"ps", "--endpoint", url});
    CHECK((ended.code == 2 || ended.code == 3));
    CHECK(ended.err.starts_with("error: "));
  }
}

TEST_CASE("a server in the foreground is found by its state, and its state goes with it") {
  CliHome home;
  const auto server = home.start({"server", "--port", "0"});
  REQUIRE(eventually([&] { return home.daemons().size() == 1; }));
  CHECK_EQ(home.run({"ps"}).code, 0);
  server->process().signal(SIGTERM);
  CHECK_EQ(server->end().code, 0);
  CHECK(home.daemons().empty());
  CHECK_EQ(home.run({"ps"}).code, 3);
}

TEST_CASE("where several daemons run, all commands mean the same one and say which") {
  CliHome home;
  const auto first = home.start({"server", "--port", "0"});
  REQUIRE(eventually([&] { return home.daemons().size() == 1; }));
  const std::string alone = home.daemon().url();
  CHECK_EQ(home.run({"ps"}).err, "no instances are running\n");
  const auto second = home.start({"server", "--port", "0"});
  REQUIRE(eventually([&] { return home.daemons().size() == 2; }));
  const auto newest = [&] {
    for (const auto& daemon : home.daemons())
      if (daemon.url() != alone) return daemon.url();
    return std::string();
  }();
  CHECK(contains(home.run({"ps"}).err, "2 daemons run here; this is about " + newest));
  CHECK(contains(home.run({"daemon", "status"}).out, newest));
  CHECK(contains(home.run({"daemon", "stop"}).err, "the daemon at " + newest));

  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0"}).code, 0);
  const auto status = home.run({"daemon", "status"});
  CHECK(contains(status.err, "3 daemons run here; this is about http://"));
  CHECK(contains(status.err, "in the background"));
  for (const Words& words : {Words{"ps", "--quiet"}, Words{"ps", "--json"}, Words{"ps", "--endpoint", alone}})
    CHECK_FALSE(contains(home.run(words).err, "daemons run here"));
  for (const Words& words : {Words{"stop", "x"}, Words{"logs", "x"}, Words{"attach", "x"}})
    CHECK(contains(home.run(words).err, "3 daemons run here"));
  const auto stopped = home.run({"daemon", "stop"});
  CHECK_EQ(stopped.code, 0);
  CHECK(contains(stopped.err, "another one goes on in the foreground: " + newest));
  for (const auto& server : {&first, &second}) {
    (*server)->process().signal(SIGTERM);
    CHECK_EQ((*server)->end().code, 0);
  }
}

TEST_CASE("beside a server whose token nobody stored another one can be started, as the advice says") {
  CliHome home;
  const auto server = home.start({"server", "--port", "0"}, {.env = {"SANDBOX_AGENT_TOKEN=by-hand"}});
  REQUIRE(eventually([&] { return home.daemons().size() == 1; }));
  const auto refused = home.run({"ps"});
  CHECK_EQ(refused.code, 4);
  CHECK(contains(refused.err, "sandbox-agent daemon start --port 0"));
  CHECK_EQ(home.run({"daemon", "start", "--port", "0"}).code, 0);
  CHECK_EQ(home.run({"ps"}).code, 0);
  server->process().signal(SIGTERM);
  CHECK_EQ(server->end().code, 0);
}

TEST_CASE("without a daemon the advice names the commands that start one") {
  CliHome home;
  const auto ended = home.run({"ps"});
  CHECK_EQ(ended.code, 3);
  CHECK(contains(ended.err, "try: sandbox-agent up"));
  CHECK(contains(ended.err, "sandbox-agent daemon start"));
}

TEST_CASE("an unknown agent is one sentence, those there are once, and what to do") {
  CliHome home;
  const auto ended = home.run({"run", "-a", "cluade", "hello"});
  CHECK_EQ(ended.code, 5);
  const auto at = ended.err.find("error: ");
  REQUIRE_NE(at, std::string::npos);
  const auto lines = lines_of(ended.err.substr(at));
  REQUIRE_EQ(lines.size(), 3);
  CHECK_EQ(lines[0], "error: there is no agent 'cluade'");
  CHECK(lines[1].starts_with("  is it 'claude'? known agents: "));
  CHECK(lines[2].starts_with("  try: sandbox-agent agents list"));
  CHECK_FALSE(contains(lines[2], "claude"));
  const auto document = json_lines(home.run({"run", "-a", "cluade", "--json", "hello"}).out).back();
  CHECK(contains(boost::json::serialize(document), "\"code\":\"unsupported_agent\""));
  CHECK_EQ(json_lines(home.run({"agents", "info", "cluade", "--json"}).out).back(), document);
}

TEST_SUITE_END();
