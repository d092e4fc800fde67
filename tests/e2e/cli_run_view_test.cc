// What a turn shows while it goes on: that it is waited for, tools by what they really do, its tokens.
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli_scripted.h"

using namespace rig;

namespace {

constexpr milliseconds long_wait{20'000};  // for what is told after seconds
constexpr std::string_view waiting = "▸ waiting for mock … ";

constexpr std::string_view small_talk = R"(
  update '{"sessionUpdate":"available_commands_update","availableCommands":[]}'
  update '{"sessionUpdate":"usage_update","used":10,"size":1000}'
  update '{"sessionUpdate":"session_info_update","title":"A title"}'
  update '{"sessionUpdate":"current_mode_update","currentModeId":"code"}'
  until [ -e "$HOME/go" ]; do sleep 0.05; done; rm "$HOME/go"
  say 'hello there'
)";

std::size_t times(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Whether it was told again and again that it is waited for, up to so many seconds. A busy machine leaves out some.
bool counts_up_to(const std::string& text, int seconds) {
  return times(text, waiting) > 1 && std::atoi(text.c_str() + text.rfind(waiting) + waiting.size()) >= seconds;
}

}  // namespace

TEST_SUITE_BEGIN("cli_terminal");

TEST_CASE("until the agent shows something a terminal is told that it is waited for, and for how long") {
  CliHome home;
  put_scripted_agent(home, std::string(small_talk));
  home.start_daemon();
  bool is_told_soon = false;  // once at least: in another play the machine may just stand still
  for (int play = 0; play < 3 && !is_told_soon; ++play) {
    const auto terminal = home.on_terminal({"run", "hi"});
    REQUIRE(eventually([&] { return counts_up_to(terminal->text(), 2); }, long_wait));
    write_file(home.path() / "go", "");
    CHECK_EQ(terminal->code(), 0);
    CHECK(contains(terminal->screen(), " s\r\x1b[Khello there"));  // the line is gone before the answer comes
    is_told_soon = contains(terminal->text(), std::string(waiting) + "0 s");
  }
  CHECK(is_told_soon);
}

TEST_CASE("a chat tells the same, at each of its turns") {
  CliHome home;
  put_scripted_agent(home, std::string(small_talk));
  home.start_daemon();
  const auto terminal = home.on_terminal({"run"});
  REQUIRE(terminal->wait_for("› "));
  for (std::size_t turn = 1; turn <= 2; ++turn) {
    const std::size_t before = terminal->text().size();
    terminal->type("hi\r");
    REQUIRE(eventually([&] { return counts_up_to(terminal->text().substr(before), 1); }, long_wait));
    write_file(home.path() / "go", "");
    REQUIRE(eventually([&] { return times(terminal->text(), "end of turn") == turn; }));
    CHECK_EQ(times(terminal->screen(), " s\r\x1b[Khello there"), turn);
  }
  terminal->type(Terminal::ctrl_d);
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a long tool is told as well, but a line of the answer is never broken") {
  CliHome home;
  put_scripted_agent(home, R"(
  say 'half a line'; sleep 2.6; say ' and its end'
  tool '"title":"make all","status":"in_progress"'
  until [ -e "$HOME/go" ]; do sleep 0.05; done
  tool_update '"status":"completed"'
  say 'done')");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "hi"});
  REQUIRE(terminal->wait_for("half a line"));
  CHECK(terminal->wait_for("▸ mock: make all … ", long_wait));
  write_file(home.path() / "go", "");
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(terminal->screen(), "half a line and its end"));
  CHECK_EQ(times(terminal->text(), "● make all"), 1);
}

TEST_CASE("what tells of waiting is cut to one row of a narrow terminal") {
  CliHome home;
  put_scripted_agent(home, R"(
  until [ -e "$HOME/go" ]; do sleep 0.05; done
  tool '"title":"make everything and then make it once more","status":"in_progress"'
  until [ -e "$HOME/on" ]; do sleep 0.05; done
  say 'done')");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "hi"});
  terminal->resize(30, 30);
  write_file(home.path() / "go", "");
  CHECK(terminal->wait_for("▸ mock: make everything and …", long_wait));
  write_file(home.path() / "on", "");
  CHECK_EQ(terminal->code(), 0);
  CHECK_FALSE(contains(terminal->text(), "▸ mock: make everything and t"));
}

