#include "agents/instructions.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

Manifest agent() {
  Manifest manifest;
  manifest.id = "a";
  return manifest;
}

}  // namespace

TEST_CASE("an agent with a command has nothing to install") {
  Manifest manifest = agent();
  manifest.command = {"prog", "--acp"};
  CHECK(install_instructions(manifest) == "Nothing to install: it is started as `prog --acp`.\n");
  manifest.credentials = CredentialPlaces{.needed = false};
  CHECK(install_instructions(manifest) == "Nothing to install: it is started as `prog --acp`.\nIt needs no credentials.\n");
}

TEST_CASE("an agent of this program is started with its name, not with what stands for it") {
  Manifest manifest = agent();
  manifest.command = {"{self}", "mock-agent"};
  CHECK(install_instructions(manifest) == "Nothing to install: it is started as `sandbox-agent mock-agent`.\n");
}

TEST_CASE("the instructions of an agent name its sources, its tool and its credentials") {
  Manifest manifest = agent();
  manifest.registry = {"a-acp", "old-a"};
  manifest.process = ProcessSource{NpmSource{"@s/a", "1.2.3", "", "22.19", false}, {}, {}};
  manifest.native = NativeSource{.program = "tool", .npm = NpmSource{"t", "4.5.6", "", "", false}};
  manifest.credentials = CredentialPlaces{true, {{"KEY", {"OTHER_KEY"}}, {"TOKEN", {}}}, {"~/.a/auth.json"}};
  CHECK(
      install_instructions(manifest) ==
      "Install it with `sandbox-agent agents install a` or POST /v1/agents/a/install: the ACP registry's 'a-acp', else the npm "
      "package @s/a@1.2.3.\n"
      "npm and Node.js must be on PATH. Node.js older than 22.19 gets a newer one beside the agent.\n"
      "It needs the program 'tool': the one that is there, else the npm package t@4.5.6.\n"
      "Set KEY or OTHER_KEY or TOKEN, or sign in with the agent's own tool, which keeps ~/.a/auth.json.\n");
}

TEST_CASE("what is not known of an agent is not in its instructions") {
  Manifest manifest = agent();
  manifest.registry = {"a-acp"};
  manifest.unavailable = "Only there.";
  manifest.native = NativeSource{.program = "tool", .how = "Get it."};
  manifest.credentials = CredentialPlaces{true, {}, {"~/.a", "~/.b"}};
  CHECK(install_instructions(manifest) ==
        "Install it with `sandbox-agent agents install a` or POST /v1/agents/a/install: the ACP registry's 'a-acp'.\n"
        "Only there.\n"
        "It needs the program 'tool'. Get it.\n"
        "For credentials sign in with the agent's own tool, which keeps ~/.a or ~/.b.\n");
  manifest.credentials = CredentialPlaces{};
  manifest.native.reset();
  manifest.unavailable.clear();
  manifest.registry.clear();
  manifest.process = ProcessSource{NpmSource{"p", "1", "", "", false}, {}, {}};
  CHECK(install_instructions(manifest) ==
        "Install it with `sandbox-agent agents install a` or POST /v1/agents/a/install: the npm package p@1.\n"
        "npm and Node.js must be on PATH.\n");
}

}  // namespace sa
