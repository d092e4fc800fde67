#include "client/trace.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

std::string written(const TraceLine& line) {
  std::string out;
  append_trace_line(out, line);
  return out;
}

// What is wrong with a line; empty when it can be read.
std::string complaint(std::string_view line) {
  const auto read = read_trace_line(line, 3);
  return read ? "" : read.error();
}

TraceMessage message(std::string_view line) {
  const auto read = read_trace_line(line, 1);
  REQUIRE(read.has_value());
  REQUIRE(std::holds_alternative<TraceMessage>(*read));
  return std::get<TraceMessage>(*read);
}

}  // namespace

TEST_CASE("a trace line holds a message's bytes as they are") {
  const std::string_view envelope = R"({ "id" : 1.0, "a":"\u00e9 \" }",  "b":[1e400 , {}] })";
  const std::string line = written(TraceMessage{Speaker::agent, 12, envelope});
  CHECK(line == fmt::format("{{\"seq\":12,\"direction\":\"agent\",\"envelope\":{}}}\n", envelope));
  const TraceMessage read = message(std::string_view(line).substr(0, line.size() - 1));
  CHECK(read.envelope == envelope);
  CHECK(read.seq == 12);
  CHECK(read.direction == Speaker::agent);
}

TEST_CASE("a client's message has no event number") {
  CHECK(written(TraceMessage{.direction = Speaker::client, .envelope = "{}"}) ==
        "{\"direction\":\"client\",\"envelope\":{}}\n");
  const TraceMessage read = message(R"({"direction":"client","envelope":{"id":1}})");
  CHECK(read.direction == Speaker::client);
  CHECK_FALSE(read.seq);
}

TEST_CASE("a message over several lines becomes one line") {
  CHECK(written(TraceMessage{.direction = Speaker::client, .envelope = "{\n\"a\":1\n}"}) ==
        "{\"direction\":\"client\",\"envelope\":{ \"a\":1 }}\n");
}

TEST_CASE("members of a line come in any order, with blanks, and unknown ones are passed over") {
  const TraceMessage read = message(
      " { \"time\" : \"x,}\" , \"envelope\" : [ {\"seq\":4} ] , \"x\":{\"direction\":\"no\"}, \"direction\":\"agent\",\"seq\" "
      ": 7 }\r");
  CHECK(read.envelope == "[ {\"seq\":4} ]");
  CHECK(read.seq == 7);
}

TEST_CASE("a gap is written and read in each of its forms") {
  for (const TraceGap gap : {TraceGap{3, 7, 0}, TraceGap{3, 3, 2}, TraceGap{0, 0, 5}, TraceGap{}}) {
    const std::string line = written(gap);
    CAPTURE(line);
    const auto read = read_trace_line(line, 1);
    REQUIRE(read.has_value());
    const auto* back = std::get_if<TraceGap>(&*read);
    REQUIRE(back);
    CHECK(back->from == gap.from);
    CHECK(back->to == gap.to);
    CHECK(back->client_messages == gap.client_messages);
  }
  CHECK(written(TraceGap{3, 7, 0}) == "{\"gap\":{\"from\":3,\"to\":7}}\n");
}

TEST_CASE("a line that cannot be read is named with what is wrong with it") {
  CHECK(complaint("{\"seq\":1") == "Line 3 is not JSON: unexpected end at byte 9.");
  CHECK(complaint("[]") == "Line 3 must be an object.");
  CHECK(complaint("{}") == "Line 3 has neither an 'envelope' nor a 'gap'.");
  CHECK(complaint(R"({"envelope":{}})") == "Line 3: 'direction' must be 'agent' or 'client'.");
  CHECK(complaint(R"({"envelope":{},"direction":"both"})") == "Line 3: 'direction' must be 'agent' or 'client'.");
  for (const char* seq : {"-1", "1.5", "\"1\"", "null", "99999999999999999999"})
    CHECK(complaint(fmt::format(R"({{"seq":{},"direction":"agent","envelope":{{}}}})", seq)) ==
          "Line 3: 'seq' must be a whole number.");
  CHECK(complaint(R"({"gap":1})") == "Line 3: 'gap' must be an object.");
  CHECK(complaint(R"({"gap":{"from":"a","to":2}})").starts_with("Line 3: 'from', 'to'"));
  for (const char* gap : {R"({"from":3,"to":2})", R"({"from":3})", R"({"to":3})"})
    CHECK(complaint(fmt::format(R"({{"gap":{}}})", gap)) == "Line 3: a gap must go from an event to the same or a later one.");
}

}  // namespace sa
