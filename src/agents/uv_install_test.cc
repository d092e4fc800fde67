// uv is a script of the test's own.
#include "agents/uv_install.h"

#include <doctest/doctest.h>

#include "agents/install_test_world.h"

namespace sa {
namespace {

constexpr char working_uv[] = R"(echo "$*" >"$NOTES/uv"; echo "$UV_TOOL_DIR" >"$NOTES/dir"; pwd >"$NOTES/cwd"
/bin/mkdir -p "$UV_TOOL_BIN_DIR"; echo '#!/bin/sh' >"$UV_TOOL_BIN_DIR/tool"; /bin/chmod +x "$UV_TOOL_BIN_DIR/tool"
)";

struct World : InstallWorld {
  Result<std::string> install(UvStep step) {
    InstallContext all = context();
    for (const std::string& variable : more) all.environment.push_back(variable);
    const InstallTree place = tree();
    where = place.path();
    return run(uv_install(all, place, std::move(step)));
  }
  std::string where;
  std::vector<std::string> more;  // variables
};

}  // namespace

TEST_CASE("uv fills the tree, and the program is named like its package or as the registry says") {
  for (const UvStep& step : {UvStep{"tool", ""}, UvStep{"tool==1.2", ""}, UvStep{"tool[extra]==1.2", ""},
                             UvStep{"tool@1.2", ""}, UvStep{"other==1.2", "tool"}}) {
    CAPTURE(step.package);
    World world;
    world.tool("uv", working_uv);
    CHECK(world.install(step).value() == world.where + "/files/tool");
    CHECK(world.notes.read("uv") == "tool install " + step.package + "\n");
    CHECK(world.notes.read("dir") == world.where + "/uv\n");
    CHECK(world.notes.read("cwd") == world.where + "\n");
  }
}

TEST_CASE("a place for uv's tools that the environment names does not count") {
  World world;
  world.more = {"UV_TOOL_DIR=/elsewhere", "UV_TOOL_BIN_DIR=/elsewhere"};
  world.tool("uv", std::string(working_uv) + "/usr/bin/tr '\\0' '\\n' </proc/$$/environ >\"$NOTES/environment\"");
  CHECK(world.install({"tool", ""}).has_value());
  CHECK_FALSE(world.notes.read("environment").contains("elsewhere"));
}

TEST_CASE("uv is looked for on a worker thread: a folder of PATH that hangs holds up nobody else") {
  World world;
  world.when_waiting_for_a_thread([&] { world.tool("uv", working_uv); });
  CHECK(world.install({"tool", ""}).has_value());
}

TEST_CASE("a missing uv is told, with what to do") {
  World world;
  const Error error = world.install({"tool", ""}).error();
  CHECK(error.code == ErrorCode::install_failed);
  CHECK(error.detail.starts_with("it needs uv, which is not on PATH."));
}

TEST_CASE("a uv that fails is told with its command and the end of its output") {
  World world;
  world.tool("uv", "echo no such package >&2; exit 2");
  const Error error = world.install({"tool==9", ""}).error();
  CHECK(error.detail == "uv tool install ended with code 2: no such package");
  CHECK(error.extra("command") == "\"uv tool install tool==9\"");
  CHECK(error.extra("stderr") == R"("no such package\n")");
}

TEST_CASE("a Python package without the program is told, and the program's name is no path") {
  World world;
  world.tool("uv", working_uv);
  CHECK(world.install({"tool", "other"}).error().detail == "the Python package tool has no program 'other'");
  World path;
  path.tool("uv", working_uv);
  CHECK_FALSE(path.install({"tool", "../files/tool"}).has_value());
}

}  // namespace sa
