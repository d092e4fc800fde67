#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/chunk_decoder.h"
#include "support/sse_parser.h"
#include "support/stream_check.h"

using namespace rig;

namespace {

std::vector<std::string> parsed(std::string_view text, std::size_t step, std::string& fault) {
  SseParser parser;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < text.size(); at += step) {
    parser.feed(text.substr(at, step), [&](const SseEvent& e) {
      events.push_back(std::to_string(static_cast<int>(e.kind)) + ":" + std::to_string(e.id) + ":" + std::string(e.data));
      return true;
    });
  }
  fault = parser.fault();
  return events;
}

std::string fault_of(std::string_view text) {
  std::string fault;
  parsed(text, text.size(), fault);
  return fault;
}

}  // namespace

TEST_SUITE_BEGIN("support");

TEST_CASE("the stream parser takes the contract's bytes in pieces of any size") {
  const std::string text =
      "event: message\nid: 1\ndata: {\"a\":1}\n\n: heartbeat\n\nevent: client\ndata: {}\n\n"
      "event: gap\ndata: {\"from\":2,\"to\":3}\n\nevent: message\nid: 4\ndata: []\n\n";
  const std::vector<std::string> wanted = {"0:1:{\"a\":1}", "3:0:", "1:0:{}", "2:0:{\"from\":2,\"to\":3}", "0:4:[]"};
  for (std::size_t step = 1; step <= text.size(); ++step) {
    std::string fault;
    CHECK_EQ(parsed(text, step, fault), wanted);
    CHECK_EQ(fault, "");
  }
}

TEST_CASE("the stream parser finds every deviation") {
  CHECK_NE(fault_of("event:message\nid: 1\ndata: {}\n\n"), "");
  CHECK_NE(fault_of("event: message\nid: x\ndata: {}\n\n"), "");
  CHECK_NE(fault_of("event: message\nid: 01\ndata: {}\n\n"), "");
  CHECK_NE(fault_of("event: message\nid: 1\ndata: {}\ndata: {}\n\n"), "");
  CHECK_NE(fault_of("event: message\r\nid: 1\ndata: {}\n\n"), "");
  CHECK_NE(fault_of(":heartbeat\n\n"), "");
  CHECK_NE(fault_of("data: {}\n\n"), "");
}

TEST_CASE("the chunk decoder takes pieces of any size and finds faults") {
  const std::string framed = "5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n";
  for (std::size_t step = 1; step <= framed.size(); ++step) {
    ChunkDecoder decoder;
    std::string out;
    for (std::size_t at = 0; at < framed.size(); at += step) {
      decoder.feed(std::string_view(framed).substr(at, step), [&](std::string_view piece) { out += piece; });
    }
    CHECK_EQ(out, "hello0123456789");
    CHECK(decoder.done());
    CHECK_FALSE(decoder.faulty());
  }
  ChunkDecoder decoder;
  decoder.feed("5\r\nhelloX", [](std::string_view) {});
  CHECK(decoder.faulty());
}

TEST_CASE("the order check tells missing, doubled, reordered and wrong gaps apart") {
  const auto first_fault = [](auto play) {
    StreamCheck check;
    check.begin(0);
    play(check);
    return check.faults().empty() ? std::string() : check.faults().front().substr(0, 8);
  };
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_message(1), c.on_message(2); }), "");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_message(1), c.on_message(3); }), "missing ");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_message(1), c.on_message(1); }), "doubled:");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_message(1), c.on_message(2), c.on_message(1); }), "reordere");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":1,"to":4})"), c.on_message(5); }), "");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":1,"to":4})"), c.on_message(6); }), "missing ");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":2,"to":4})"), c.on_message(5); }), "wrong ga");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":1,"to":0})"); }), "wrong ga");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap("nonsense"); }), "a gap th");
  static constexpr std::string_view unknown = R"({"reason":"unknown_position"})";
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(unknown), c.on_message(1); }), "a good p");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.allow_lost_position(), c.on_gap(unknown), c.on_message(1); }), "");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.expect_lost_position(), c.on_gap(unknown), c.on_message(1); }), "");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.expect_lost_position(), c.on_message(1); }), "another ");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.expect_lost_position(), c.on_gap(unknown), c.on_message(4711); }), "missing ");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":1,"to":4})", 4), c.on_message(5); }), "");
  CHECK_EQ(first_fault([](StreamCheck& c) { c.on_gap(R"({"from":1,"to":4})", 3), c.on_message(5); }), "called l");
}

TEST_SUITE_END();
