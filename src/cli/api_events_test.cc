#include "cli/api_events.h"

#include <doctest/doctest.h>

#include "cli/plain_text.h"

namespace sa {

TEST_CASE("an event is one line: its data as it came, a string when it is no JSON") {
  CHECK(event_document({"message", "12", R"({"a":1.0})"}) == R"({"event":"message","id":12,"data":{"a":1.0}})");
  CHECK(event_document({"client", "", "[1,\n2]"}) == R"({"event":"client","data":[1, 2]})");
  CHECK(event_document({"message", "0", "1"}) == R"({"event":"message","id":0,"data":1})");
  CHECK(event_document({"message", "007", "1"}) == R"({"event":"message","id":"007","data":1})");  // no number of JSON
  CHECK(event_document({"gap", "x", "no json"}) == R"({"event":"gap","id":"x","data":"no json"})");
}

TEST_CASE("JSON of several lines becomes one line of the same JSON") {
  CHECK(on_one_line("{\n  \"a\": \"x\\ny\"\r\n}\n") == R"({   "a": "x\ny"  })");
}

}  // namespace sa
