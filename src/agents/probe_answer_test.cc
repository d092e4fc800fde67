#include "agents/probe_answer.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

namespace sa {

TEST_CASE("a refusal is told in the agent's words with its code") {
  CHECK(refusal_words(R"({"code":-32000,"message":"Authentication required"})") == "Authentication required (-32000)");
  CHECK(refusal_words(R"({"message":"no"})") == "no");
}

TEST_CASE("a refusal without words is told all the same") {
  CHECK(refusal_words("") == "the agent refused");
  CHECK(refusal_words(R"({"code":1,"message":" \n"})") == "the agent refused (1)");
  CHECK(refusal_words(R"({"message":7})") == "the agent refused");
}

TEST_CASE("a refusal is one short line, whatever the agent says") {
  CHECK(refusal_words(R"({"message":"a\nb\u001b[2J\u009bc"})") == "a b [2J c");
  CHECK(refusal_words(R"({"message":")" + std::string(9000, 'x') + "\"}").size() == 500);
}

TEST_CASE("a version is taken as it is, or not at all") {
  const auto version_of = [](const boost::json::value& version) {
    return agent_version_in({{"agentInfo", {{"name", "x"}, {"version", version}}}});
  };
  CHECK(version_of("1.2.3-beta é") == "1.2.3-beta é");
  CHECK(version_of(7) == "");
  CHECK(version_of("1\n2") == "");
  CHECK(version_of(boost::json::string(101, '1')) == "");
  CHECK(agent_version_in(nullptr) == "");
}

}  // namespace sa
