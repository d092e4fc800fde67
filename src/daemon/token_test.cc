#include "daemon/token.h"

#include <doctest/doctest.h>

#include "base/scratch_folder.h"

namespace sa {
namespace {

Result<Token> token_by(std::string Settings::* place, const std::string& value) {
  Settings settings;
  settings.*place = value;
  return choose_token(settings);
}

}  // namespace

TEST_CASE("blanks around a token do not count, wherever it comes from: no header can carry them") {
  const ScratchFolder folder;
  folder.write("token", " \ta token\t \r\nanother line\n");
  CHECK(read_token_file(folder.at("token")) == "a token");
  CHECK(token_by(&Settings::token_file, folder.at("token"))->value == "a token");
  CHECK(token_by(&Settings::token, "\t a token ")->value == "a token");
  CHECK(token_by(&Settings::environment_token, " a token\n")->value == "a token");
}

TEST_CASE("a token of blanks alone is refused, and is not as if there were none") {
  const ScratchFolder folder;
  folder.write("blank", " \t\n");
  CHECK_FALSE(token_by(&Settings::token_file, folder.at("blank")).has_value());
  const auto by_flag = token_by(&Settings::token, " ");
  REQUIRE_FALSE(by_flag.has_value());
  CHECK(by_flag.error().code == ErrorCode::invalid_request);
  CHECK(by_flag.error().detail == "the token from --token is blank");
  const auto by_variable = token_by(&Settings::environment_token, "\t");
  REQUIRE_FALSE(by_variable.has_value());
  CHECK(by_variable.error().detail == "the token from SANDBOX_AGENT_TOKEN is blank");
}

TEST_CASE("a flag beats the environment, two flags are one too many, and without any a token is made") {
  Settings settings;
  settings.environment_token = "environment";
  settings.token = "flag";
  CHECK(choose_token(settings)->value == "flag");
  settings.no_token = true;
  CHECK_FALSE(choose_token(settings).has_value());
  settings.token.clear();
  CHECK(choose_token(settings)->value.empty());
  CHECK(choose_token({})->generated);
  CHECK(choose_token({})->value.size() == 48);
}

}  // namespace sa
