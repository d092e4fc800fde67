#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include "command_run.h"
#include "held_port.h"
#include "server_run.h"
#include "support/acp.h"

using namespace rig;

namespace {

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("the server prints address, link, token source, agents and data folder before it accepts") {
  Daemon daemon;
  const auto text = daemon.stdout_text() + daemon.stderr_text();
  const auto url = "http://127.0.0.1:" + std::to_string(daemon.port());
  CHECK(contains(text, "listening on " + url));
  for (const char* part : {"sandbox-agent ", "inspector", "/ui/", "token", "agents", "data"})
    CHECK_MESSAGE(contains(text, part), part);
  CHECK(contains(text, (daemon.data() / "sandbox-agent").string()));
  CHECK_FALSE(contains(text, "\x1b["));
}

TEST_CASE("a file root is named at the start, and one that cannot be used is refused") {
  Daemon confined({"--fs-root", "/tmp"});
  CHECK(contains(confined.stdout_text(), "files       confined to /tmp"));
  CommandRun missing({"server", "--port", "0", "--fs-root", "/no/such/folder"});
  CHECK_EQ(missing.code(), 2);
  CHECK(contains(missing.err(), "--fs-root /no/such/folder"));
}

TEST_CASE("the link carries the token only when it was generated") {
  Daemon given;
  CHECK_FALSE(contains(given.stdout_text() + given.stderr_text(), "#token="));
  Daemon generated(DaemonSetup{.with_token = false});
  CHECK(contains(generated.stdout_text() + generated.stderr_text(), "/ui/#token="));
  CHECK(contains(generated.stdout_text(), "token       generated, stored for `sandbox-agent ui`"));
}

TEST_CASE("a token among the words of the command is warned about, and not where a program reads") {
  const Daemon given;
  CHECK(contains(given.stdout_text(), "token       from --token, visible in process lists"));
  const Daemon for_a_program({"--json"});
  CHECK_EQ(lines_in(for_a_program.stdout_text()), 1);
  const Daemon generated(DaemonSetup{.with_token = false});
  CHECK_FALSE(contains(generated.stdout_text(), "process lists"));
}

TEST_CASE("the token's source is named") {
  Daemon daemon(DaemonSetup{.env = {"SANDBOX_AGENT_TOKEN=abc"}, .with_token = false});
  CHECK(contains(daemon.stdout_text() + daemon.stderr_text(), "SANDBOX_AGENT_TOKEN"));
}

TEST_CASE("a standard stream given as --ready-fd stays what it is") {
  TempDir home;
  const ServerRun server(home.path(), R"(exec "$@")", {"--ready-fd", "2", "--agent", "broken=/no/such/program"});
  REQUIRE(eventually([&] { return lines_in(server.err()) >= 1; }));  // it comes behind the text that the run waited for
  CHECK_EQ(text_at(server.err().substr(0, server.err().find('\n')), "event"), "ready");
  Connection client(server.port);
  REQUIRE_EQ(server.request("POST", "/v1/acp/x?agent=broken", rpc_request("1", "m")).status, 502);
  CHECK(eventually([&] { return contains(server.err(), "/no/such/program"); }));
  client.send(http_request("GET", "/healthz"));
  CHECK_EQ(client.read_response().status, 200);
}

TEST_CASE("--ready-fd gets one JSON line with the address when the daemon accepts") {
  Daemon daemon;
  CHECK_EQ(lines_in(daemon.ready_line()), 1);
  CHECK_EQ(text_at(daemon.ready_line(), "event"), "ready");
  CHECK_EQ(text_at(daemon.ready_line(), "url"), "http://127.0.0.1:" + std::to_string(daemon.port()));
  CHECK_EQ(Api(daemon).get("/v1/health").status, 200);
}

TEST_CASE("--json prints that line on stdout and no text there") {
  CommandRun run({"server", "--port=0", "--token=t", "--json"});
  REQUIRE(eventually([&] { return lines_in(run.out()) >= 1; }));
  CHECK_EQ(text_at(run.out(), "event"), "ready");
  CHECK(text_at(run.out(), "url").starts_with("http://127.0.0.1:"));
  run.process.signal(SIGTERM);
  CHECK_EQ(run.code(), 0);
  CHECK_EQ(lines_in(run.out()), 1);
}

TEST_CASE("a port taken by another daemon names that daemon and exits 1") {
  Daemon holder;
  CommandRun run({"server", "--port", std::to_string(holder.port())}, {"SANDBOX_AGENT_TOKEN=t"});
  CHECK_EQ(run.code(), 1);
  CHECK(contains(run.err(), "error: port " + std::to_string(holder.port()) + " is already in use"));
  CHECK(contains(run.err(), "sandbox-agent"));
  CHECK(contains(run.err(), "pid " + std::to_string(holder.pid())));
  CHECK_LE(lines_in(run.err()), 3);
  CHECK_EQ(run.out(), "");
}

TEST_CASE("a port taken by something else names that process and exits 1") {
  HeldPort held;
  CommandRun run({"server", "--port", std::to_string(held.port)}, {"SANDBOX_AGENT_TOKEN=t"});
  CHECK_EQ(run.code(), 1);
  CHECK(contains(run.err(), "already in use"));
  CHECK(contains(run.err(), std::to_string(getpid())));
}

TEST_CASE("an unusable address is an error in words and exits 1") {
  for (const char* host : {"203.0.113.77", "no such host", "not-an-address.invalid"}) {
    INFO(host);
    CommandRun run({"server", "--host", host, "--port", "0"}, {"SANDBOX_AGENT_TOKEN=t"});
    CHECK_EQ(run.code(), 1);
    CHECK(run.err().starts_with("error: "));
  }
}

TEST_CASE("--no-token on an open address is refused unless it is allowed") {
  for (const char* host : {"0.0.0.0", "::"}) {
    CommandRun run({"server", "--host", host, "--port", "0", "--no-token"});
    const int code = run.code();
    CHECK_NE(code, 0);
    CHECK_NE(code, -1);
    CHECK(contains(run.err(), "--allow-open"));
  }
  CommandRun by_flag({"server", "--host", "0.0.0.0", "--port", "0", "--no-token", "--allow-open"});
  CHECK(eventually([&] { return contains(by_flag.all(), "listening on"); }));
  CommandRun by_variable({"server", "--host", "0.0.0.0", "--port", "0", "--no-token"}, {"SANDBOX_AGENT_ALLOW_OPEN=1"});
  CHECK(eventually([&] { return contains(by_variable.all(), "listening on"); }));
}

TEST_CASE("an open address with a token is fine") {
  CommandRun run({"server", "--host", "0.0.0.0", "--port", "0", "--token", "t"});
  CHECK(eventually([&] { return contains(run.all(), "listening on"); }));
}

TEST_CASE("wrong usage exits 2 and says what is wrong") {
  const std::vector<std::string> wrong[] = {
      {"server", "--no-such-flag"},        {"server", "--port", "seventy"},
      {"server", "--port", "70000"},       {"server", "--port"},
      {"server", "--ring-messages", "-1"}, {"server", "surplus"},
      {"server", "--agent", "no-command"}, {"no-such-command"},
  };
  for (const auto& arguments : wrong) {
    INFO(arguments.back());
    CommandRun run(arguments);
    CHECK_EQ(run.code(), 2);
    CHECK(run.err().starts_with("error: "));
    CHECK_EQ(run.out(), "");
  }
}

TEST_CASE("a token file that cannot be read stops the start") {
  CommandRun run({"server", "--port", "0", "--token-file", "/no/such/file"});
  const int code = run.code();
  CHECK_GT(code, 0);
  CHECK(contains(run.err(), "/no/such/file"));
}

TEST_CASE("every form of asking for help succeeds and lists the flags on stdout") {
  for (const auto& arguments : {std::vector<std::string>{"server", "--help"}, {"--help"}}) {
    CommandRun run(arguments);
    CHECK_EQ(run.code(), 0);
    CHECK_GT(run.out().size(), 100);
    CHECK_EQ(run.err(), "");
  }
  CommandRun server({"server", "--help"});
  REQUIRE_EQ(server.code(), 0);
  for (const char* flag : {"--host", "--port", "--token", "--token-file", "--no-token", "--allow-open", "--allow-host",
                           "--cors-allow-origin", "--request-timeout-ms", "--ring-messages", "--ring-bytes", "--max-instances",
                           "--stop-grace-ms", "--agent", "--ready-fd", "--json", "--log-file"}) {
    CHECK_MESSAGE(contains(server.out(), flag), flag);
  }
}

TEST_CASE("flags of scripts that expect telemetry are accepted, and values may follow an equals sign") {
  CommandRun run({"server", "--no-telemetry", "--host=127.0.0.1", "--port=0", "--token=t", "--ring-messages=10"});
  CHECK(eventually([&] { return contains(run.all(), "listening on"); }));
  run.process.signal(SIGINT);
  CHECK_EQ(run.code(), 0);
}

TEST_CASE("--log-file takes the log, and the file holds no token") {
  TempDir folder;
  const auto log = folder.path() / "daemon.log";
  {
    Daemon daemon({"--log-file", log.string()});
    Acp acp(daemon, "x");
    CHECK_EQ(acp.call("echo").status, 200);
    daemon.stop(SIGTERM);
    CHECK_GT(read_file(log).size(), 0);
    CHECK_FALSE(contains(read_file(log), daemon.token()));
  }
}

TEST_CASE("a daemon that is started while its port is just being left starts") {
  std::uint16_t port = 0;
  {
    Daemon former;
    port = former.port();
    CHECK_EQ(Api(former).get("/v1/health").status, 200);
  }
  CommandRun run({"server", "--port", std::to_string(port), "--token", "t"});
  CHECK(eventually([&] { return contains(run.all(), "listening on"); }));
}

TEST_SUITE_END();
