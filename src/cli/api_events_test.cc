#include "cli/api_events.h"

#include <doctest/doctest.h>

#include <vector>

namespace sa {
namespace {

std::vector<std::string> documents_of(std::string_view bytes, std::size_t piece) {
  StreamEvents events;
  std::vector<std::string> documents;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    events.feed(bytes.substr(0, piece), [&](const StreamEvent& event) { documents.push_back(event_document(event)); });
  return documents;
}

}  // namespace

TEST_CASE("events become documents, however the bytes are cut") {
  const std::string_view stream =
      ": hello\n\nevent: message\nid: 12\ndata: {\"a\":1.0}\n\ndata: [1,\ndata: 2]\n\nevent: gap\r\nid: x\r\ndata: no "
      "json\r\n\r\nid: 13\n\n";
  const std::vector<std::string> expected{R"({"event":"message","id":12,"data":{"a":1.0}})",
                                          R"({"event":"message","data":[1, 2]})",
                                          R"({"event":"gap","id":"x","data":"no json"})"};
  for (const std::size_t piece : {1u, 2u, 7u, 1000u}) CHECK(documents_of(stream, piece) == expected);
}

TEST_CASE("JSON of several lines becomes one line of the same JSON") {
  CHECK(on_one_line("{\n  \"a\": \"x\\ny\"\r\n}\n") == R"({   "a": "x\ny"  })");
}

}  // namespace sa
