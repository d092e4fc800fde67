#include "agents/registry_document.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

namespace sa {
namespace {

using Strings = std::vector<std::string>;

std::string document(const std::string& agents) { return R"({"version":"1","agents":[)" + agents + "]}"; }

std::string npx(const std::string& id, const std::string& package) {
  return fmt::format(R"({{"id":"{}","version":"1.0.0","distribution":{{"npx":{{"package":"{}"}}}}}})", id, package);
}

struct Refusal {
  const char* entry;
  const char* field;
};

}  // namespace

TEST_CASE("the first slug that is listed decides, wherever it stands in the registry") {
  const std::string text = document(npx("old", "o@1") + "," + npx("new", "n@2") + "," + npx("new", "twice@3"));
  CHECK(find_in_registry(text, {"newest", "new", "old"}).value()->distribution.npx->package == "n@2");
  CHECK(find_in_registry(text, {"old", "new"}).value()->distribution.npx->package == "o@1");
  CHECK_FALSE(find_in_registry(text, {"other"}).value().has_value());
  CHECK_FALSE(find_in_registry(text, {}).value().has_value());
}

TEST_CASE("an entry of the registry is read with all it says") {
  const auto found = find_in_registry(document(R"({"id":"a","name":"A","version":"2.1.0","icon":"x","distribution":{
        "uvx":{"package":"u==1","args":["s"]},"npx":{"package":"n@1","args":["--acp"],"env":{"A":"1"},"cmd":"n2"},
        "binary":{"linux-x86_64":{"archive":"https://h/a.tgz","cmd":"./a","args":["x"],"env":{"B":"2"},"sha256":"00"}}}})"),
                                      {"a"});
  REQUIRE((found.has_value() && found->has_value()));
  const RegistryEntry& entry = **found;
  CHECK(entry.version == "2.1.0");
  CHECK(entry.distribution.uvx->package == "u==1");
  CHECK(entry.distribution.uvx->args == Strings{"s"});
  CHECK(entry.distribution.npx->cmd == "n2");
  CHECK(entry.distribution.npx->env.at("A") == "1");
  const RegistryArchive& archive = entry.distribution.binary->at("linux-x86_64");
  CHECK(archive.archive == "https://h/a.tgz");
  CHECK(archive.cmd == "./a");
  CHECK(archive.args == Strings{"x"});
  CHECK(archive.env.at("B") == "2");
  CHECK(archive.sha256 == "00");
}

TEST_CASE("a broken entry of the registry only matters when it is ours") {
  const std::string text = document(R"(null,7,{"id":3},{"id":"broken","version":1},)" + npx("a", "n@1") + R"(,{"id":"late"})");
  CHECK(find_in_registry(text, {"a"}).value().has_value());
  CHECK(find_in_registry(text, {"other"}).has_value());
  CHECK_FALSE(find_in_registry(text, {"broken"}).has_value());
  CHECK_FALSE(find_in_registry(text, {"late", "a"}).has_value());
}

TEST_CASE("what is wrong in our entry is named by its field") {
  const Refusal table[] = {
      {R"({"id":"a","distribution":{}})", "agents.a.version"},
      {R"({"id":"a","version":1,"distribution":{}})", "agents.a.version"},
      {R"({"id":"a","version":"1"})", "agents.a.distribution"},
      {R"({"id":"a","version":"1","distribution":[]})", "agents.a.distribution"},
      {R"({"id":"a","version":"1","distribution":{"npx":{}}})", "agents.a.distribution.npx.package"},
      {R"({"id":"a","version":"1","distribution":{"uvx":{"package":""}}})", "agents.a.distribution.uvx.package"},
      {R"({"id":"a","version":"1","distribution":{"npx":{"package":"p","args":"x"}}})", "agents.a.distribution.npx.args"},
      {R"({"id":"a","version":"1","distribution":{"npx":{"package":"p","env":{"A":1}}}})", "agents.a.distribution.npx.env.A"},
      {R"({"id":"a","version":"1","distribution":{"binary":{"p":7}}})", "agents.a.distribution.binary.p"},
  };
  for (const Refusal& refusal : table) {
    CAPTURE(refusal.entry);
    const auto found = find_in_registry(document(refusal.entry), {"a"});
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().code == ErrorCode::unprocessable);
    CHECK(found.error().extra("field") == fmt::format("\"{}\"", refusal.field));
  }
}

TEST_CASE("a registry without a list of agents is refused, and so is no JSON") {
  for (const char* text : {"{}", R"({"agents":{}})", "[]", "null"}) {
    CAPTURE(text);
    const auto found = find_in_registry(text, {"a"});
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().extra("field") == "\"agents\"");
  }
  CHECK(find_in_registry("<html>", {"a"}).error().code == ErrorCode::invalid_request);
}

TEST_CASE("variables that change how processes are plumbed are known in either case") {
  for (const char* name : {"PATH",
                           "path",
                           "Path",
                           "HOME",
                           "SHELL",
                           "LD_PRELOAD",
                           "ld_library_path",
                           "NODE_OPTIONS",
                           "NODE_PATH",
                           "NODE",
                           "npm_config_registry",
                           "NPM_TOKEN",
                           "PYTHONPATH",
                           "pythonstartup",
                           "SSL_CERT_FILE",
                           "DYLD_INSERT_LIBRARIES",
                           "GIT_SSH_COMMAND",
                           "SANDBOX_AGENT_TOKEN",
                           "BASH_ENV",
                           "ENV",
                           "IFS",
                           "TMPDIR",
                           "http_proxy",
                           "HTTPS_PROXY",
                           "no_proxy",
                           "UV_INDEX_URL",
                           "PIP_INDEX_URL",
                           "PERL5LIB",
                           "RUBYOPT",
                           "XDG_DATA_HOME",
                           "BASH_FUNC_x%%",
                           "JAVA_TOOL_OPTIONS",
                           "OPENSSL_CONF"}) {
    CAPTURE(name);
    CHECK(is_plumbing_variable(name));
  }
  for (const char* name : {"", "A", "API_KEY", "MY_PATH", "PATHS", "HOMEPAGE", "OLD_LD_PRELOAD", "NODEX", "MODEL",
                           "ENVIRONMENT", "DISABLE_TELEMETRY", "XSSL_X", "TEMPERATURE"}) {
    CAPTURE(name);
    CHECK_FALSE(is_plumbing_variable(name));
  }
}

TEST_CASE("this platform is a system and an architecture, as the registry says them") {
  const std::string_view platform = this_platform();
  CHECK((platform.starts_with("linux-") || platform.starts_with("darwin-")));
  CHECK((platform.ends_with("-x86_64") || platform.ends_with("-aarch64")));
  CHECK(std::ranges::count(platform, '-') == 1);
}

}  // namespace sa
