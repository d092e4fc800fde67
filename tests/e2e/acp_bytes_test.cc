#include <doctest/doctest.h>

#include "support/acp.h"

using namespace rig;

namespace {

std::string without_newlines(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("acp");

TEST_CASE("bytes reach the agent as they came") {
  Daemon daemon;
  Acp acp(daemon, "x", "verbatim");
  const std::string bodies[] = {
      R"({"method":"a","big":123456789012345678901234567890,"exp":1E+2,"neg":-0.0,"long":0.10000000000000000000001})",
      R"({"z":1,"a":2,"method":"order","z":3})",
      R"({"method":"esc","s":"\ud800 \udfff \u0000 \/ \u00e9 \ud83d\ude00"})",
      "{\"method\":\"utf8\",\"s\":\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\"}",
      R"(  { "method" : "spaces" ,	"a" : [ 1 , 2 ] })",
      R"({"method":"nul","s":"a\u0000b"})",
      R"({"method":"deep","a":[[[[[[[[[[{}]]]]]]]]]]})",
      R"({"":0,"method":"empty key","unknown":{"_meta":null}})",
  };
  auto stream = [&] {
    acp.post(R"({"method":"first"})");
    return acp.stream();
  }();
  stream.next();
  for (const auto& body : bodies) {
    INFO(body);
    CHECK_EQ(acp.post(body).status, 202);
    const auto heard = text_at(stream.next().data, "params.line");
    CHECK_EQ(without_newlines(heard), without_newlines(body));
  }
}

TEST_CASE("raw newlines between tokens are blanked so that it stays one line") {
  Daemon daemon;
  Acp acp(daemon, "x", "verbatim");
  const std::string body = "{\n  \"method\": \"pretty\",\r\n  \"params\": {\n\t\"a\": [1,\n2] } \n}\n";
  CHECK_EQ(acp.post(body).status, 202);
  auto stream = acp.stream();
  CHECK_EQ(without_newlines(text_at(stream.next().data, "params.line")), without_newlines(body));
  acp.post(R"({"method":"next"})");
  CHECK(stream.next().mentions("next"));
}

TEST_CASE("bytes reach the client as the agent said them") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const std::string lines[] = {
      R"({"jsonrpc":"2.0","method":"m","params":{"big":123456789012345678901234567890,"e":1E+2,"s":"\ud800\/"}})",
      R"( { "b" : 1 , "a" : 2 } )",
      "{\"s\":\"\xc3\xa9\xf0\x9f\x98\x80\"}",
      R"({"id":99,"result":"answer to nobody"})",
      "[1,2,3]",
      "\"just a string\"",
  };
  for (const auto& line : lines) REQUIRE_EQ(acp.post(utterance(line + "\n")).status, 202);
  auto stream = acp.stream();
  for (const auto& line : lines) CHECK_EQ(stream.next().data, line);
}

TEST_CASE("nesting is limited by nothing but the body limit") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const std::size_t depth = 500000;
  const auto response = acp.call("echo", std::string(depth, '[') + std::string(depth, ']'));
  CHECK_EQ(response.status, 200);
  CHECK_GT(response.body.size(), 2 * depth);
}

TEST_CASE("16 MiB go both ways") {
  Daemon daemon;
  Acp acp(daemon, "x");
  const std::size_t size = 16 << 20;
  auto response = acp.call("echo", '"' + std::string(size, 'u') + '"');
  REQUIRE_EQ(response.status, 200);
  CHECK_EQ(response.body, R"({"jsonrpc":"2.0","id":1,"result":{"echo":")" + std::string(size, 'u') + "\"}}");
  response = acp.call("big", R"({"bytes":)" + std::to_string(size) + "}");
  REQUIRE_EQ(response.status, 200);
  CHECK_GT(response.body.size(), size);
  auto stream = acp.stream();
  const auto first = stream.next();
  const auto newest = first.is_message() && first.id == 2 ? first : stream.until_id(2);
  CHECK_EQ(newest.data.size(), response.body.size());
}

TEST_SUITE_END();
