// What somebody sees who is asked for a permission.
#include <doctest/doctest.h>

#include "cli_scripted.h"

using namespace rig;

namespace {

std::string plus_lines(int first, int last) {
  std::string lines;
  for (int i = first; i <= last; ++i) lines += "    + line " + std::to_string(i) + "\n";
  return lines;
}

}  // namespace

TEST_SUITE_BEGIN("cli_permission");

TEST_CASE("a permission shows the exact command, also when only an earlier message told it") {
  CliHome home;
  put_scripted_agent(home, R"(
  tool '"title":"Terminal","status":"pending","rawInput":{}'
  tool_update '"rawInput":{"command":"rm -rf build \u001b[2J\nmake","cwd":"/srv"}'
  ask ',"title":"Clean up"'; say "done")");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never", "hi"});
  REQUIRE(terminal->wait_for("Reject"));
  CHECK(
      contains(terminal->text(), "? permission: Clean up\n    command: rm -rf build ^[[2J\n             make\n    in: /srv\n"));
  CHECK_FALSE(contains(terminal->screen(), "\x1b[2J"));
  terminal->type("1");
  CHECK_EQ(terminal->code(), 0);
}

TEST_CASE("a permission shows the path and the change, as much of it as is seen at once") {
  CliHome home;
  put_scripted_agent(home, R"(
  text=; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do text="${text}line $i\\n"; done
  tool '"title":"Write","status":"pending"'
  tool_update '"title":"Write new.txt","content":[{"type":"diff","path":"/x/new.txt","oldText":null,"newText":"'"$text"'"}]'
  ask ''; say "done")");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never", "hi"});
  REQUIRE(terminal->wait_for("Reject"));
  const std::string screen = terminal->text();
  CHECK(contains(screen, "? permission: Write new.txt\n    path: /x/new.txt\n" + plus_lines(1, 12) + "    … 8 more lines\n"));
  CHECK_FALSE(contains(screen, "line 13"));
  terminal->type("2");
  CHECK_EQ(terminal->code(), 7);
}

TEST_CASE("in a chat a permission shows the same, and no line of waiting is drawn over the question") {
  CliHome home;
  put_scripted_agent(home, R"(ask ',"title":"Clean up","rawInput":{"command":["make","two words"]}'; say "done")");
  home.start_daemon();
  const auto terminal = home.on_terminal({"run", "--color", "never"});
  REQUIRE(terminal->wait_for("› "));
  terminal->type("hi\r");
  REQUIRE(terminal->wait_for("Reject"));
  CHECK(contains(terminal->text(), "    command: make 'two words'\n"));
  CHECK_FALSE(terminal->wait(milliseconds(2'200)).has_value());
  const std::string screen = terminal->text();
  CHECK_FALSE(contains(screen.substr(screen.find("? permission")), "waiting for mock"));
  CHECK(eventually([&] {  // one that comes while somebody may be typing still waits for the next line
    terminal->type("1");
    return terminal->wait_for("done", milliseconds(1'000));
  }));
}

TEST_CASE("with --json a permission carries its options and its tool call") {
  CliHome home;
  put_scripted_agent(home, R"(
  tool '"title":"Write","kind":"edit","status":"pending"'
  ask ',"title":"Write new.txt","rawInput":{"file_path":"/x/new.txt"}'; say "done")");
  const auto ended = home.run({"run", "--json", "--yes", "hi"});
  CHECK_EQ(ended.code, 0);
  std::string permission;
  for (const auto& event : json_lines(ended.out))
    if (text_at(boost::json::serialize(event), "type") == "permission") permission = boost::json::serialize(event);
  REQUIRE_FALSE(permission.empty());
  CHECK_EQ(text_at(permission, "answer"), "yes");
  CHECK_EQ(parse_json(permission).at("options").as_array().size(), 2);
  CHECK_EQ(text_at(permission, "toolCall.rawInput.file_path"), "/x/new.txt");
  CHECK_EQ(text_at(permission, "toolCall.kind"), "edit");
}

TEST_CASE("without a terminal what is asked for is told with its command") {
  CliHome home;
  put_scripted_agent(home, R"(ask ',"title":"Terminal","rawInput":{"command":"make clean"}'; say "done")");
  const auto ended = home.run({"run", "hi"});
  CHECK_EQ(ended.code, 7);
  CHECK(contains(ended.err, "the agent asks for permission: Terminal: make clean"));
}

TEST_SUITE_END();
