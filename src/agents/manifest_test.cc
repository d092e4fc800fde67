#include "agents/manifest.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace sa {
namespace {

using Strings = std::vector<std::string>;

// The least manifest, and members more.
std::string with(const std::string& members) {
  return R"({"id":"a","name":"A")" + std::string(members.empty() ? "" : ",") + members + "}";
}

struct Refusal {
  const char* json;
  const char* field;
};

}  // namespace

TEST_CASE("an id, a name and how to start it are enough for a manifest") {
  const auto manifest = read_manifest(with(R"("command":["prog","x y"])"));
  REQUIRE(manifest.has_value());
  CHECK(manifest->id == "a");
  CHECK(manifest->name == "A");
  CHECK(manifest->command == Strings{"prog", "x y"});
  CHECK(manifest->order == 100);
  CHECK(manifest->description.empty());
  CHECK(manifest->aliases.empty());
  CHECK(manifest->platforms.empty());
  CHECK_FALSE(manifest->process.has_value());
  CHECK_FALSE(manifest->native.has_value());
  CHECK_FALSE(manifest->credentials.has_value());
  CHECK(read_manifest(with(R"("registry":["a-acp"])")).has_value());
  CHECK(read_manifest(with(R"("registry":["a-acp"],"process":{})")).has_value());
}

