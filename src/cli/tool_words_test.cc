#include "cli/tool_words.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "client/message.h"

namespace sa {
namespace {

std::string line_of_call(std::string_view call) { return tool_line(read_json(call)->as_object()); }

std::vector<std::string> details_of_call(const boost::json::object& call) {
  std::vector<std::string> lines;
  for (DetailLine& line : tool_details(call)) lines.push_back(std::move(line.text));
  return lines;
}

std::vector<std::string> details_of_call(std::string_view call) { return details_of_call(read_json(call)->as_object()); }

}  // namespace

TEST_CASE("the line of a tool adds what its title does not tell") {
  CHECK(line_of_call(R"({"title":"Terminal","rawInput":{"command":"ls -la"}})") == "Terminal: ls -la");
  CHECK(line_of_call(R"({"title":"`ls -la`","rawInput":{"command":"ls -la"}})") == "`ls -la`");
  CHECK(line_of_call(R"({"title":"Terminal","rawInput":{"command":["sh","-c","a b"]}})") == "Terminal: sh -c 'a b'");
  CHECK(line_of_call(R"({"title":"Read File","locations":[{"path":"/x/a.txt"}]})") == "Read File: /x/a.txt");
  CHECK(line_of_call(R"({"title":"Read a.txt","rawInput":{"file_path":"/x/a.txt"}})") == "Read a.txt");
  CHECK(line_of_call(R"({"title":"Think"})") == "Think");
  CHECK(line_of_call(R"({"toolCallId":"t7"})") == "t7");
}

TEST_CASE("what is said later replaces what was said before, unless it says nothing") {
  boost::json::object call = {{"title", "Terminal"}, {"rawInput", {{"command", "ls"}}}};
  add_said(call, {{"sessionUpdate", "x"}, {"title", nullptr}, {"rawInput", boost::json::object()}, {"status", "completed"}});
  CHECK(boost::json::serialize(call) == R"({"title":"Terminal","rawInput":{"command":"ls"},"status":"completed"})");
}

TEST_CASE("the details are the command, the paths, and the change") {
  CHECK(details_of_call(
            R"({"rawInput":{"command":"a\nb","cwd":"/w"},"locations":[{"path":"/x"},{"path":"/x"},{"path":"/y"}]})") ==
        std::vector<std::string>{"command: a", "         b", "in: /w", "path: /x", "path: /y"});
  CHECK(details_of_call(R"({"content":[{"type":"diff","path":"/x","oldText":"a\nb\n","newText":"a\nc\n"},)"
                        R"({"type":"content","content":{"type":"text","text":"why"}}]})") ==
        std::vector<std::string>{"path: /x", "- b", "+ c", "why"});
}

TEST_CASE("the arguments of a command belong to it, and what else the input says is shown too") {
  const auto call = R"({"title":"bash","rawInput":{"command":"bash","args":["-c","rm -rf ~/important"],)"
                    R"("env":{"LD_PRELOAD":"/x.so"},"timeout":5,"cwd":"/w","description":null}})";
  CHECK(line_of_call(call) == "bash: bash -c 'rm -rf ~/important'");
  CHECK(details_of_call(call) == std::vector<std::string>{"command: bash -c 'rm -rf ~/important'", "in: /w",
                                                          R"(input: {"env":{"LD_PRELOAD":"/x.so"},"timeout":5})"});
  CHECK(details_of_call(R"({"rawInput":{"command":["a",1],"args":["b"]}})") ==
        std::vector<std::string>{"command: a", R"(input: {"command":["a",1],"args":["b"]})"});
  CHECK(details_of_call(R"({"rawInput":{"command":"a","args":"b"}})") ==
        std::vector<std::string>{"command: a", R"(input: {"args":"b"})"});
  CHECK(details_of_call(R"({"rawInput":"rm -rf /"})") == std::vector<std::string>{R"(input: "rm -rf /")"});
}

TEST_CASE("what the path and the change show is not said again, and what they do not show is said") {
  const std::string diff = R"("content":[{"type":"diff","path":"/x","oldText":"a\nb\n","newText":"a\nc\n"}])";
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","old_string":"b","new_string":"c"},)" + diff + "}") ==
        std::vector<std::string>{"path: /x", "- b", "+ c"});
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","old_string":"b","new_string":"evil"},)" + diff + "}") ==
        std::vector<std::string>{"path: /x", "- b", "+ c", R"(input: {"new_string":"evil"})"});
  const std::string around = R"("content":[{"type":"diff","path":"/x","oldText":"a\nevil\nb\n","newText":"a\nevil\nc\n"}])";
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","new_string":"evil"},)" + around + "}") ==
        std::vector<std::string>{"path: /x", "- b", "+ c", R"(input: {"new_string":"evil"})"});
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","old_string":"evil\nb","new_string":"evil\nc"},)" + around + "}") ==
        std::vector<std::string>{"path: /x", "- b", "+ c"});
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","content":"a\nevil\nc\n"},)" + around + "}") ==
        std::vector<std::string>{"path: /x", "- b", "+ c"});
  CHECK(details_of_call(
            R"({"rawInput":{"file_path":"/x","old_string":"a","new_string":"b","replace_all":true,"content":"c"}})") ==
        std::vector<std::string>{"path: /x", "- a", "+ b", R"(input: {"replace_all":true,"content":"c"})"});
}

