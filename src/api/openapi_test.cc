#include <doctest/doctest.h>

#include <boost/json.hpp>

#include "api/api.h"

namespace sa {

TEST_CASE("the API document is made once") { CHECK(&openapi_document() == &openapi_document()); }

TEST_CASE("problems about an instance name it, and the API document says so") {
  const boost::json::value document = boost::json::parse(openapi_document());
  const auto& answers = document.at("paths").at("/v1/acp/{server_id}").at("post").at("responses");
  for (const char* status : {"409", "502", "503", "504"})
    CHECK_MESSAGE(answers.at(status).at("headers").as_object().contains("Acp-Instance-Id"), status);
  CHECK_FALSE(answers.at("400").as_object().contains("headers"));
}

}  // namespace sa
