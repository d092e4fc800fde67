#include "base/result.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <map>
#include <set>

namespace sa {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::unprocessable, "odd");
  return number / 2;
}

Result<int> quarter(int number) {
  TRY(const int once, half(number));
  TRY(const int twice, half(once));
  return twice;
}

// The table of the HTTP contract, written out a second time on purpose.
const std::map<std::string_view, int> contract = {
    {"invalid_request", 400},
    {"unprocessable", 422},
    {"unsupported_agent", 400},
    {"token_missing", 401},
    {"token_invalid", 401},
    {"forbidden", 403},
    {"not_found", 404},
    {"agent_not_installed", 404},
    {"method_not_allowed", 405},
    {"not_acceptable", 406},
    {"unsupported_media_type", 415},
    {"conflict", 409},
    {"config_corrupt", 409},
    {"removed", 410},
    {"precondition_failed", 412},
    {"range_not_satisfiable", 416},
    {"request_timeout", 408},
    {"uri_too_long", 414},
    {"payload_too_large", 413},
    {"header_too_large", 431},
    {"install_failed", 500},
    {"agent_process_exited", 502},
    {"agent_spawn_failed", 502},
    {"agent_io_failed", 502},
    {"overloaded", 503},
    {"timeout", 504},
    {"no_space", 507},
    {"internal", 500},
};

}  // namespace

TEST_CASE("the error table is the contract's: every word once, with its status") {
  std::set<std::string_view> words, titles;
  for (const ErrorRow& row : error_rows) {
    CAPTURE(row.word);
    CHECK(words.insert(row.word).second);
    CHECK(titles.insert(row.title).second);
    CHECK(contract.contains(row.word));
    if (contract.contains(row.word)) CHECK(contract.at(row.word) == row.status);
    CHECK(row.exit != Exit::success);
    CHECK(row.exit != Exit::interrupted);
  }
  CHECK(words.size() == contract.size());
}

TEST_CASE("a code finds its own row") {
  CHECK(error_row(ErrorCode::invalid_request).word == "invalid_request");
  CHECK(error_row(ErrorCode::overloaded).word == "overloaded");
  CHECK(error_row(ErrorCode::no_space).word == "no_space");
}

TEST_CASE("errno is told in words and by name") {
  CHECK(errno_text(ENOENT) == "No such file or directory (ENOENT)");
  CHECK(errno_text(EAGAIN) == "Resource temporarily unavailable (EAGAIN)");
  CHECK(errno_text(99999) == "unknown error (99999)");
}

TEST_CASE("extras are encoded as JSON and keep their order") {
  const Error error =
      Error{ErrorCode::conflict, "x", {}}.with_text("text", "a\"b\n").with_number("number", -5).with_json("json", "[1]");
  REQUIRE(error.extras.size() == 3);
  CHECK(error.extras[0].name == "text");
  CHECK(error.extras[0].json == R"("a\"b\n")");
  CHECK(error.extras[1].json == "-5");
  CHECK(error.extras[2].json == "[1]");
}

TEST_CASE("TRY unwraps a value or returns the error") {
  CHECK(quarter(12) == 3);
  CHECK(quarter(6).error().detail == "odd");
  CHECK(quarter(3).error().code == ErrorCode::unprocessable);
}

}  // namespace sa
