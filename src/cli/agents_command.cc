// `sandbox-agent agents …`: the agents of this machine, without a daemon.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <boost/json.hpp>

#include "agents/bundle.h"
#include "agents/start.h"
#include "base/log.h"
#include "cli/agents_order.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "daemon/agent_parts.h"
#include "daemon/startup_text.h"
#include "io/signal_watch.h"

namespace sa {
namespace {

constexpr Millis stop_grace{500};
constexpr int interrupted = 130;

// The agents room with a loop of its own, for as long as the command runs. Ctrl-C ends what is under way in an orderly manner.
struct Workshop {
  Workshop(const Settings& settings, std::vector<Agent> known)
      : pool(loop),
        processes(loop, stop_grace),
        parts(loop, processes, pool, settings, std::move(known)),
        signals(loop, std::vector<int>{SIGINT, SIGTERM}, [this](int) { parts.stop(); }) {}

  Loop loop;
  WorkerPool pool;
  Processes processes;
  AgentParts parts;
  SignalWatch signals;
};

int report(const Workshop& shop, const Error& error) {
  if (shop.parts.stopped()) {
    print_error("interrupted", "", "");
    return interrupted;
  }
  print_error(error.detail, "", "");
  if (const std::string output = error.extra("stderr"); !output.empty())
    fmt::print(stderr, "  its output ended with:\n{}\n", boost::json::parse(output).as_string().c_str());
  return static_cast<int>(error_row(error.code).exit);
}

void print_artifacts(const InstallOutcome& outcome) {
  for (const Artifact& artifact : outcome.record.artifacts)
    fmt::print("{}\t{}\t{}\t{}\n", Words<ArtifactKind>::all[static_cast<std::size_t>(artifact.kind)],
               artifact.version.value_or("-"), Words<ArtifactSource>::all[static_cast<std::size_t>(artifact.source)],
               artifact.path);
}

// What somebody should know of where it came from.
std::string source_words(const InstallRecord& record) {
  if (record.registry_copy_of)
    return fmt::format(" (the registry was not reached; its copy of {} was used)", *record.registry_copy_of);
  if (record.registry == RegistryState::unreachable) return " (the registry was not reached; the pinned version was used)";
  return "";
}

Task<Result<InstallOutcome>> install_one(Workshop& shop, AgentPtr agent, InstallWishes wishes) {
  ProgressLine line(agent->manifest.id);
  const auto job = begin_install(shop.parts.agents, agent, wishes);
  auto outcome = co_await wait_for(shop.loop, job, [&line](const InstallProgress& progress) { line.show(progress); });
  line.end();
  co_return outcome;
}

Task<int> install_bundle(Workshop& shop, AgentsOrder order) {
  auto bundle = co_await shop.parts.slow_pool.run(
      [&] { return UnpackedBundle::open(shop.parts.store, order.bundle, order.settings.installs, shop.parts.stopped()); });
  if (!bundle) co_return report(shop, {bundle.error().code, order.bundle + ": " + bundle.error().detail, {}});
  for (const BundledAgent& bundled : bundle->index().agents) {
    const auto agent = shop.parts.catalog.find(bundled.record.agent);
    if (!agent) co_return report(shop, agent.error());
    const std::string version = bundled.record.artifacts.front().version.value_or("");
    const auto outcome = co_await shop.parts.installer.install_filled(*agent, version, [&](const InstallTree& tree) {
      return bundle->move_into(tree, bundled, shop.parts.store, shop.parts.stopped());
    });
    if (!outcome) co_return report(shop, outcome.error());
    fmt::print(stderr, "{} is installed from the bundle\n", bundled.record.agent);
    print_artifacts(*outcome);
  }
  co_return 0;
}

Task<int> install_all(Workshop& shop, AgentsOrder order) {
  if (!order.bundle.empty()) co_return co_await install_bundle(shop, std::move(order));
  for (const std::string& name : order.agents) {
    const auto agent = shop.parts.catalog.find(name);
    if (!agent) co_return report(shop, agent.error());
    const auto outcome = co_await install_one(shop, *agent, order.wishes);
    if (!outcome) co_return report(shop, outcome.error());
    fmt::print(stderr, "{} is {}{}\n", (*agent)->manifest.id, outcome->already_installed ? "installed already" : "installed",
               source_words(outcome->record));
    print_artifacts(*outcome);
  }
  co_return 0;
}

Task<int> make_bundle(Workshop& shop, AgentsOrder order) {
  std::vector<std::string> ids;
  for (const std::string& name : order.agents) {
    const auto agent = shop.parts.catalog.find(name);
    if (!agent) co_return report(shop, agent.error());
    const auto outcome = co_await install_one(shop, *agent, {});
    if (!outcome) co_return report(shop, outcome.error());
    const std::string& id = (*agent)->manifest.id;
    if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
  }
  fmt::print(stderr, "packing {}\n", fmt::join(ids, ", "));
  const auto index = co_await shop.parts.slow_pool.run(
      [&] { return write_bundle(shop.parts.store, ids, order.output, shop.parts.stopped()); });
  if (!index) co_return report(shop, index.error());
  fmt::print("{}\n", order.output);
  co_return 0;
}

Task<int> remove_all(Workshop& shop, AgentsOrder order) {
  for (const std::string& name : order.agents) {
    const auto agent = shop.parts.catalog.find(name);
    if (!agent) co_return report(shop, agent.error());
    if (auto removed = co_await shop.parts.installer.remove(*agent); !removed) co_return report(shop, removed.error());
    const Presence left = look_at(**agent, shop.parts.store, shop.parts.surroundings);
    fmt::print(stderr, "{} {}\n", (*agent)->manifest.id,
               left.installed ? "is still there: it was not installed by us" : "is not installed");
  }
  co_return 0;
}

Task<int> list_all(Workshop& shop, AgentsOrder) {
  for (const AgentPtr& agent : shop.parts.catalog.agents()) {
    const Presence presence = look_at(*agent, shop.parts.store, shop.parts.surroundings);
    const std::string version = presence.record ? presence.record->artifacts.front().version.value_or("") : "";
    fmt::print("{:<10} {:<14} {:<12} {}\n", agent->manifest.id, presence.installed ? "installed" : "not installed", version,
               agent->manifest.name);
  }
  co_return 0;
}

using Run = Task<int> (*)(Workshop& shop, AgentsOrder order);
struct Action {
  std::string_view name;
  Run run;
};
constexpr Action actions[] = {{"list", list_all}, {"install", install_all}, {"remove", remove_all}, {"bundle", make_bundle}};

int usage(const std::string& what) {
  print_error(what, "", "sandbox-agent agents --help");
  return 2;
}

Task<> run_order(Workshop& shop, Run run, AgentsOrder order, int& code) {
  code = co_await run(shop, std::move(order));
  shop.loop.stop();
}

}  // namespace

int run_agents_command(Arguments arguments) {
  if (std::ranges::any_of(arguments, [](std::string_view word) { return word == "--help" || word == "-h"; }))
    return print_agents_help(), 0;
  auto order = parse_agents_order(arguments);
  if (!order) return usage(order.error().detail);
  const auto* action = std::ranges::find(actions, order->action, &Action::name);
  if (action == std::end(actions)) return usage(fmt::format("there is no 'agents {}'", order->action));
  auto known =
      known_agents(order->settings, [](const std::string& sentence) { fmt::print(stderr, "warning: {}\n", sentence); });
  if (!known) return usage(known.error().detail);

  ::signal(SIGPIPE, SIG_IGN);
  log::set_level(log::Level::off);  // what matters here is said in words for people
  int code = 1;
  Workshop shop(order->settings, std::move(*known));
  spawn(run_order(shop, action->run, *order, code));
  shop.loop.run();
  return code;
}

}  // namespace sa
