// npm and node are scripts of the test's own: what is looked at is how they are called and what is made of what they leave.
#include "agents/npm_install.h"

#include <doctest/doctest.h>

#include "agents/install_test_world.h"

namespace sa {
namespace {

// Writes down how it was called, and leaves what npm leaves for the package "p" with the program "prog".
constexpr char working_npm[] = R"(echo "$*" >>"$NOTES/npm"
if [ "$1" = install ]; then
  /bin/cp package.json "$NOTES/package.json"
  /bin/mkdir -p node_modules/p node_modules/.bin
  echo '{"name":"p","bin":{"prog":"x.js"}}' >node_modules/p/package.json
  echo '#!/bin/sh' >node_modules/.bin/prog
  /bin/chmod +x node_modules/.bin/prog
  echo '{"packages":{"node_modules/p":{"version":"1.2.4","integrity":"sha512-abc"}}}' >node_modules/.package-lock.json
fi
)";
constexpr char flags[] =
    " --global=false --dry-run=false --bin-links --include=optional --no-audit --no-fund --no-progress "
    "--no-update-notifier --loglevel=error --fetch-retry-mintimeout=1000";

struct World : InstallWorld {
  Result<NpmTree> install(std::vector<NpmStep> steps) {
    InstallContext all = context();
    const InstallTree place = tree();
    where = place.path();
    return run(npm_install(all, place, std::move(steps)));
  }
  std::string where;
};

NpmStep step() { return {.package = "p", .version = "1.2.3"}; }

struct AtLeast {
  const char* version;
  const char* least;
  bool is;
};

}  // namespace

TEST_CASE("versions of Node.js are compared number by number") {
  const AtLeast table[] = {{"v20.20.2\n", "22.19", false},
                           {"v22.19.0\n", "22.19", true},
                           {"v22.18.9", "22.19", false},
                           {"v22.19.1", "22.19.1", true},
                           {"v22.19.0", "22.19.1", false},
                           {"v24.0.0", "22.19", true},
                           {"v9.9.9", "20", false},
                           {"v100.0.0", "20", true},
                           {"v20.0.0", "20", true},
                           {"20", "v20", true},
                           {"", "20", false},
                           {"nonsense", "1", false},
                           {"v22.0.0-nightly", "22", true},
                           {"v20.9.0", "20.10", false},
                           {"v20.0.0", "", true},
                           {"v99999999999.0.0", "22", true},
                           {"v22.0.0", "99999999999", false}};
  for (const AtLeast& row : table) {
    CAPTURE(row.version);
    CAPTURE(row.least);
    CHECK(is_at_least(row.version, row.least) == row.is);
  }
}

TEST_CASE("npm is looked for on a worker thread: a folder of PATH that hangs holds up nobody else") {
  World world;
  world.when_waiting_for_a_thread([&] { world.tool("npm", working_npm); });
  CHECK(world.install({step()}).has_value());
}

TEST_CASE("the program of a package is the one that is wanted, the only one, or the one named like it") {
  CHECK(program_of_package(R"({"bin":"x.js"})", "@s/tool", "").value() == "tool");
  CHECK(program_of_package(R"({"bin":"x.js"})", "tool", "tool").value() == "tool");
  CHECK(program_of_package(R"({"bin":{"other":"x.js"}})", "@s/tool", "").value() == "other");
  CHECK(program_of_package(R"({"bin":{"a":"x.js","tool":"y.js"}})", "@s/tool", "").value() == "tool");
  CHECK(program_of_package(R"({"bin":{"a":"x.js","b":"y.js"}})", "tool", "b").value() == "b");
  const auto cause = [](const char* json, const char* wanted) {
    const auto program = program_of_package(json, "@s/tool", wanted);
    REQUIRE_FALSE(program.has_value());
    return program.error().detail;
  };
  CHECK(cause(R"({"bin":{"a":"x.js","b":"y.js"}})", "") == "the npm package @s/tool has several programs: a, b");
  CHECK(cause(R"({"bin":{"a":"x.js"}})", "c") == "the npm package @s/tool has no program 'c'");
  CHECK(cause(R"({"bin":"x.js"})", "c") == "the npm package @s/tool has no program 'c'");
  CHECK(cause(R"({})", "") == "the npm package @s/tool has no program");
  CHECK(cause(R"({"bin":7})", "") == "the npm package @s/tool has no program");
  CHECK(cause("[]", "") == "the npm package @s/tool has no program");
  CHECK(cause("{", "").contains("JSON"));
}

TEST_CASE("npm fills the tree, without scripts, and what it installed is described") {
  World world;
  world.tool("npm", working_npm);
  const auto installed = world.install({step()});
  REQUIRE(installed.has_value());
  CHECK(installed->bin == world.where + "/node_modules/.bin");
  REQUIRE(installed->programs.size() == 1);
  CHECK(installed->programs[0].program == world.where + "/node_modules/.bin/prog");
  CHECK(installed->programs[0].version == "1.2.4");
  CHECK(installed->programs[0].integrity == "sha512-abc");
  CHECK(world.notes.read("package.json") == R"({"private":true,"dependencies":{"p":"1.2.3"},"allowScripts":{}})");
  CHECK(world.notes.read("npm") == std::string("install --ignore-scripts --omit=dev --prefer-offline") + flags + "\n");
}

TEST_CASE("install scripts run for the packages that ask for them alone") {
  World world;
  world.tool("npm", working_npm);
  NpmStep asking = step();
  asking.scripts = true;
  NpmStep other = step();
  other.package = "q";
  const auto installed = world.install({other, asking});
  CHECK(world.notes.read("package.json").ends_with(R"("allowScripts":{"p":true}})"));
  CHECK(
      world.notes.read("npm").ends_with(std::string("\nrebuild --ignore-scripts=false --foreground-scripts p") + flags + "\n"));
  CHECK(installed.error().detail == "npm did not install q");
}

