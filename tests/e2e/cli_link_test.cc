#include <doctest/doctest.h>

#include <set>

#include "support/cli_home.h"

using namespace rig;

namespace {

std::set<std::string> agents_of(const Api& api) {
  std::set<std::string> ids;
  const auto document = parse_json(api.get("/v1/agents").body);
  for (const auto& agent : document.at("agents").as_array()) ids.emplace(agent.at("id").as_string().c_str());
  return ids;
}

std::size_t links_in(const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find("#token="); at != std::string::npos; at = text.find("#token=", at + 1)) ++count;
  return count;
}

}  // namespace

TEST_SUITE_BEGIN("cli_link");

TEST_CASE("up starts a daemon and prints one link with the token in its fragment") {
  CliHome home;
  const auto up = home.run({"up", "--no-open"});
  INFO(up.all());
  REQUIRE_EQ(up.code, 0);
  const auto daemon = home.daemon();
  CHECK_EQ(up.out, daemon.url() + "/ui/#token=" + daemon.token() + "\n");
  CHECK_EQ(links_in(up.all()), 1);
  CHECK_EQ(daemon.api().get("/v1/health").status, 200);
  CHECK_EQ(Api(daemon.port(), "wrong").get("/v1/health").status, 401);
  CHECK_EQ(daemon.api().get("/ui/").status, 200);
}

TEST_CASE("up again is the same daemon, and ui prints the same link") {
  CliHome home;
  const auto first = home.run({"up", "--no-open"});
  REQUIRE_EQ(first.code, 0);
  const auto pid = home.daemon().pid();
  const auto second = home.run({"up", "--no-open"});
  CHECK_EQ(second.code, 0);
  CHECK_EQ(second.out, first.out);
  CHECK_EQ(home.daemon().pid(), pid);
  const auto ui = home.run({"ui"});
  CHECK_EQ(ui.code, 0);
  CHECK_EQ(ui.out, first.out);
}

TEST_CASE("up offers an agent given by its command line") {
  CliHome home;
  const auto plain = [] {
    CliHome another;
    return agents_of(another.start_daemon().api());
  }();
  const auto up = home.run({"up", "--no-open", "--", binary_under_test().string(), "mock-agent"});
  INFO(up.all());
  REQUIRE_EQ(up.code, 0);
  auto added = agents_of(home.daemon().api());
  for (const auto& id : plain) added.erase(id);
  REQUIRE_EQ(added.size(), 1);
  CHECK(contains(up.all(), *added.begin()));
  const auto ended = home.run({"run", "-a", *added.begin(), "purple elephants"});
  INFO(ended.err);
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.out, "You said: \"purple elephants\""));
}

TEST_CASE("an agent's command means the files of the folder where it was given") {
  const auto in_folder = [](CliHome& home) -> CommandSetup {
    const auto folder = home.path() / "my agent";
    write_file(folder / "agent.sh", "#!/bin/sh\nexec \"$SANDBOX_AGENT_BIN\" mock-agent\n", true);
    return {.cwd = folder};
  };
  const auto answers = [](CliHome& home, const std::string& agent) {
    const auto ended = home.run({"run", "-a", agent, "hello"});
    INFO(ended.err);
    CHECK_EQ(ended.code, 0);
  };
  for (const Words& command : {Words{"sh", "agent.sh"}, {"env", "sh", "./agent.sh"}, {"./agent.sh"}}) {
    CliHome home;
    Words words{"up", "--no-open", "--"};
    words.insert(words.end(), command.begin(), command.end());
    REQUIRE_EQ(home.run(words, in_folder(home)).code, 0);
    answers(home, command.front() == "./agent.sh" ? "agent.sh" : command.front());
  }
  CliHome home;
  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0", "--agent", "mine=./agent.sh"}, in_folder(home)).code, 0);
  answers(home, "mine");
}

TEST_CASE("up with another agent while a daemon runs offers it too") {
  CliHome home;
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  const auto former = home.daemon();
  const auto before = agents_of(former.api());
  const auto up = home.run({"up", "--no-open", "--", binary_under_test().string(), "mock-agent"});
  INFO(up.all());
  CHECK_EQ(up.code, 0);
  CHECK_EQ(agents_of(home.daemon().api()).size(), before.size() + 1);
  CHECK_NE(home.daemon().pid(), former.pid());
  CHECK_EQ(home.daemon().url(), former.url());
  CHECK_EQ(home.daemon().token(), former.token());
  CHECK_EQ(former.api().get("/v1/health").status, 200);
}

