#include "cli/model_hosts.h"

#include <doctest/doctest.h>

using namespace sa;

TEST_CASE("the host behind a key follows from its variable, unless another address is named") {
  const Environment empty = [](std::string_view) { return std::optional<std::string>(); };
  const Environment elsewhere = [](std::string_view name) {
    return name == "OPENAI_BASE_URL" ? std::optional<std::string>("http://127.0.0.1:9/v1") : std::nullopt;
  };
  CHECK_EQ(model_host("OPENAI_API_KEY", empty), "https://api.openai.com");
  CHECK_EQ(model_host("OPENAI_API_KEY", elsewhere), "http://127.0.0.1:9/v1");
  CHECK_EQ(model_host("GROQ_API_KEY", elsewhere), "https://api.groq.com");
  CHECK_EQ(model_host("SOME_OTHER_KEY", empty), "");
}
