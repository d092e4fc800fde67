#include "http/media_type.h"

#include <doctest/doctest.h>

namespace sa {

TEST_CASE("a content type is compared without its parameters and in any case") {
  for (const char* given : {"application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;x",
                            " application/json\t; a=b"}) {
    CAPTURE(given);
    CHECK(is_media_type(given, "application/json"));
  }
  for (const char* given : {"", ";", "application/jsonp", "application/json-rpc", "text/json", "application/*", "*/*",
                            "text/plain; application/json", "application/json, text/plain"}) {
    CAPTURE(given);
    CHECK_FALSE(is_media_type(given, "application/json"));
  }
}

TEST_CASE("an accept value allows what one of its ranges covers") {
  for (const char* accept :
       {"", " ", "*/*", "application/json", "APPLICATION/JSON", "application/*", "text/html, application/json",
        "text/html,*/*;q=0.1", "application/json;q=0.001", "application/json; version=1 ; q=0.5", "*", ",,application/json,"}) {
    CAPTURE(accept);
    CHECK(accepts(accept, "application/json"));
  }
  for (const char* accept : {"text/html", "text/*", "application/xml", "application", "application/", "/*", "application/jso",
                             "application/json;q=0", "*/*;q=0.0", ",", "text/event-stream, text/html"}) {
    CAPTURE(accept);
    CHECK_FALSE(accepts(accept, "application/json"));
  }
}

TEST_CASE("the most specific range counts, wherever it stands") {
  CHECK_FALSE(accepts("*/*, application/json;q=0", "application/json"));
  CHECK_FALSE(accepts("application/json;q=0, */*", "application/json"));
  CHECK(accepts("application/*;q=0, application/json", "application/json"));
  CHECK_FALSE(accepts("*/*, application/*;q=0", "application/json"));
}

TEST_CASE("quality is told in thousandths and stays within its bounds") {
  CHECK(quality("", "text/html") == 1000);
  CHECK(quality("text/html;q=0.5", "text/html") == 500);
  CHECK(quality("text/html;Q=0.25;x=y", "text/html") == 250);
  CHECK(quality("text/html;level=1;q=1", "text/html") == 1000);
  CHECK(quality("text/html;q=1.5", "text/html") == 1000);
  CHECK(quality("text/html;q=7", "text/html") == 0);
  CHECK(quality("text/html;q=-7", "text/html") == 0);
  CHECK(quality("text/html;q=", "text/html") == 0);
  CHECK(quality("text/html,application/xhtml+xml,*/*;q=0.8", "application/json") == 800);
}

TEST_CASE("a quality that is no number refuses") {
  for (const char* accept : {"text/html;q=nan", "text/html;q=inf", "text/html;q=0x1", "text/html;q=0.8x"})
    CHECK(quality(accept, "text/html") == 0);
}

}  // namespace sa
