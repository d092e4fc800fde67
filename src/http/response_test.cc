#include "http/response.h"

#include <doctest/doctest.h>

#include <set>

namespace sa {
namespace {

std::string body_of(const Response& response) { return std::get<std::string>(response.body); }

}  // namespace

TEST_CASE("a problem is exactly this JSON") {
  const Response response =
      problem(Error{ErrorCode::not_found, "No \"such\" thing.", {}}.with_text("resource", "agent").with_number("id", 7),
              "/v1/agents/x");
  CHECK(response.status == 404);
  CHECK(response.content_type == "application/problem+json");
  CHECK(response.headers.empty());
  CHECK(body_of(response) ==
        R"({"type":"urn:sandbox-agent:error:not_found","title":"Not found","status":404,"detail":"No \"such\" thing.",)"
        R"("instance":"/v1/agents/x","resource":"agent","id":7})");
}

TEST_CASE("a problem without instance and extras has only the four fields") {
  CHECK(body_of(problem(Error{ErrorCode::timeout, "Late.", {}})) ==
        R"({"type":"urn:sandbox-agent:error:timeout","title":"Timeout","status":504,"detail":"Late."})");
}

TEST_CASE("an unauthorized problem says how to log in, an overloaded one when to come back") {
  CHECK(problem(Error{ErrorCode::token_missing, "", {}}).headers == "www-authenticate: Bearer\r\n");
  CHECK(problem(Error{ErrorCode::token_invalid, "", {}}).headers == "www-authenticate: Bearer\r\n");
  CHECK(problem(Error{ErrorCode::overloaded, "", {}}).headers == "retry-after: 1\r\n");
}

TEST_CASE("every status of the error table has a reason phrase of its own") {
  std::set<int> statuses;
  std::set<std::string_view> phrases;
  for (const ErrorRow& row : error_rows) {
    CAPTURE(row.word);
    CHECK(reason_phrase(row.status) != reason_phrase(999));
    statuses.insert(row.status);
    phrases.insert(reason_phrase(row.status));
  }
  CHECK(phrases.size() == statuses.size());
}

TEST_CASE("each kind of answer has its content type") {
  CHECK(Response::empty(202).status == 202);
  CHECK(Response::empty(202).content_type.empty());
  CHECK(Response::text("ok").content_type == "text/plain; charset=utf-8");
  CHECK(Response::json(std::string("{}")).content_type == "application/json");
  CHECK(Response::json(SharedBytes::own("{}")).content_type == "application/json");
  const Response events = Response::events(nullptr);
  CHECK(events.content_type == "text/event-stream");
  CHECK(events.headers == "cache-control: no-cache\r\nx-accel-buffering: no\r\n");
}

TEST_CASE("headers are kept as lines in the order they were added") {
  Response response = Response::empty(200);
  response.header("a", "1").header("b", "2");
  CHECK(response.headers == "a: 1\r\nb: 2\r\n");
}

}  // namespace sa
