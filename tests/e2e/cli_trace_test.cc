#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "cli_instances.h"
#include "scripted_daemon.h"

using namespace rig;

namespace {

// The bytes of the envelope in a trace line: it is the last member.
std::string envelope_in(const std::string& line) {
  static constexpr std::string_view name = "\"envelope\":";
  const auto at = line.find(name);
  REQUIRE_NE(at, std::string::npos);
  REQUIRE(line.ends_with('}'));
  return line.substr(at + name.size(), line.size() - at - name.size() - 1);
}

struct Said {
  std::vector<std::string> agent;
  std::vector<std::string> client;
  bool operator==(const Said&) const = default;
};

Said in_trace(const std::string& text) {
  Said said;
  std::int64_t last = 0;
  for (const auto& line : lines_of(text)) {
    const auto direction = text_at(line, "direction");
    if (direction == "agent") {
      said.agent.push_back(envelope_in(line));
      CHECK_EQ(number_at(line, "seq"), ++last);
    } else {
      CHECK_EQ(direction, "client");
      said.client.push_back(envelope_in(line));
    }
  }
  return said;
}

Said on_stream(const Acp& acp) {
  Said said;
  const auto newest = static_cast<std::uint64_t>(acp.listed("lastEventId"));
  auto stream = acp.stream({}, "include=client");
  while (said.agent.size() < newest) {
    const auto event = stream.next();
    (event.is_message() ? said.agent : said.client).push_back(event.data);
  }
  return said;
}

}  // namespace

TEST_SUITE_BEGIN("cli_instances");

TEST_CASE("an exported trace has what both sides said, byte for byte, and passes the check") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  for (const char* prompt : {"/plan", "/edit", "/markdown", "an \\u00fc and \\ud83d\\ude00"})
    REQUIRE_EQ(talk.prompt(prompt).status, 200);
  const auto ended = here.home.run({"trace", "export", "talking"});
  INFO(ended.err);
  REQUIRE_EQ(ended.code, 0);
  const auto exported = in_trace(ended.out);
  const auto said = on_stream(talk.acp);
  CHECK_EQ(exported.agent.size(), said.agent.size());
  CHECK((exported.agent == said.agent));
  CHECK((exported.client == said.client));
  CHECK_EQ(exported.client.size(), 6);

  write_file(here.home.path() / "talk.ndjson", ended.out);
  const auto checked = here.home.run({"trace", "check", "talk.ndjson"});
  INFO(checked.all());
  CHECK_EQ(checked.code, 0);
}

TEST_CASE("a trace is whole also when the daemon answers late and its messages come in pieces") {
  WatchedDaemon real;
  DemoTalk talk(real.daemon, "slow");
  const std::string hello = R"({"jsonrpc":"2.0","method":"hello"})";
  const std::string whole = "event: client\ndata: " + hello + "\n\n";
  const std::string numbered = "event: message\nid: 1\ndata: " + hello + "\n\n";
  const std::string in_pieces = "event: client\nda<pause>ta: {\"jsonrpc\":\"2.0\",<pause>\"method\":\"hello\"}\n<pause>\n";
  for (const int messages : {0, 1}) {
    CAPTURE(messages);
    boost::json::object instance = talk.acp.listing();
    instance["lastEventId"] = messages;
    const ScriptedDaemon daemon([&](const std::string& target) {
      if (target == "/v1/acp") return boost::json::serialize(boost::json::object{{"servers", boost::json::array{instance}}});
      std::this_thread::sleep_for(milliseconds(500));
      return messages == 0 ? whole : numbered + in_pieces;
    });
    for (const Words& words : {Words{"trace", "export", "slow"}, {"logs", "--trace", "--json", "slow"}}) {
      const auto ended = real.home.run(words, {.env = {"SANDBOX_AGENT_URL=" + daemon.url()}});
      INFO(ended.err);
      CHECK_EQ(ended.code, 0);
      CHECK(contains(ended.out, R"({"direction":"client","envelope":)" + hello + "}\n"));
      CHECK_EQ(lines_of(ended.out).size(), messages + 1);
    }
  }
}

TEST_CASE("an instance that has ended and is no longer remembered is told as a gap, and nobody waits for what is gone") {
  WatchedDaemon here({"--exited-ring-ms", "200"});
  Acp acp(here.daemon, "ended");
  acp.call("crash", R"({"updates":50})");
  REQUIRE(eventually([&] { return acp.stream().next().kind == SseEvent::Kind::gap; }));
  const auto exported = here.home.run({"trace", "export", "ended"});
  CHECK_EQ(exported.code, 0);
  CHECK(contains(exported.out, "{\"gap\":{\"from\":1,"));
  CHECK_EQ(here.home.run({"trace", "check", "ended"}).code, 0);
  const auto told = here.home.run({"logs", "--trace", "ended"});
  CHECK_EQ(told.code, 0);
  CHECK(contains(told.out, "! lost"));
  const auto terminal = here.home.on_terminal({"attach", "ended"});
  CHECK_EQ(terminal->code(), 6);
  CHECK(contains(terminal->text(), "messages of the agent were lost"));
  CHECK(contains(terminal->text(), "the agent exited with code 1"));
}

