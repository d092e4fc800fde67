#include "api/problem_help.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "api/api.h"
#include "base/words.h"

namespace sa {

TEST_CASE("every error says in sentences when it comes and what to do") {
  for (std::size_t i = 0; i < std::size(error_rows); ++i) {
    const ProblemHelp help = problem_help(static_cast<ErrorCode>(i));
    CAPTURE(error_rows[i].word);
    CHECK(help.when.ends_with('.'));
    CHECK(help.what_to_do.ends_with('.'));
  }
}

TEST_CASE("what an error adds to its problem is a member of the API document's Problem") {
  const boost::json::value document = boost::json::parse(openapi_document());
  const auto& members = document.at("components").at("schemas").at("Problem").at("properties").as_object();
  for (std::size_t i = 0; i < std::size(error_rows); ++i) {
    const auto names = split_words(problem_help(static_cast<ErrorCode>(i)).members);
    REQUIRE(names);
    for (const std::string& name : *names) {
      CAPTURE(name);
      CHECK(members.contains(name));
    }
  }
}

}  // namespace sa
