#include "client/message.h"

#include <doctest/doctest.h>

namespace sa {

using Kind = AgentMessage::Kind;

TEST_CASE("each kind of message is told by its members, and an id stays as it was spelled") {
  const auto request = read_message(R"({"jsonrpc":"2.0","id":1.0,"method":"m","params":{"a":1}})");
  REQUIRE(request);
  CHECK(request->kind == Kind::request);
  CHECK(request->id == "1.0");
  CHECK(request->params.at("a") == 1);
  CHECK(read_message(R"({"method":"m"})")->kind == Kind::notification);
  CHECK(read_message(R"({"id":"x","result":null})")->kind == Kind::result);
  const auto error = read_message(R"({"id":18446744073709551616,"error":{"code":-1,"message":"no"}})");
  CHECK(error->kind == Kind::error);
  CHECK(error->id == "18446744073709551616");
  const auto with_null = read_message(R"({"id":1,"result":{"a":1},"error":null})");
  CHECK(with_null->kind == Kind::result);
  CHECK(with_null->outcome.at("a") == 1);
  CHECK(read_message(R"({"id":1,"result":null,"error":{"code":-1,"message":"no"}})")->kind == Kind::error);
  CHECK(read_message(R"({"id":1,"error":null})")->kind == Kind::error);
  const auto empty = read_message(R"({"id":1})");
  CHECK(empty->kind == Kind::error);
  CHECK(empty->outcome.at("message") == "the answer has neither a result nor an error");
}

TEST_CASE("what is no message is none") {
  for (const char* text : {"", "[]", "3", "{}", R"({"result":1})", "{\"method\"", "nonsense"}) {
    CAPTURE(text);
    CHECK_FALSE(read_message(text));
  }
}

TEST_CASE("half an emoji does not make a message unreadable") {
  const auto message = read_message(R"({"method":"m","params":{"text":"a\ud83d!"}})");
  REQUIRE(message);
  CHECK(message->params.at("text") == "a\uFFFD!");
}

TEST_CASE("messages to the agent are one line with the id as it came") {
  CHECK(request_text(3, "m", {{"a", 1}}) == R"({"jsonrpc":"2.0","id":3,"method":"m","params":{"a":1}})");
  CHECK(notification_text("m", {}) == R"({"jsonrpc":"2.0","method":"m","params":{}})");
  CHECK(result_text("\"x\"", {}) == R"({"jsonrpc":"2.0","id":"x","result":{}})");
  CHECK(error_text("1", -32601, "a \"b\"") == R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"a \"b\""}})");
}

}  // namespace sa