TEST_CASE("a tool whose name waits for its input is told behind a text that has no line end") {
  CliHome home;
  put_scripted_agent(home, R"(
  say 'I write it.'; tool '"title":"Preparing file…","status":"pending"'
  until [ -e "$HOME/go" ]; do sleep 0.05; done
  tool_update '"title":"Write new.txt","status":"completed"'; say 'Written.')");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never", "hi"});
  CHECK(terminal->wait_for("I write it.\n▸ mock: Preparing file… ", long_wait));
  write_file(home.path() / "go", "");
  CHECK_EQ(terminal->code(), 0);
  CHECK(contains(terminal->screen(), " s\r\x1b[K● Write new.txt\r\nWritten.\r\n"));
}

TEST_CASE("without a terminal nothing tells of waiting") {
  CliHome home;
  put_scripted_agent(home, "sleep 1.6; say 'hello there'");
  const auto ended = home.run({"run", "hi"});
  CHECK_EQ(ended.out, "hello there");
  CHECK_FALSE(contains(ended.err, "waiting"));
}

TEST_CASE("a tool is named by what it really does, once, and where it stands in the turn") {
  CliHome home;
  put_scripted_agent(home, R"(
  say 'Looking.'
  tool '"title":"Terminal","status":"pending","rawInput":{}'
  tool_update '"title":"Terminal","rawInput":{"command":"ls -la"}'
  tool_update '"status":"completed"'
  update '{"sessionUpdate":"tool_call","toolCallId":"t2","title":"Preparing file…","status":"pending"}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"t2","title":"Write new.txt","locations":[{"path":"/x/new.txt"}]}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"t2","status":"failed"}'
  update '{"sessionUpdate":"tool_call","toolCallId":"t3","title":"Read File","status":"pending"}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"t3","status":"completed","locations":[{"path":"/x/old.txt"}]}'
  update '{"sessionUpdate":"tool_call","toolCallId":"t4","title":"Never told more"}'
  say ' Done.')");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never", "hi"});
  CHECK_EQ(terminal->code(), 0);
  const std::string screen = terminal->text();
  CHECK(contains(screen,
                 "Looking.\n● Terminal: ls -la\n● Write new.txt\n✗ failed: Write new.txt\n● Read File: /x/old.txt\n"
                 "● Never told more\n Done.\n✓ end of turn · 4 tools"));
}

TEST_CASE("a name that changes after it was shown is shown again, and one that grows does not fill the screen") {
  CliHome home;
  put_scripted_agent(home, R"(
  tool '"title":"Terminal","status":"in_progress"'
  for name in 'make a' 'make al' 'make all'; do tool_update '"title":"'"$name"'"'; done
  tool_update '"status":"completed"'
  say 'done')");
  const auto ended = home.run({"run", "--yes", "hi"});
  CHECK_EQ(ended.code, 0);
  CHECK(contains(ended.err, "● Terminal\n● make a\n● make all\n✓ end of turn"));
}

TEST_CASE("the tool that an agent was at when it crashed is told") {
  CliHome home;
  put_scripted_agent(home, R"(tool '"title":"rm everything"'; exit 3)");
  const auto ended = home.run({"run", "hi"});
  CHECK_EQ(ended.code, 6);
  CHECK(contains(ended.err, "● rm everything\nerror: "));
}

TEST_CASE("the tokens at the end are the turn's own, else it is said that they are the context's") {
  CliHome home;
  put_scripted_agent(home, R"(update '{"sessionUpdate":"usage_update","used":255,"size":1000}'; say 'hello')");
  CHECK(contains(home.run({"run", "hi"}).err, "✓ end of turn · context 255 tokens · "));
  const auto told = json_lines(home.run({"run", "--json", "hi"}).out).back();
  CHECK_EQ(number_at(boost::json::serialize(told), "contextTokens"), 255);
  CHECK_FALSE(told.contains("tokens"));

  put_scripted_agent(home, R"(
  update '{"sessionUpdate":"usage_update","used":255,"size":1000}'
  usage=',"usage":{"totalTokens":33,"inputTokens":30,"outputTokens":3}'; say 'hello')");
  CHECK(contains(home.run({"run", "hi"}).err, "✓ end of turn · 33 tokens · "));
}

TEST_SUITE_END();
