#include "mock_agent/rpc.h"

#include <doctest/doctest.h>

namespace sa::mock {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("a request that is invalid is refused under its id, whatever value that is") {
  for (const char* id : {"500", "-1.50", "\"a\\u0062\"", "null", "true", R"({"a": 1})", "[1,[2]]", "12345678901234567890123"}) {
    CAPTURE(id);
    for (const char* rest : {R"(,"method":7})", R"(,"method":{}})", "}"}) {
      const auto message = parse_message(std::string(R"({"jsonrpc":"2.0","id":)") + id + rest);
      REQUIRE_FALSE(message);
      CHECK(message.error().id == id);
      CHECK(message.error().error.code == RpcError::invalid_request);
    }
  }
  const auto message = parse_message(R"({"id":{"a":1},"method":"session/list"})");
  REQUIRE_FALSE(message);
  CHECK(message.error().id == R"({"a":1})");
  CHECK(message.error().error.message.contains("id is no string"));
}

TEST_CASE("of two ids the last one counts, as for everybody else") {
  CHECK(parse_message(R"({"id":1,"method":7,"id":2})").error().id == "2");
  CHECK(std::get<Request>(*parse_message(R"({"id":1,"method":"m","\u0069d":2})")).id == "2");
}

TEST_CASE("what has no id, or is no JSON, is refused under null") {
  for (const char* line : {"[]", "17", "{}", R"({"method":7})", R"({"params":{"id":1}})"}) {
    CAPTURE(line);
    CHECK(parse_message(line).error().id == "null");
    CHECK(parse_message(line).error().error.code == RpcError::invalid_request);
  }
  for (const char* line : {R"({"id":1,"method":)", R"({"id":1}})", "\"\xff\""}) {
    CAPTURE(line);
    CHECK(parse_message(line).error().id == "null");
    CHECK(parse_message(line).error().error.code == RpcError::parse_error);
  }
}

TEST_CASE("a bad response is refused under null: its id is one of ours, not the client's") {
  CHECK(parse_message(R"({"id":[5],"result":{}})").error().id == "null");
  CHECK(parse_message(R"({"id":5,"result":)" + nested(5'000) + "}").error().id == "null");
}

TEST_CASE("deep params are read, deeper ones refused under the id of the request") {
  const auto request = [](std::size_t depth) { return R"({"id":5,"method":"m","params":{"x":)" + nested(depth) + "}}"; };
  const auto deep = parse_message(request(3'990));
  REQUIRE(deep);
  CHECK(std::get<Request>(*deep).params.contains("x"));
  for (const std::size_t depth : {4'000U, 1'000'000U}) {
    const auto refused = parse_message(request(depth));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().id == "5");
    CHECK(refused.error().error.message == "The message is nested deeper than 4000 levels.");
  }
}

TEST_CASE("an id of any depth comes back") {
  const std::string id = nested(1'000'000);
  CHECK(parse_message(R"({"method":"m","id":)" + id + "}").error().id == id);
}

TEST_CASE("an id stands in the reply as it was spelled") {
  CHECK(result_line("1.0", {{"a", 1}}) == R"({"jsonrpc":"2.0","id":1.0,"result":{"a":1}})");
  CHECK(error_line("[ ]", {RpcError::not_found, "m"}) == R"({"jsonrpc":"2.0","id":[ ],"error":{"code":-32002,"message":"m"}})");
}

TEST_CASE("a message with half an emoji is understood") {
  const auto message = parse_message(R"({"method":"m","params":{"text":"a\ud83d!"}})");
  REQUIRE(message);
  CHECK(string_member(std::get<Notification>(*message).params, "text") == "a\uFFFD!");
}

}  // namespace sa::mock
