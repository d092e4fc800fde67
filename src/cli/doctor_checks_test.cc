#include "cli/doctor_checks.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "base/scratch_folder.h"
#include "base/version.h"
#include "io/fetch_test_server.h"

namespace sa {
namespace {

Environment environment(std::map<std::string, std::string, std::less<>> variables) {
  return [variables = std::move(variables)](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

std::string word(const Check& check) { return std::string(word_of(check.state)); }

Platform platform_with(const std::string& feature, bool there) {
  Platform platform;
  platform.features[feature] = there;
  return platform;
}

// A port that somebody listens on.
struct TakenPort {
  TakenPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::listen(socket.get(), 1) == 0);
    REQUIRE(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
  }
  UniqueFd socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::uint16_t port = 0;
};

}  // namespace

TEST_CASE("a check is written with the words of its state, and a fix only where there is one") {
  CHECK(to_json(Check{"a", CheckState::fine, "t"}) == R"({"name":"a","state":"ok","text":"t"})");
  CHECK(to_json(Check{"a", CheckState::warning, "t", "f"}) == R"({"name":"a","state":"warning","text":"t","fix":"f"})");
  CHECK(to_json(Check{"a", CheckState::bad, "t", "f"}) == R"({"name":"a","state":"error","text":"t","fix":"f"})");
}

TEST_CASE("the binary names its version and its libc") {
  const Check check = check_binary();
  CHECK(word(check) == "ok");
  CHECK(check.text.starts_with(fmt::format("sandbox-agent {}, ", version)));
  CHECK(check.text.contains("glibc 2."));
}

TEST_CASE("a data folder is fine when it can be written to, or made") {
  const ScratchFolder folder;
  folder.write("file", "x");
  CHECK(check_data_folder(folder.path()).text == folder.path());
  CHECK(check_data_folder(folder.at("a/b")).text == folder.at("a/b") + " will be made when it is needed");
  CHECK_FALSE(folder.has("a"));
  const Check blocked = check_data_folder(folder.at("file/below"));
  CHECK(word(blocked) == "error");
  CHECK(blocked.text == folder.at("file") + " is not a folder");
  CHECK(blocked.fix.has_value());
  folder.directory("closed");
  ::chmod(folder.at("closed").c_str(), 0500);
  CHECK(word(check_data_folder(folder.at("closed/below"))) == (::geteuid() == 0 ? "ok" : "error"));
  CHECK(folder.names("closed").empty());
}

TEST_CASE("a data folder where nothing can be made is an error, even for one who may do anything") {
  const Check check = check_data_folder("/proc/nope/sandbox-agent");
  CHECK(word(check) == "error");
  CHECK(check.fix->contains("XDG_DATA_HOME"));
}

TEST_CASE("little free space is a warning, next to none an error") {
  constexpr std::uint64_t mebibyte = 1024 * 1024;
  CHECK(word(judge_space(1024 * mebibyte, "/d")) == "ok");
  CHECK(judge_space(1536 * mebibyte, "/d").text == "1.5 GiB are free for /d");
  CHECK(word(judge_space(1024 * mebibyte - 1, "/d")) == "warning");
  CHECK(word(judge_space(50 * mebibyte, "/d")) == "warning");
  CHECK(word(judge_space(50 * mebibyte - 1, "/d")) == "error");
  CHECK(judge_space(0, "/d").text == "0 MiB are free for /d");
  const ScratchFolder folder;
  CHECK(check_free_space(folder.at("not/there")).text.ends_with(" are free for " + folder.at("not/there")));
}

TEST_CASE("a port is fine when it is free, and its holder is named when it is not") {
  std::uint16_t port = 0;
  {
    const TakenPort taken;
    port = taken.port;
    const Check check = check_port(port);
    CHECK(word(check) == "warning");
    CHECK(check.text.contains(fmt::format("(pid {}) holds it", ::getpid())));
    CHECK(check.fix->contains("'run' and 'up' take another one"));
    const Check demanded = check_port(port, true);
    CHECK(word(demanded) == "error");
    CHECK(demanded.fix->contains("SANDBOX_AGENT_PORT"));
  }
  CHECK(check_port(port).text == "It is free");
}

TEST_CASE("a port that one of our daemons holds is fine") {
  const FetchTestServer server([](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"name\":\"Sandbox Agent\",\"version\":\"9.8.7\"}");
  });
  const Check check = check_port(server.port());
  CHECK(word(check) == "ok");
  CHECK(check.text.starts_with("Held by sandbox-agent 9.8.7 (pid "));
}

TEST_CASE("files that hold a token are for their owner alone, and the fix says how") {
  const ScratchFolder folder;
  CHECK(check_state_files(folder.at("none")).text == "There are none in " + folder.at("none"));
  folder.write("server-1.json", "{}", 0600);
  folder.write("daemon.log", "", 0644);
  CHECK(word(check_state_files(folder.path())) == "ok");
  folder.write("server-2.json", "{}", 0640);
  folder.write("server-3.json.77", "{}", 0602);
  const Check check = check_state_files(folder.path());
  CHECK(word(check) == "error");
  CHECK(check.text == "Others may read or change 2 of 3 in " + folder.path());
  CHECK(check.fix == fmt::format("chmod 600 {0}/server-2.json {0}/server-3.json.77", folder.path()));
}

TEST_CASE("proxy variables are named, and never what they hold") {
  CHECK(check_proxy(environment({{"http_proxy", ""}})).text == "No proxy variable is set");
  const Check check = check_proxy(environment({{"https_proxy", "http://user:pass@proxy:1"}, {"NO_PROXY", "x"}}));
  CHECK(word(check) == "ok");
  CHECK(check.text == "https_proxy, NO_PROXY are set; this machine itself is reached directly");
  const Check broken = check_proxy(environment({{"HTTPS_PROXY", "ftp://user:pass@proxy"}}));
  CHECK(word(broken) == "warning");
  CHECK(broken.text.contains("HTTPS_PROXY"));
  CHECK_FALSE(broken.text.contains("pass"));
}

TEST_CASE("inotify is shown with its limits, and few watches are a warning") {
  const ScratchFolder limits;
  const auto with = [&](std::string_view watches) {
    limits.write("max_user_watches", watches);
    limits.write("max_user_instances", "128\n");
    return check_inotify(platform_with("inotify", true), limits.path());
  };
  CHECK(with("65536\n").text == "Available, with 65536 watches and 128 instances for a user");
  CHECK(word(with("8192\n")) == "ok");
  CHECK(word(with("8191\n")) == "warning");
  CHECK(word(check_inotify(platform_with("inotify", true), limits.at("none"))) == "ok");
  CHECK(word(check_inotify(platform_with("inotify", false), limits.path())) == "warning");
}

TEST_CASE("what the kernel does not offer is a warning, not an error") {
  CHECK(check_cgroup(platform_with("cgroup2", true)).text == "Version 2");
  CHECK(word(check_cgroup(Platform{})) == "ok");
  CHECK(word(check_openat2(platform_with("openat2", true))) == "ok");
  CHECK(word(check_openat2(Platform{})) == "warning");
  const Check landlock = check_landlock();
  CHECK(word(landlock) == (look_at_platform().features.at("landlock") ? "ok" : "warning"));
  CHECK(landlock.fix.has_value() == (landlock.state != CheckState::fine));
  CHECK(word(check_pty()) != "error");
}

TEST_CASE("all checks of a machine come in one order, each with a name and a text") {
  const std::vector<Check> checks = check_machine(1, environment({}));
  CHECK(checks.size() == 11);
  CHECK(checks.front().name == "binary");
  for (const Check& check : checks) CHECK_FALSE((check.name.empty() || check.text.empty()));
}

TEST_CASE("an address is reached when it answers, whatever it says") {
  const FetchTestServer server([](TestPeer& peer, const std::string&) {
    peer.write("HTTP/1.1 404 No\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
  });
  const Check check = reach(server.url());
  CHECK(check.name == "reach 127.0.0.1");
  CHECK(word(check) == "ok");
  CHECK(check.text.starts_with("It answered 404 after "));
  CHECK(server.heads().front().starts_with("HEAD / HTTP/1.1"));
}

TEST_CASE("an address that is not reached is an error without its credentials") {
  const Check check = reach("http://user:secret@127.0.0.1:1/x");
  CHECK(word(check) == "error");
  CHECK(check.fix.has_value());
  CHECK_FALSE(to_json(check).contains("secret"));
  CHECK(word(reach("nonsense://secret")) == "error");
  CHECK_FALSE(to_json(reach("nonsense://secret")).contains("secret"));
}

}  // namespace sa