TEST_CASE("a trace that breaks the rules exits 1 and names the line") {
  CliHome home;
  const auto check = [&](const std::string& text) {
    write_file(home.path() / "trace", text);
    return home.run({"trace", "check", "trace"});
  };
  const std::string good =
      R"({"direction":"client","envelope":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}})"
      "\n"
      R"({"seq":1,"direction":"agent","envelope":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}})"
      "\n";
  CHECK_EQ(check(good).code, 0);
  const auto no_json = check(good + "no json\n");
  CHECK_EQ(no_json.code, 1);
  CHECK(contains(no_json.out, "error line 3: it is not JSON"));
  const auto no_trace = check("root:x:0\ndaemon:x:1\n");
  CHECK_EQ(no_trace.code, 1);
  CHECK_EQ(no_trace.out, "");
  CHECK(no_trace.err.starts_with("error: 'trace' is no trace\n  line 1: it is not JSON"));
  CHECK_FALSE(contains(no_trace.err, "line 2"));
  CHECK_EQ(check(good + R"({"seq":2,"direction":"agent","envelope":{"jsonrpc":"2.0","id":77,"result":{}}})" + "\n").code, 1);
  CHECK_EQ(
      check(R"({"direction":"client","envelope":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":7}}})").code, 1);
  const auto missing = home.run({"trace", "check", "no-such-file"});
  CHECK_NE(missing.code, 0);
  CHECK(contains(missing.err, "no-such-file"));
}

TEST_CASE("a name no file can have is told, not died of") {
  WatchedDaemon here;
  for (const char* command : {"check", "import"}) {
    const auto ended = here.home.run({"trace", command, std::string(300, 'x')});
    CHECK_EQ(ended.code, 1);
    CHECK(contains(ended.err, "xxx"));
  }
}

TEST_CASE("a trace check reads stdin, and says what it found as documents with --json") {
  CliHome home;
  const auto ended = home.run({"trace", "check", "--json", "-"}, {.input = "no json\n"});
  CHECK_EQ(ended.code, 1);
  CHECK_GE(json_lines(ended.out).size(), 1);
}

TEST_CASE("an export goes into a device or a pipe as it comes") {
  WatchedDaemon here;
  const DemoTalk talk(here.daemon, "talking");
  CHECK_EQ(here.home.run({"trace", "export", "talking", "-o", "/dev/null"}).code, 0);
  const auto pipe = here.home.path() / "pipe";
  REQUIRE_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto reading = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE_EQ(here.home.run({"trace", "export", "talking", "-o", "pipe"}).code, 0);
  std::string first(12, '\0');
  CHECK_EQ(read(reading, first.data(), first.size()), 12);
  CHECK(first.starts_with("{\""));
  close(reading);
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("an export that cannot be written leaves the file of before as it was") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(talk.prompt(std::string(20'000, 'x')).status, 200);
  write_file(here.home.path() / "kept", "before");
  const std::string limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" trace export talking -o kept";
  Launch launch{.argv = {"/bin/sh", "-c", limited, binary_under_test()},
                .env = clean_environment(here.home.path(), here.home.mark()),
                .cwd = here.home.path(),
                .stderr_file = here.home.path() / "said"};
  launch.env.push_back("SANDBOX_AGENT_URL=http://127.0.0.1:" + std::to_string(here.daemon.port()));
  launch.env.push_back("SANDBOX_AGENT_TOKEN=" + here.daemon.token());
  Process process(launch);
  const auto ending = process.wait(milliseconds(10000));
  REQUIRE(ending.has_value());
  const std::string said = read_file(here.home.path() / "said");
  CHECK_NE(ending->code, 0);
  CHECK(said.starts_with("error: "));
  CHECK_FALSE(contains(said, "messages of talking"));
  CHECK_EQ(read_file(here.home.path() / "kept"), "before");
}

TEST_CASE("a trace file is imported by a link to the inspector, which reads it through the daemon") {
  WatchedDaemon here;
  const DemoTalk talk(here.daemon, "talking");
  REQUIRE_EQ(here.home.run({"trace", "export", "talking", "-o", "a talk.ndjson"}).code, 0);
  const auto ended = here.home.run({"trace", "import", "a talk.ndjson"});
  CHECK_EQ(ended.code, 0);
  const auto messages = lines_of(read_file(here.home.path() / "a talk.ndjson")).size();
  CHECK(contains(ended.err, std::to_string(messages) + " messages of a talk.ndjson"));
  CHECK(ended.out.starts_with("http://127.0.0.1:" + std::to_string(here.daemon.port()) + "/ui/replay?file=/"));
  CHECK(ended.out.ends_with("a%20talk.ndjson#token=" + here.daemon.token() + "\n"));
}

TEST_CASE("importing what is no trace, or what the daemon does not see, says so") {
  const TempDir elsewhere;
  WatchedDaemon here({"--fs-root", elsewhere.path().string()});
  const auto import = [&](const std::string& name) { return here.home.run({"trace", "import", name}); };
  write_file(here.home.path() / "notes", "hello\n");
  write_file(here.home.path() / "trace", R"({"seq":1,"direction":"agent","envelope":{"jsonrpc":"2.0","method":"_x/y"}})"
                                         "\n");
  for (const auto& [name, words] : {std::pair{"notes", "is no trace: it has no messages"},
                                    std::pair{"missing", "is no file that can be read"}, std::pair{"trace", "does not see"}}) {
    CAPTURE(name);
    const auto ended = import(name);
    CHECK_EQ(ended.code, 1);
    CHECK_EQ(ended.out, "");
    CHECK(contains(ended.err, words));
  }
}

TEST_CASE("exporting what is not there exits 1 with the ids there are") {
  WatchedDaemon here;
  DemoTalk talk(here.daemon, "talking");
  const auto ended = here.home.run({"trace", "export", "nobody"});
  CHECK_EQ(ended.code, 1);
  CHECK_EQ(ended.out, "");
  CHECK(contains(ended.err, "talking"));
}

TEST_CASE("what is neither a file nor an instance is called neither") {
  WatchedDaemon here;
  const auto ended = here.home.run({"trace", "check", "nosuch.ndjson"});
  CHECK_EQ(ended.code, 1);
  CHECK(contains(ended.err, "error: there is neither a file nor an instance 'nosuch.ndjson'\n"));
}

TEST_SUITE_END();
