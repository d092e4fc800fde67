#include "cli/markdown.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a bar does not end a cell of a table") { CHECK(cell("once | always") == "once \\| always"); }

TEST_CASE("a link to a heading is what Markdown makes of it") {
  CHECK(anchor_of("GET /v1/acp/{server_id}") == "get-v1acpserver_id");
  CHECK(anchor_of("`api fs upload-batch`") == "api-fs-upload-batch");
  CHECK(anchor_of("Exit codes") == "exit-codes");
}

}  // namespace sa
