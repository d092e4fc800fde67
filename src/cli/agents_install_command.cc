// `sandbox-agent agents install` and `install-agent`: agents onto this machine, from their sources or from a bundle.
#include <fmt/format.h>

#include <algorithm>

#include "agents/bundle.h"
#include "agents/start.h"
#include "api/agent_description.h"
#include "api/schema.h"
#include "cli/agents_install.h"
#include "cli/agents_install_documents.h"
#include "cli/commands.h"

namespace sa {
namespace {

std::unexpected<Failure> wrong(const Invocation& given, std::string what) {
  return failed({.exit = Exit::usage,
                 .what = std::move(what),
                 .what_to_do = fmt::format("sandbox-agent {} --help", given.command().name)});
}

Outcome<InstallWishes> wishes_of(const Invocation& given) {
  InstallWishes wishes{.reinstall = given.has("--reinstall"),
                       .agent_version = given.value("--agent-version"),
                       .process_version = given.value("--agent-process-version")};
  for (const std::string& version : {wishes.agent_version, wishes.process_version})
    if (!version.empty() && !is_version(version)) return wrong(given, fmt::format("'{}' is not a version", version));
  return wishes;
}

// One of several fails: the others do not wait for anybody to read it.
void tell_failed(Console& console, const std::string& agent, const Failure& failure) {
  if (console.json()) {
    console.document(to_json(InstallFailedLine{.agent = agent, .error = failure_words(failure)}));
    return;
  }
  console.status(fmt::format("{} {}", console.paint(Ink::red, "✗"), failure.what));
  if (!failure.more.empty()) console.detail(failure.more);
}

Task<Outcome<Exit>> install_agents(Workshop& shop, std::vector<AgentPtr> agents, InstallWishes wishes) {
  std::vector<std::string> not_installed;
  for (const AgentPtr& agent : agents) {
    const std::string& id = agent->manifest.id;
    const auto outcome = co_await install_with_progress(shop, agent, wishes, shop.console.json());
    if (outcome) {
      tell_installed(shop.console, id, *outcome, installed_words(*outcome));
      continue;
    }
    Failure failure = shop.failure(outcome.error());
    if (agents.size() == 1 || failure.exit == Exit::interrupted) co_return failed(std::move(failure));
    tell_failed(shop.console, id, failure);
    not_installed.push_back(id);
  }
  if (not_installed.empty()) co_return Exit::success;
  co_return failed({.exit = Exit::agent,
                    .what = fmt::format("{} of {} agents could not be installed", not_installed.size(), agents.size()),
                    .why = fmt::format("{}", fmt::join(not_installed, ", ")),
                    .what_to_do = fmt::format("sandbox-agent agents info {}", not_installed.front())});
}

Task<Outcome<Exit>> install_bundle(Workshop& shop, std::string file) {
  auto bundle = co_await shop.parts.slow_pool.run(
      [&] { return UnpackedBundle::open(shop.parts.store, file, shop.settings.installs, shop.parts.stopped()); });
  if (!bundle) co_return failed(shop.failure({bundle.error().code, file + ": " + bundle.error().detail, {}}));
  for (const BundledAgent& bundled : bundle->index().agents) {
    CO_TRY(const AgentPtr agent, shop.find(bundled.record.agent));
    const std::string version = bundled.record.artifacts.front().version.value_or("");
    const auto outcome = co_await shop.parts.installer.install_filled(agent, version, [&](const InstallTree& tree) {
      return bundle->move_into(tree, bundled, shop.parts.store, shop.parts.stopped());
    });
    if (!outcome) co_return failed(shop.failure(outcome.error()));
    tell_installed(shop.console, bundled.record.agent, *outcome, "installed from the bundle");
  }
  co_return Exit::success;
}

// All that there is to install; what cannot be had on this machine is named and left out.
Task<Outcome<std::vector<AgentPtr>>> all_installable(Workshop& shop) {
  const auto registry = co_await shop.parts.slow_pool.run([&] { return shop.parts.registry.get(shop.parts.stopped()); });
  std::vector<AgentPtr> agents;
  for (const AgentPtr& agent : shop.parts.catalog.agents()) {
    if (!is_installable(*agent)) continue;
    const auto problem = describe_agent(shop.parts.agents, agent, registry).document.install.problem;
    if (problem) {
      shop.console.status(fmt::format("! left out: {}", *problem));
    } else {
      agents.push_back(agent);
    }
  }
  if (shop.parts.stopped()) co_return failed({.exit = Exit::interrupted, .what = "interrupted"});
  co_return agents;
}

Task<Outcome<Exit>> agents_install(Workshop& shop, Invocation& given) {
  CO_TRY(const InstallWishes wishes, wishes_of(given));
  const std::string bundle = given.value("--bundle");
  if (!bundle.empty() && !given.arguments().empty()) co_return wrong(given, "--bundle names its agents itself; leave them out");
  if (!bundle.empty()) co_return co_await install_bundle(shop, bundle);
  if (given.arguments().empty()) co_return wrong(given, "name an agent, or a bundle with --bundle");
  CO_TRY(auto agents, shop.find(given.arguments()));
  co_return co_await install_agents(shop, std::move(agents), wishes);
}

Task<Outcome<Exit>> install_agent(Workshop& shop, Invocation& given) {
  CO_TRY(const InstallWishes wishes, wishes_of(given));
  if (given.has("--all") == !given.arguments().empty()) co_return wrong(given, "name agents, or all of them with --all");
  if (given.has("--all")) {
    CO_TRY(auto agents, co_await all_installable(shop));
    co_return co_await install_agents(shop, std::move(agents), wishes);
  }
  CO_TRY(auto agents, shop.find(given.arguments()));
  co_return co_await install_agents(shop, std::move(agents), wishes);
}

Outcome<Exit> run_agents_install(Invocation& given) { return run_in_workshop(given, agents_install); }
Outcome<Exit> run_install_agent(Invocation& given) { return run_in_workshop(given, install_agent); }

constexpr Option reinstall{"--reinstall", "", "", "install again what is installed"};
constexpr Option agent_version{"--agent-version", "", "VERSION",
                               "the version of the tool the agent needs; without such a tool, of the agent"};
constexpr Option process_version{"--agent-process-version", "", "VERSION", "the version of the program that speaks ACP"};

constexpr Option install_options[] = {
    reinstall,
    agent_version,
    process_version,
    {"--bundle", "", "FILE", "install what a bundle holds, without a network", Completes::file},
};
constexpr Option install_agent_options[] = {
    {"--all", "", "", "every agent that can be had on this machine"},
    reinstall,
    agent_version,
    process_version,
};

constexpr Argument install_arguments[] = {{"AGENT", "what to install", Argument::Count::any, Completes::agent}};
constexpr JsonOutput json_lines{JsonOutput::Kind::lines,
                                "Progress, then what is installed; for several agents one after the other.",
                                schema_of<InstallLine>};
constexpr std::string_view several = "One that fails does not keep the others from being installed.";

}  // namespace

extern const Command agents_install_command{.name = "agents install",
                                            .section = Section::agents,
                                            .summary = "Install agents on this machine, with or without a running daemon",
                                            .help = several,
                                            .arguments = install_arguments,
                                            .options = install_options,
                                            .settings = agents_settings,
                                            .json = json_lines,
                                            .run = run_agents_install,
                                            .example = "sandbox-agent agents install AGENT"};

extern const Command install_agent_command{.name = "install-agent",
                                           .section = Section::agents,
                                           .summary = "Install agents on this machine: the same as 'agents install'",
                                           .help = several,
                                           .arguments = install_arguments,
                                           .options = install_agent_options,
                                           .settings = agents_settings,
                                           .json = json_lines,
                                           .run = run_install_agent,
                                           .example = "sandbox-agent install-agent --all"};

}  // namespace sa