TEST_CASE("a change that only the input tells is shown too, and an input that is nothing of all that as it is") {
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","old_string":"a","new_string":"b"}})") ==
        std::vector<std::string>{"path: /x", "- a", "+ b"});
  CHECK(details_of_call(R"({"rawInput":{"file_path":"/x","content":"new"}})") == std::vector<std::string>{"path: /x", "+ new"});
  CHECK(details_of_call(R"({"rawInput":{"url":"https://example.org"}})") ==
        std::vector<std::string>{R"(input: {"url":"https://example.org"})"});
  CHECK(details_of_call(R"({"title":"Think"})").empty());
}

TEST_CASE("the details are bounded, and say how much is missing") {
  std::string before, after, command;
  for (int i = 0; i < 30; ++i) before += fmt::format("old {}\n", i);
  for (int i = 0; i < 20; ++i) after += fmt::format("new {}\n", i);
  for (int i = 0; i < 15; ++i) command += fmt::format("step {}\n", i);
  boost::json::array content;
  content.push_back({{"type", "diff"}, {"path", "/x"}, {"oldText", before}, {"newText", after}});
  const auto changes = details_of_call({{"content", content}});
  REQUIRE(changes.size() == 14);
  CHECK(changes[4] == "- old 3");  // both sides are to be seen
  CHECK(changes[5] == "+ new 0");
  CHECK(changes[13] == "… 38 more lines");
  const auto steps = details_of_call({{"rawInput", {{"command", command}}}});
  REQUIRE(steps.size() == 13);
  CHECK(steps.back() == "… 3 more lines of the command");
  const auto wide = details_of_call({{"rawInput", {{"command", std::string(1'500, 'x')}}}});
  CHECK(wide.front().ends_with("x… 500 more characters"));
  const auto input = details_of_call({{"rawInput", {{"command", "a"}, {"env", std::string(1'500, 'x')}}}});
  CHECK(input.back().ends_with(" more characters"));
}

TEST_CASE("nothing in the details commands a terminal") {
  for (
      const auto& line : details_of_call(
          R"({"rawInput":{"command":"a\u001b[2J\rb","path":"\u009b2J"},"content":[{"content":{"text":"\u0007\u001b]0;x"}}]})")) {
    CHECK_FALSE(line.contains("\u009b"));
    for (const char byte : line) CHECK((static_cast<unsigned char>(byte) >= 0x20 && byte != '\x7f'));
  }
}

}  // namespace sa
