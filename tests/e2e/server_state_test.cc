// What a server leaves for other commands while it runs, and when it ends by itself.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include "server_run.h"

using namespace rig;

namespace {

constexpr Ending well{.code = 0, .signal = 0};
constexpr milliseconds idle_exit{3000};
constexpr milliseconds longer = idle_exit * 3 / 2;  // than it would take to end
constexpr milliseconds soon{10'000};

std::filesystem::path state_file(const std::filesystem::path& home, std::uint16_t port) {
  return home / "data/sandbox-agent/daemon" / ("server-" + std::to_string(port) + ".json");
}

bool flag_at(const std::string& json, const char* name) { return at_path(parse_json(json), name).as_bool(); }

bool has(const std::string& json, const char* name) { return parse_json(json).as_object().contains(name); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct IdleServer {
  TempDir home;
  ServerRun run{home.path(), R"(exec "$@")", {"--idle-exit-ms", std::to_string(idle_exit.count())}};

  std::optional<Ending> ends_within(milliseconds time) { return run.process.wait(time); }
  bool stays() {  // for longer than it would if it were idle
    const auto start = Clock::now();
    while (since(start) < longer)
      if (ends_within(milliseconds(20))) return false;
    return true;
  }
  int post(const std::string& target, const std::string& method, const std::string& parameters = "{}") {
    return run.request("POST", target, rpc_request("1", method, parameters)).status;
  }
};

}  // namespace

TEST_SUITE_BEGIN("cli");

TEST_CASE("a server's state says how to reach it, and holds no token that the user chose") {
  Daemon daemon({"--idle-exit-ms", "60000"});
  const auto file = state_file(daemon.home(), daemon.port());
  const auto state = read_file(file);
  struct stat info{};
  REQUIRE_EQ(stat(file.c_str(), &info), 0);
  CHECK_EQ(info.st_mode & 07777U, 0600U);
  CHECK_EQ(text_at(state, "url"), "http://127.0.0.1:" + std::to_string(daemon.port()));
  CHECK_EQ(number_at(state, "pid"), daemon.pid());
  CHECK_EQ(number_at(state, "idleExitMs"), 60000);
  CHECK_FALSE(flag_at(state, "background"));
  CHECK_FALSE(flag_at(state, "noToken"));
  CHECK_FALSE(has(state, "token"));
  CHECK_FALSE(contains(state, daemon.token()));
  CHECK_GE(at_path(parse_json(state), "agents").as_array().size(), 1U);
  daemon.stop(SIGTERM);
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a server's state names the token file, or that there is no token") {
  TempDir folder;
  write_file(folder.path() / "token", "secret\n");
  Daemon with_file(DaemonSetup{.flags = {"--token-file", folder.path() / "token"}, .with_token = false});
  const auto state = read_file(state_file(with_file.home(), with_file.port()));
  CHECK_EQ(text_at(state, "tokenFile"), (folder.path() / "token").string());
  CHECK_FALSE(contains(state, "secret"));
  Daemon open(DaemonSetup{.flags = {"--no-token"}, .with_token = false});
  CHECK(flag_at(read_file(state_file(open.home(), open.port())), "noToken"));
}

TEST_CASE("a background daemon says so in its state, and writes no token to its output") {
  Daemon daemon(DaemonSetup{.flags = {"--background"}, .with_token = false});
  const auto state = read_file(state_file(daemon.home(), daemon.port()));
  CHECK(flag_at(state, "background"));
  const auto token = text_at(state, "token");
  CHECK_GE(token.size(), 32);
  CHECK_FALSE(contains(daemon.stdout_text() + daemon.stderr_text(), token));
  CHECK(contains(daemon.stderr_text(), "listening on"));
}

TEST_CASE("a server that cannot leave its state says so; a background daemon does not start then") {
  const auto no_folder = [](const std::filesystem::path& home) { write_file(home / "data/sandbox-agent", "in the way"); };
  Daemon server(DaemonSetup{.with_token = false, .prepare = no_folder});
  CHECK(contains(server.stdout_text(), "generated for this run, not stored"));
  CHECK(contains(server.stderr_text(), "other commands will not find this server"));
  CHECK_THROWS(Daemon(DaemonSetup{.flags = {"--background"}, .prepare = no_folder}));
}

TEST_CASE("a server nobody uses ends properly when it was told to") {
  IdleServer server;
  const auto file = state_file(server.home.path(), server.run.port);
  CHECK(std::filesystem::exists(file));
  CHECK_EQ(server.ends_within(soon), well);
  CHECK(contains(server.run.err(), "nobody used this daemon for 3000 ms"));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("requests keep a server from ending, connections that only wait do not") {
  IdleServer server;
  Connection waiting(server.run.port);
  const auto start = Clock::now();
  while (since(start) < longer) {
    CHECK_EQ(server.run.request("GET", "/v1/health").status, 200);
    CHECK_FALSE(server.ends_within(milliseconds(20)));
  }
  CHECK_EQ(server.ends_within(soon), well);
}

TEST_CASE("who asks for its health, or has no token, does not keep a server from ending") {
  IdleServer server;
  const auto ask = [&](const char* target) {
    try {
      Connection connection(server.run.port);
      connection.send(http_request("GET", target, {}));
      connection.read_response();
    } catch (const std::exception&) {  // it has ended meanwhile
    }
  };
  std::optional<Ending> ending;
  for (int asked = 0; !ending && asked < 1000; ++asked) {
    ask("/healthz");
    ask("/v1/health");
    ending = server.ends_within(milliseconds(20));
  }
  CHECK_EQ(ending, well);
}

TEST_CASE("a running instance keeps a server from ending, one that has exited does not") {
  IdleServer server;
  REQUIRE_EQ(server.post("/v1/acp/x?agent=fake", "echo"), 200);
  CHECK(server.stays());
  REQUIRE_EQ(server.post("/v1/acp/x", "crash"), 502);
  CHECK_EQ(server.ends_within(soon), well);
}

TEST_CASE("a request that is under way keeps a server from ending, until its client leaves") {
  IdleServer server;
  {
    Connection upload(server.run.port);
    upload.send("PUT /v1/fs/file?path=x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\nAuthorization: Bearer " +
                text_at(server.run.out(), "token") + "\r\n\r\nhalf");
    CHECK(server.stays());
  }
  CHECK_EQ(server.ends_within(soon), well);
}

TEST_SUITE_END();