TEST_CASE("every member of a manifest is read") {
  const auto read = read_manifest(with(R"("description":"D","homepage":"H","license":"L","order":7,"aliases":["b","c"],
    "registry":["x","y"],"platforms":["linux-x86_64"],"env":{"E":"1"},"verify":["--version"],"unavailable":"U",
    "process":{"npm":{"package":"@s/p","version":"1.2.3","bin":"p","node":"22","scripts":true},"args":["acp"],"env":{"P":"2"}},
    "native":{"program":"t","pinnedOnly":true,"npm":{"package":"q","version":"4"},"how":"How.","verify":["-v"]},
    "credentials":{"variables":[{"name":"K","aliases":["L"]}],"files":["~/.k"]},"capabilities":{"images":true,"status":false},
    "options":[{"id":"model","name":"Model","category":"model","currentValue":"m","options":[{"value":"m","name":"M"}]}])"));
  REQUIRE(read.has_value());
  const Manifest& manifest = *read;
  CHECK(manifest.description == "D");
  CHECK(manifest.homepage == "H");
  CHECK(manifest.license == "L");
  CHECK(manifest.order == 7);
  CHECK(manifest.aliases == Strings{"b", "c"});
  CHECK(manifest.registry == Strings{"x", "y"});
  CHECK(manifest.platforms == Strings{"linux-x86_64"});
  CHECK(manifest.env.at("E") == "1");
  CHECK(manifest.verify == Strings{"--version"});
  CHECK(manifest.unavailable == "U");
  REQUIRE((manifest.process && manifest.process->npm && manifest.native && manifest.native->npm && manifest.credentials));
  CHECK(manifest.process->npm->package == "@s/p");
  CHECK(manifest.process->npm->version == "1.2.3");
  CHECK(manifest.process->npm->bin == "p");
  CHECK(manifest.process->npm->node == "22");
  CHECK(manifest.process->npm->scripts);
  CHECK(manifest.process->args == Strings{"acp"});
  CHECK(manifest.process->env.at("P") == "2");
  CHECK(manifest.native->program == "t");
  CHECK(manifest.native->pinned_only);
  CHECK(manifest.native->npm->package == "q");
  CHECK_FALSE(manifest.native->npm->scripts);
  CHECK(manifest.native->how == "How.");
  CHECK(manifest.native->verify == Strings{"-v"});
  CHECK(manifest.credentials->needed);
  CHECK(manifest.credentials->variables.at(0).aliases == Strings{"L"});
  CHECK(manifest.credentials->files == Strings{"~/.k"});
  CHECK(manifest.capabilities.at("images"));
  CHECK_FALSE(manifest.capabilities.at("status"));
  CHECK(manifest.options.at(0).options.at(0).name == "M");
}

TEST_CASE("members nobody knows are ignored in a manifest") {
  const auto manifest = read_manifest(with(R"("$schema":"x","command":["p"],"future":{"deep":[1,null]})"));
  REQUIRE(manifest.has_value());
  CHECK(manifest->command == Strings{"p"});
  CHECK(read_manifest(with(R"("process":{"npm":{"package":"p","version":"1","mirror":true}})")).has_value());
}

TEST_CASE("what is wrong in a manifest is named by its field") {
  const Refusal table[] = {
      {R"([])", "body"},
      {R"({"name":"A","command":["p"]})", "id"},
      {R"({"id":"../a","name":"A","command":["p"]})", "id"},
      {R"({"id":7,"name":"A","command":["p"]})", "id"},
      {R"({"id":"a","command":["p"]})", "name"},
      {R"({"id":"a","name":"A"})", "command"},
      {R"({"id":"a","name":"A","command":[]})", "command"},
      {R"({"id":"a","name":"A","command":"p"})", "command"},
      {R"({"id":"a","name":"A","command":["p",1]})", "command[1]"},
      {R"({"id":"a","name":"A","command":["p"],"process":{}})", "command"},
      {R"({"id":"a","name":"A","command":["p"],"registry":["x"]})", "command"},
      {R"({"id":"a","name":"A","command":["p"],"order":"first"})", "order"},
      {R"({"id":"a","name":"A","command":["p"],"order":99999999999})", "order"},
      {R"({"id":"a","name":"A","command":["p"],"aliases":["b","c d"]})", "aliases[1]"},
      {R"({"id":"a","name":"A","command":["p"],"env":{"A":1}})", "env.A"},
      {R"({"id":"a","name":"A","command":["p"],"capabilities":{"images":true,"flying":true}})", "capabilities.flying"},
      {R"({"id":"a","name":"A","command":["p"],"capabilities":{"images":"yes"}})", "capabilities.images"},
      {R"({"id":"a","name":"A","process":{"npm":{"version":"1"}}})", "process.npm.package"},
      {R"({"id":"a","name":"A","process":{"npm":{"package":"p"}}})", "process.npm.version"},
      {R"({"id":"a","name":"A","process":{"npm":{"package":"p","version":1}}})", "process.npm.version"},
      {R"({"id":"a","name":"A","process":{"npm":{"package":"p","version":"1","scripts":"yes"}}})", "process.npm.scripts"},
      {R"({"id":"a","name":"A","process":{}})", "process.npm"},
      {R"({"id":"a","name":"A","registry":["a"],"native":{}})", "native.program"},
      {R"({"id":"a","name":"A","registry":["a"],"native":{"program":"../t"}})", "native.program"},
      {R"({"id":"a","name":"A","registry":["a"],"native":{"program":"t","npm":{"package":"p"}}})", "native.npm.version"},
      {R"({"id":"a","name":"A","process":{"npm":{"package":"p","version":"^1 || 2"}}})", "process.npm.version"},
      {R"({"id":"a","name":"A","registry":["a"],"process":{"env":{"X; touch y":"1"}}})", "process.env.X; touch y"},
      {R"({"id":"a","name":"A","command":["c"],"env":{"1X":"1"}})", "env.1X"},
      {R"({"id":"_a","name":"A","command":["c"]})", "id"},
      {R"({"id":"a","name":"A","command":["p"],"credentials":{"variables":[{"name":"K"},{"name":1}]}})",
       "credentials.variables[1].name"},
      {R"({"id":"a","name":"A","command":["p"],"options":[{"id":"m","options":[{"value":"m"}]}]})",
       "options[0].options[0].name"},
  };
  for (const Refusal& refusal : table) {
    CAPTURE(refusal.json);
    const auto manifest = read_manifest(refusal.json);
    REQUIRE_FALSE(manifest.has_value());
    CHECK(manifest.error().code == ErrorCode::unprocessable);
    CHECK(manifest.error().extra("field") == fmt::format("\"{}\"", refusal.field));
    CHECK(manifest.error().detail.ends_with("."));
  }
}

TEST_CASE("a manifest that is no JSON is refused with the place") {
  for (const char* json : {"", "{", R"({"id":"a",})", R"({"id":"a"} x)", "\xFF"}) {
    CAPTURE(json);
    const auto manifest = read_manifest(json);
    REQUIRE_FALSE(manifest.has_value());
    CHECK(manifest.error().code == ErrorCode::invalid_request);
    CHECK(manifest.error().detail.contains("at byte"));
  }
}

TEST_CASE("ids are letters, digits and a few signs, and never a path") {
  for (const std::string& id : {std::string("a"), std::string("A1"), std::string("0"), std::string("a.b_c-d"),
                                std::string("a.."), std::string(64, 'x')}) {
    CAPTURE(id);
    CHECK(is_agent_id(id));
  }
  for (const std::string& id : {std::string(), std::string("."), std::string(".."), std::string("-a"), std::string(".a"),
                                std::string("a/b"), std::string("a b"), std::string("a\n"), std::string("a\0", 2),
                                std::string("é"), std::string("a\\b"), std::string("a:b"), std::string(65, 'x')}) {
    CAPTURE(id);
    CHECK_FALSE(is_agent_id(id));
  }
}

}  // namespace sa