TEST_CASE("a Node.js that is too old gets company, and one that is not does not") {
  for (const auto& [version, needs] : {std::pair(std::string("v20.20.2"), true), std::pair(std::string("v22.19.0"), false)}) {
    CAPTURE(version);
    World world;
    world.tool("npm", working_npm);
    world.tool("node", "[ \"$*\" = --version ] && echo " + version);
    NpmStep wanting = step();
    wanting.node = "22.19";
    REQUIRE(world.install({wanting}).has_value());
    CHECK(world.notes.read("package.json").contains(R"("node-linux-)") == needs);
    CHECK_FALSE(world.notes.read("npm").contains("rebuild"));
  }
}

TEST_CASE("node is asked only when a package wants a certain one") {
  World world;
  world.tool("npm", working_npm);
  world.tool("node", "touch \"$NOTES/asked\"; exit 1");
  CHECK(world.install({step()}).has_value());
  CHECK_FALSE(world.notes.has("asked"));
}

TEST_CASE("a missing npm is told, with what to do") {
  World world;
  const auto installed = world.install({step()});
  REQUIRE_FALSE(installed.has_value());
  CHECK(installed.error().code == ErrorCode::install_failed);
  CHECK(installed.error().detail.starts_with("it needs npm, which is not on PATH."));
}

TEST_CASE("an npm that fails is told with its command and the end of its output") {
  World world;
  world.tool("npm", "echo first >&2; echo 'npm error no route' >&2; echo >&2; exit 3");
  const Error error = world.install({step()}).error();
  CHECK(error.code == ErrorCode::install_failed);
  CHECK(error.detail == "npm install ended with code 3: no route");
  CHECK(error.extra("command") ==
        fmt::format("\"{}/npm install --ignore-scripts --omit=dev --prefer-offline{}\"", world.tools.path(), flags));
  CHECK(error.extra("stderr") == R"("first\nnpm error no route\n\n")");
}

TEST_CASE("of all that npm says of a failure the line that tells what is wrong is chosen") {
  World world;
  const auto told = [&world](const std::string& lines) {
    std::string script;
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = lines.find('\n', at);
      script += "echo \"npm error " + lines.substr(at, end - at) + "\" >&2\n";
      at = end + 1;
    }
    world.tool("npm", script + "exit 1");
    return world.install({step()}).error().detail;
  };
  const std::string log = "A complete log of this run can be found in: /x/debug-0.log\n";
  CHECK(told("code ECONNREFUSED\nsyscall connect\nerrno ECONNREFUSED\n"
             "FetchError: request to http://127.0.0.1:9/p failed, reason: connect ECONNREFUSED 127.0.0.1:9\n"
             "    at ClientRequest.<anonymous> (index.js:130:14)\n  code: 'ECONNREFUSED',\n}\n\n" +
             log) ==
        "npm install ended with code 1: FetchError: request to http://127.0.0.1:9/p failed, reason: connect ECONNREFUSED "
        "127.0.0.1:9");
  CHECK(told("code ENOTFOUND\nsyscall getaddrinfo\nerrno ENOTFOUND\n"
             "network request to http://host.invalid/p failed, reason: getaddrinfo ENOTFOUND host.invalid\n"
             "network This is a problem related to network connectivity.\n" +
             log) ==
        "npm install ended with code 1: network request to http://host.invalid/p failed, reason: getaddrinfo ENOTFOUND "
        "host.invalid");
  CHECK(told("code EACCES\nsyscall rename\npath /a\ndest /b\nerrno -13\nError: EACCES: permission denied, rename '/a'\n" +
             log) == "npm install ended with code 1: Error: EACCES: permission denied, rename '/a'");
  CHECK(told("code E404\n404 Not Found - GET http://host.invalid/p\n404\n" + log) ==
        "npm install ended with code 1: 404 Not Found - GET http://host.invalid/p");
}

TEST_CASE("an npm that says why on its output alone is told all the same") {
  World world;
  world.tool("npm", "echo why; exit 1");
  const Error error = world.install({step()}).error();
  CHECK(error.detail == "npm install ended with code 1: why");
  CHECK(error.extra("stderr") == R"("why\n")");
}

TEST_CASE("an install script that fails is told") {
  World world;
  world.tool("npm", std::string(working_npm) + "[ \"$1\" = install ] || { echo broken >&2; exit 1; }");
  NpmStep asking = step();
  asking.scripts = true;
  CHECK(world.install({asking}).error().detail == "the package's install script ended with code 1: broken");
}

TEST_CASE("an npm that does not end is ended at the time limit, or when it is stopped") {
  World world;
  world.tool("npm", "echo >\"$NOTES/started\"; exec /bin/sleep 300");
  world.limits.time_limit = Millis(200);
  CHECK(world.install({step()}).error().detail == "npm install did not end in time");
  World stopped;
  stopped.tool("npm", "echo >\"$NOTES/started\"; exec /bin/sleep 300");
  stopped.when_noted("started", [&stopped] { stopped.stop = true; });
  CHECK(stopped.install({step()}).error().code == ErrorCode::overloaded);
}

TEST_CASE("an npm that ends well and leaves nothing has not installed") {
  World world;
  world.tool("npm", "exit 0");
  CHECK_FALSE(world.install({step()}).has_value());
  World no_program;
  no_program.tool("npm", std::string(working_npm) + "/bin/rm node_modules/.bin/prog");
  CHECK(no_program.install({step()}).error().detail == "the npm package p has no program 'prog'");
}

}  // namespace sa
