#include "agents/install_plan.h"

#include <doctest/doctest.h>

namespace sa {
namespace {

using Strings = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

constexpr char here[] = "linux-x86_64";
const std::string hash(64, 'a');

// An agent with a pinned package, and one without.
Manifest pinned_agent() {
  Manifest manifest;
  manifest.id = "a";
  manifest.registry = {"a-acp"};
  manifest.process = ProcessSource{NpmSource{"@s/a-acp", "1.0.0", "a-acp", "22.19", true}, {"acp"}, {{"PINNED", "1"}}};
  return manifest;
}
Manifest bare_agent() {
  Manifest manifest;
  manifest.id = "a";
  manifest.registry = {"a-acp"};
  return manifest;
}

RegistryFinding listed(RegistryDistribution distribution) {
  return {.entry = RegistryEntry{"a-acp", "2.0.0", std::move(distribution)}};
}
RegistryFinding binary(RegistryArchive archive, const std::string& platform = here) {
  return listed({.binary = std::map<std::string, RegistryArchive>{{platform, std::move(archive)}}});
}
RegistryFinding npx(const std::string& package) { return listed({.npx = RegistryPackage{package, {"--acp"}, {}, ""}}); }
RegistryFinding uvx(const std::string& package) { return listed({.uvx = RegistryPackage{package, {}, {}, "prog"}}); }

std::string cause(const Result<InstallPlan>& plan) {
  REQUIRE_FALSE(plan.has_value());
  CHECK(plan.error().code == ErrorCode::install_failed);
  CHECK(plan.error().extra("agent") == "\"a\"");
  CHECK(plan.error().detail.starts_with("The agent 'a' could not be installed: "));
  CHECK(plan.error().detail.ends_with("."));
  return plan.error().extra("cause");
}

const NpmStep& npm_of(const InstallPlan& plan) { return std::get<NpmStep>(plan.process.step); }

}  // namespace

TEST_CASE("the registry's archive for this platform is the plan, whatever else is offered") {
  auto finding = binary({"https://h/a.tgz", "./bin/a", {"serve"}, {{"A", "1"}, {"BOTH", "registry"}}, hash});
  finding.entry->distribution.npx = RegistryPackage{"p@1", {}, {}, ""};
  Manifest manifest = pinned_agent();
  manifest.process->env["BOTH"] = "manifest";
  const auto plan = plan_install(manifest, finding, {}, here);
  REQUIRE(plan.has_value());
  const auto& step = std::get<ArchiveStep>(plan->process.step);
  CHECK(step.url == "https://h/a.tgz");
  CHECK(step.cmd == "./bin/a");
  CHECK(step.sha256 == hash);
  CHECK(plan->process.args == Strings{"serve"});
  CHECK(plan->process.env == Variables{{"A", "1"}, {"BOTH", "registry"}, {"PINNED", "1"}});
  CHECK(plan->process.version == "2.0.0");
  CHECK(plan->process.source == ArtifactSource::registry);
  CHECK(plan->registry == RegistryState::listed);
}

TEST_CASE("an archive's hash is none or 64 hexadecimal digits") {
  CHECK(plan_install(bare_agent(), binary({"https://h/a", "a", {}, {}, ""}), {}, here).has_value());
  CHECK(plan_install(bare_agent(), binary({"https://h/a", "a", {}, {}, std::string(64, 'F')}), {}, here).has_value());
  for (const std::string& wrong : {std::string("abc"), std::string(64, 'g'), std::string(63, 'a'), std::string(65, 'a')}) {
    CAPTURE(wrong);
    CHECK(cause(plan_install(pinned_agent(), binary({"https://h/a", "a", {}, {}, wrong}), {}, here)).contains("sha256"));
  }
}

TEST_CASE("listed, but not for this platform: the pinned package, and the state stays listed") {
  const auto plan = plan_install(pinned_agent(), binary({"https://h/a", "a", {}, {}, ""}, "darwin-aarch64"), {}, here);
  REQUIRE(plan.has_value());
  CHECK(npm_of(*plan).package == "@s/a-acp");
  CHECK(plan->process.source == ArtifactSource::fallback);
  CHECK(plan->process.version == "1.0.0");
  CHECK(plan->process.args == Strings{"acp"});
  CHECK(plan->process.env == Variables{{"PINNED", "1"}});
  CHECK(plan->registry == RegistryState::listed);
  CHECK(cause(plan_install(bare_agent(), binary({"https://h/a", "a", {}, {}, ""}, "darwin-aarch64"), {}, here)) ==
        "\"the registry offers it for other platforms than linux-x86_64 only\"");
}

TEST_CASE("not listed or not reachable: the pinned package, and the state says which") {
  const auto unlisted = plan_install(pinned_agent(), {}, {}, here);
  CHECK(unlisted.value().registry == RegistryState::non_registry);
  CHECK(npm_of(*unlisted).version == "1.0.0");
  CHECK(npm_of(*unlisted).bin == "a-acp");
  CHECK(npm_of(*unlisted).node == "22.19");
  CHECK(npm_of(*unlisted).scripts);
  CHECK(plan_install(pinned_agent(), {.reachable = false}, {}, here).value().registry == RegistryState::unreachable);
  CHECK(plan_install(pinned_agent(), {.copy_of = "then"}, {}, here).value().registry_copy_of == "then");
  CHECK(cause(plan_install(bare_agent(), {.copy_of = "then"}, {}, here)).contains("its copy of then does not list it"));
}

TEST_CASE("what cannot be had without the registry says so, in the manifest's words if it has some") {
  CHECK(cause(plan_install(bare_agent(), {}, {}, here)) ==
        "\"the registry does not list it, and no other source of it is known\"");
  CHECK(cause(plan_install(bare_agent(), {.reachable = false}, {}, here)) ==
        "\"the registry could not be reached, and no other source of it is known\"");
  Manifest manifest = bare_agent();
  manifest.unavailable = "Get it by hand.";
  CHECK(cause(plan_install(manifest, {}, {}, here)) == "\"the registry does not list it. Get it by hand.\"");
  CHECK(plan_install(manifest, {}, {}, here).error().detail.ends_with("Get it by hand."));
}

TEST_CASE("an npm package of the registry has its version in its name, or the entry's") {
  for (const auto& [text, package, version] : {std::tuple("p@1.2.3", "p", "1.2.3"), std::tuple("p", "p", "2.0.0"),
                                               std::tuple("@s/p@1.2.3-beta.1", "@s/p", "1.2.3-beta.1"),
                                               std::tuple("@s/p", "@s/p", "2.0.0"), std::tuple("p@latest", "p", "latest")}) {
    CAPTURE(text);
    const auto plan = plan_install(bare_agent(), npx(text), {}, here);
    REQUIRE(plan.has_value());
    CHECK(npm_of(*plan).package == package);
    CHECK(npm_of(*plan).version == version);
    CHECK(plan->process.version == version);
    CHECK(plan->process.args == Strings{"--acp"});
    CHECK(plan->process.source == ArtifactSource::registry);
  }
}

TEST_CASE("what the manifest knows of its package holds for the registry's, if it is the same") {
  const auto same = plan_install(pinned_agent(), npx("@s/a-acp@3.0.0"), {}, here);
  CHECK(npm_of(*same).bin == "a-acp");
  CHECK(npm_of(*same).scripts);
  CHECK(npm_of(*same).node == "22.19");
  const auto other = plan_install(pinned_agent(), npx("@s/other@3.0.0"), {}, here);
  CHECK(npm_of(*other).bin.empty());
  CHECK_FALSE(npm_of(*other).scripts);
}

TEST_CASE("what is no npm package with an exact version is refused") {
  for (const char* text : {"git+https://h/p.git",
                           "https://h/p.tgz",
                           "file:../p",
                           "../p",
                           "./p",
                           "/p",
                           "--prefix=/",
                           "-g",
                           "p q",
                           "p@git+ssh://h",
                           "p@file:x",
                           "p@>=1",
                           "p@^1.0.0",
                           "p@1 || 2",
                           "p@npm:q@1",
                           "@s",
                           "@/p",
                           "@s/",
                           "@s/../p",
                           "a/b",
                           "p;x",
                           "p\n",
                           "p@",
                           "@s/.p",
                           "@s/-p"}) {
    if (std::string_view(text) == "p@") continue;  // the version is the entry's
    CAPTURE(text);
    CHECK(cause(plan_install(pinned_agent(), npx(text), {}, here)).contains("npm package"));
  }
}

TEST_CASE("a Python package of the registry is a name with extras and a version") {
  for (const char* text : {"p", "p==1.2", "p[x,y]==1.2", "p@1.2"}) {
    CAPTURE(text);
    const auto plan = plan_install(bare_agent(), uvx(text), {}, here);
    REQUIRE(plan.has_value());
    CHECK(std::get<UvStep>(plan->process.step).package == text);
    CHECK(std::get<UvStep>(plan->process.step).bin == "prog");
    CHECK(plan->process.version == "2.0.0");
  }
  for (const char* text : {"--index-url=x", "git+https://h/p", "p @ https://h/p", "./p", "/p", "p q", "p;os_name", "p\n"}) {
    CAPTURE(text);
    CHECK(cause(plan_install(bare_agent(), uvx(text), {}, here)).contains("Python package"));
  }
}

TEST_CASE("npx comes before uvx") {
  auto finding = npx("p@1");
  finding.entry->distribution.uvx = RegistryPackage{"u", {}, {}, ""};
  CHECK(npm_of(plan_install(bare_agent(), finding, {}, here).value()).package == "p");
}

TEST_CASE("variables of the registry that are plumbing or no names are dropped") {
  const Variables variables = {
      {"GOOD", "1"}, {"PATH", "/evil"}, {"LD_PRELOAD", "x"}, {"node_options", "x"},         {"A B", "x"},
      {"", "x"},     {"1A", "x"},       {"A;id", "x"},       {"NUL", std::string("\0", 1)}, {"_ok", "2"}};
  const Variables kept = {{"GOOD", "1"}, {"_ok", "2"}};
  CHECK(plan_install(bare_agent(), binary({"https://h/a", "a", {}, variables, ""}), {}, here)->process.env == kept);
  auto finding = npx("p@1");
  finding.entry->distribution.npx->env = variables;
  CHECK(plan_install(bare_agent(), finding, {}, here)->process.env == kept);
  finding = uvx("p");
  finding.entry->distribution.uvx->env = variables;
  CHECK(plan_install(bare_agent(), finding, {}, here)->process.env == kept);
}

TEST_CASE("a version that is wished for is taken from npm, and from an archive only when it is that one") {
  const InstallWishes same{.process_version = "2.0.0"}, other{.process_version = "9.9.9"};
  const RegistryArchive archive{"https://h/a", "a", {}, {}, ""};
  CHECK(std::holds_alternative<ArchiveStep>(plan_install(pinned_agent(), binary(archive), same, here)->process.step));
  const auto fallback = plan_install(pinned_agent(), binary(archive), other, here);
  CHECK(npm_of(*fallback).version == "9.9.9");
  CHECK(fallback->process.version == "9.9.9");
  CHECK(fallback->process.source == ArtifactSource::fallback);
  CHECK(cause(plan_install(bare_agent(), binary(archive), other, here)) ==
        "\"version 9.9.9 of it cannot be had: the registry offers 2.0.0 only\"");
  CHECK(npm_of(*plan_install(bare_agent(), npx("p@1.0.0"), other, here)).version == "9.9.9");
  CHECK(npm_of(*plan_install(pinned_agent(), {}, other, here)).version == "9.9.9");
  CHECK(cause(plan_install(bare_agent(), uvx("p==2.0.0"), other, here)).contains("9.9.9"));
  CHECK(plan_install(bare_agent(), uvx("p==2.0.0"), same, here).has_value());
}

TEST_CASE("an agent that does not run here is refused before anything else") {
  Manifest manifest = pinned_agent();
  manifest.platforms = {"darwin-x86_64", "linux-aarch64"};
  CHECK(cause(plan_install(manifest, {}, {}, here)) ==
        "\"it does not run on linux-x86_64, only on darwin-x86_64, linux-aarch64\"");
  CHECK(plan_install(manifest, {}, {}, "linux-aarch64").has_value());
}

TEST_CASE("the tool an agent needs is a step of its own, in the version that is wished for") {
  Manifest manifest = pinned_agent();
  manifest.native = NativeSource{.program = "tool"};
  CHECK_FALSE(plan_install(manifest, {}, {}, here)->native.has_value());
  manifest.native->npm = NpmSource{"@s/tool", "5.0.0", "", "", false};
  const auto plan = plan_install(manifest, {}, {}, here);
  REQUIRE(plan->native.has_value());
  CHECK(plan->native->version == "5.0.0");
  CHECK(plan->native->bin == "tool");
  const auto wished = plan_install(manifest, {}, {.agent_version = "6.0.0"}, here);
  CHECK(wished->native->version == "6.0.0");
  CHECK(wished->process.version == "1.0.0");
}

TEST_CASE("a version of an agent without a tool is the version of the agent itself") {
  Manifest manifest = pinned_agent();
  CHECK(applied_to(manifest, {.agent_version = "3"}) == InstallWishes{.process_version = "3"});
  CHECK(applied_to(manifest, {.reinstall = true, .agent_version = "3", .process_version = "4"}) ==
        InstallWishes{.reinstall = true, .process_version = "4"});
  CHECK(applied_to(manifest, {}) == InstallWishes{});
  manifest.native = NativeSource{.program = "tool"};
  CHECK(applied_to(manifest, {.agent_version = "3"}) == InstallWishes{.agent_version = "3"});
}

TEST_CASE("an install is good enough when it has the versions that are wished for") {
  InstallRecord record;
  record.artifacts.push_back({.kind = ArtifactKind::agent_process, .version = "1"});
  record.artifacts.push_back({.kind = ArtifactKind::native_agent, .version = "2"});
  CHECK(satisfies(record, {}));
  CHECK(satisfies(record, {.process_version = "1"}));
  CHECK(satisfies(record, {.agent_version = "2", .process_version = "1"}));
  CHECK_FALSE(satisfies(record, {.process_version = "2"}));
  CHECK_FALSE(satisfies(record, {.agent_version = "1"}));
  CHECK_FALSE(satisfies(record, {.reinstall = true}));
  record.artifacts.pop_back();
  CHECK_FALSE(satisfies(record, {.agent_version = "2"}));
  record.artifacts.front().version.reset();
  CHECK(satisfies(record, {}));
  CHECK_FALSE(satisfies(record, {.process_version = "1"}));
}

TEST_CASE("a version is a word without anything a package manager takes for more") {
  for (const std::string& text : {std::string("1"), std::string("1.2.3"), std::string("1.2.3-beta.1+build_5"),
                                  std::string("latest"), std::string(64, '1')}) {
    CAPTURE(text);
    CHECK(is_version(text));
  }
  for (const std::string& text :
       {std::string(), std::string("^1"), std::string("~1"), std::string(">=1"), std::string("1 || 2"), std::string("*"),
        std::string("-g"), std::string(".1"), std::string("../x"), std::string("file:x"), std::string("https://h"),
        std::string("npm:p@1"), std::string("1/2"), std::string("1\n"), std::string("1\0", 2), std::string(65, '1')}) {
    CAPTURE(text);
    CHECK_FALSE(is_version(text));
  }
}

}  // namespace sa