TEST_CASE("up refuses a program that cannot be started, and starts nothing") {
  CliHome home;
  write_file(home.path() / "text", "no program\n");
  for (const std::string program : {"no-such-program", "./no-such-program", "./text", "/"}) {
    CAPTURE(program);
    const auto up = home.run({"up", "--no-open", "--", program, "--acp"});
    CHECK_EQ(up.code, 5);
    CHECK(contains(up.err, "'" + program + "'"));
    CHECK_LE(lines_of(up.err).size(), 3);
  }
  CHECK(home.daemons().empty());
}

TEST_CASE("agents list and info know what the daemon was given by command") {
  CliHome home;
  write_file(home.path() / "mine", "#!/bin/sh\nexec \"$SANDBOX_AGENT_BIN\" mock-agent\n", true);
  CHECK_EQ(home.run({"agents", "info", "mine"}).code, 5);
  REQUIRE_EQ(home.run({"up", "--no-open", "--", "./mine"}).code, 0);
  const auto list = home.run({"agents", "list"});
  CHECK_EQ(list.code, 0);
  CHECK(contains(list.out, "by command, in the daemon"));
  const auto info = home.run({"agents", "info", "mine"});
  CHECK_EQ(info.code, 0);
  CHECK(contains(info.out, "by command, in the daemon"));
  CHECK_EQ(text_at(home.run({"agents", "info", "mine", "--json"}).out, "id"), "mine");
}

TEST_CASE("a busy daemon takes no other agent, and the advice can be typed") {
  CliHome home;
  write_file(home.path() / "mine", "#!/bin/sh\nexec \"$SANDBOX_AGENT_BIN\" mock-agent\n", true);
  REQUIRE_EQ(home.run({"up", "--no-open"}).code, 0);
  Acp acp(home.daemon().api(), "x", "mock");
  REQUIRE_EQ(acp.call("initialize", R"({"protocolVersion":1,"clientCapabilities":{}})").status, 200);
  const auto up = home.run({"up", "--no-open", "--", "./mine"});
  CHECK_EQ(up.code, 1);
  CHECK(contains(up.err, "sandbox-agent server --port 0 --agent 'mine="));
}

TEST_CASE("up opens the browser there is, unless nobody wants that") {
  CliHome home;
  const auto opened = home.path() / "opened";
  write_file(home.path() / "bin" / "xdg-open", "#!/bin/sh\necho \"$1\" > '" + opened.string() + "'\n", true);
  const Words env{"PATH=" + (home.path() / "bin").string() + ":/usr/bin:/bin", "DISPLAY=:0"};
  const auto silent = home.on_terminal({"up", "--no-open"}, {.env = env});
  CHECK_EQ(silent->code(), 0);
  CHECK_FALSE(std::filesystem::exists(opened));
  const auto up = home.on_terminal({"up"}, {.env = env});
  CHECK_EQ(up->code(), 0);
  const auto link = home.daemon().url() + "/ui/#token=" + home.daemon().token();
  CHECK(eventually([&] { return read_file(opened) == link + "\n"; }));
  CHECK(contains(up->text(), link));
}

TEST_CASE("a token of the user's own stands in no status line and in no log") {
  CliHome home;
  home.set("SANDBOX_AGENT_TOKEN=my-own-token");
  const auto up = home.run({"up", "--no-open"});
  INFO(up.all());
  REQUIRE_EQ(up.code, 0);
  CHECK_EQ(Api(home.daemon().port(), "my-own-token").get("/v1/health").status, 200);
  const auto ended = home.run({"run", "--verbose", "hello"});
  CHECK_EQ(ended.code, 0);
  for (const std::string& text : {up.err, ended.all(), home.run({"daemon", "status", "--json"}).all(),
                                  read_file(home.daemon().file), read_file(home.state_folder() / "daemon.log")})
    CHECK_FALSE(contains(text, "my-own-token"));
}

TEST_CASE("up with a command says that a daemon that was started to stay is in its way, and what to do") {
  CliHome home;
  REQUIRE_EQ(home.run({"daemon", "start", "--port", "0"}).code, 0);
  const auto ended = home.run({"up", "--no-open", "--", "/bin/cat"});
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "this one was started to stay, with 'sandbox-agent daemon start'"));
  CHECK(contains(ended.err, "try: sandbox-agent daemon stop, then again"));
}

TEST_SUITE_END();
