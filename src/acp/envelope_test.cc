#include "acp/envelope.h"

#include <doctest/doctest.h>

#include "base/id_key.h"

namespace sa {
namespace {

using enum EnvelopeKind;

const struct {
  std::string_view text;
  EnvelopeKind kind;
  std::string_view id;  // the token, or empty
} envelopes[] = {
    {R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", request, "1"},
    {R"({"method":"m","id":null})", request, "null"},
    {R"({"method":1,"id":"a"})", request, "\"a\""},
    {R"({"method":null,"id":[1]})", request, "[1]"},
    {R"({"method":"m","id":1,"result":2})", request, "1"},
    {R"({"\u006dethod":"m","\u0069d":1})", request, "1"},
    {R"({"id":1,"method":"m","id":2})", request, "2"},
    {R"({"id":1,"result":{}})", response, "1"},
    {R"({"id":1,"result":null})", response, "1"},
    {R"({"id":"x","error":{"code":1}})", response, "\"x\""},
    {R"({"error":{},"result":{},"id":0})", response, "0"},
    {R"({"method":"session/cancel"})", other, ""},
    {R"({"method":"m","params":{"id":1}})", other, ""},
    {R"({"result":{"id":1,"method":"m"}})", other, ""},
    {R"({"error":1})", other, ""},
};

}  // namespace

TEST_CASE("a client's message is classified by its top-level keys and kept byte for byte") {
  for (const auto& [text, kind, id] : envelopes) {
    CAPTURE(text);
    const auto envelope = parse_envelope(std::string(text));
    REQUIRE(envelope.has_value());
    CHECK(envelope->kind == kind);
    CHECK(envelope->bytes == text);
    CHECK(envelope->id == (id.empty() ? "" : id_key(id)));
  }
}

TEST_CASE("an agent's line is classified in the same way") {
  for (const auto& [text, kind, id] : envelopes) {
    CAPTURE(text);
    const AgentLine line = look_at_line(text);
    CHECK(line.is_json);
    CHECK(line.kind == kind);
    CHECK(line.id == (kind == other ? "" : id_key(id)));
    CHECK_FALSE(line.has_carriage_return);
  }
}

TEST_CASE("an agent's line with an id and no method is an answer, also without a result or an error") {
  for (const char* text : {R"({"id":1})", R"({"jsonrpc":"2.0","id":1})", R"({"id":1,"params":{}})"}) {
    CAPTURE(text);
    const AgentLine line = look_at_line(text);
    CHECK(line.kind == response);
    CHECK(line.id == id_key("1"));
  }
  CHECK(look_at_line("{}").kind == other);
}

TEST_CASE("what is not one JSON-RPC object is refused") {
  for (const char* text : {"", " ", "{", "nul", "null", "1", "\"method\"", "[]", R"([{"method":"m","id":1}])", "{}",
                           R"({"id":1})", R"({"params":{}})", R"({"Method":"m"})", R"({"method":"m"}{"method":"m"})",
                           "{\"method\":\"\xFF\"}", R"({"method":"m",})"}) {
    CAPTURE(text);
    const auto envelope = parse_envelope(text);
    REQUIRE_FALSE(envelope.has_value());
    CHECK(envelope.error().code == ErrorCode::invalid_request);
  }
}

TEST_CASE("raw line ends between tokens are blanked, escaped ones and all else stay") {
  CHECK(parse_envelope("{\r\n\t\"method\":\n\"a\\n\"\n}\n")->bytes == "{  \t\"method\": \"a\\n\" } ");
  const std::string odd = R"({"method":"\ud83d", "id":1e999999999 , "n":12345678901234567890.10, "e":"\u00e9é"})";
  CHECK(parse_envelope(odd)->bytes == odd);
}

TEST_CASE("an agent's line may be any JSON, and says why when it is none") {
  CHECK(look_at_line("[1,2]").is_json);
  CHECK(look_at_line("\"text\"").is_json);
  CHECK(look_at_line("[1,2]").kind == other);
  CHECK(look_at_line("{\"a\":\r1}").has_carriage_return);
  const AgentLine bad = look_at_line("Starting server...");
  CHECK_FALSE(bad.is_json);
  CHECK(bad.error != nullptr);
}

}  // namespace sa
