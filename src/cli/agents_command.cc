// `sandbox-agent agents remove` and `agents bundle`: installs taken off this machine, or along to another one.
#include <fmt/format.h>

#include "agents/bundle.h"
#include "agents/start.h"
#include "api/schema.h"
#include "cli/agents_install.h"
#include "cli/agents_install_documents.h"
#include "cli/commands.h"

namespace sa {
namespace {

Task<Outcome<Exit>> remove_agents(Workshop& shop, Invocation& given) {
  CO_TRY(const auto agents, shop.find(given.arguments()));
  for (const AgentPtr& agent : agents) {
    const std::string& id = agent->manifest.id;
    const bool was_there = look_at(*agent, shop.parts.store, shop.parts.surroundings).installed;
    if (auto removed = co_await shop.parts.installer.remove(agent); !removed) co_return failed(shop.failure(removed.error()));
    const bool left = look_at(*agent, shop.parts.store, shop.parts.surroundings).installed;
    if (shop.console.json()) {
      shop.console.document(to_json(RemovedLine{id, left}));
    } else {
      shop.console.status(fmt::format("{} {}", id,
                                      left        ? "is still there: it was not installed by us"
                                      : was_there ? "is removed"
                                                  : "was not installed"));
    }
  }
  co_return Exit::success;
}

Task<Outcome<Exit>> make_bundle(Workshop& shop, Invocation& given) {
  const std::string file = given.value("--output");
  if (file.empty())
    co_return failed({.exit = Exit::usage,
                      .what = "say where the bundle goes",
                      .what_to_do = fmt::format("sandbox-agent agents bundle {} -o agents.tar.zst", given.argument())});
  CO_TRY(const auto agents, shop.find(given.arguments()));
  std::vector<std::string> ids;
  for (const AgentPtr& agent : agents) {
    const auto outcome = co_await install_with_progress(shop, agent, {}, false);
    if (!outcome) co_return failed(shop.failure(outcome.error()));
    ids.push_back(agent->manifest.id);
  }
  shop.console.status(fmt::format("▸ packing {}", fmt::join(ids, ", ")));
  const auto index =
      co_await shop.parts.slow_pool.run([&] { return write_bundle(shop.parts.store, ids, file, shop.parts.stopped()); });
  if (!index) co_return failed(shop.failure(index.error()));
  if (shop.console.json()) {
    shop.console.document(to_json(BundleDocument{file, index->platform, ids}));
  } else {
    shop.console.line(file);
  }
  co_return Exit::success;
}

Outcome<Exit> run_remove(Invocation& given) { return run_in_workshop(given, remove_agents); }
Outcome<Exit> run_bundle(Invocation& given) { return run_in_workshop(given, make_bundle); }

constexpr Argument remove_arguments[] = {{"AGENT", "what to remove", Argument::Count::some, Completes::agent}};
constexpr Argument bundle_arguments[] = {{"AGENT", "what goes into it", Argument::Count::some, Completes::agent}};
constexpr Option bundle_options[] = {{"--output", "-o", "FILE", "where the bundle goes", Completes::file}};

}  // namespace

extern const Command agents_remove_command{
    .name = "agents remove",
    .section = Section::agents,
    .summary = "Remove agents from this machine",
    .help = "What was put there by others stays.",
    .arguments = remove_arguments,
    .settings = agents_settings,
    .json = {JsonOutput::Kind::lines, "One line for each agent.", schema_of<RemovedLine>},
    .run = run_remove,
    .example = "sandbox-agent agents remove AGENT"};

extern const Command agents_bundle_command{
    .name = "agents bundle",
    .section = Section::agents,
    .summary = "Write agents into one file, for machines without a network",
    .help = "Installs them first where that is needed. The other machine takes it with 'agents install --bundle FILE'.",
    .arguments = bundle_arguments,
    .options = bundle_options,
    .settings = agents_settings,
    .json = {JsonOutput::Kind::document, "The bundle that was written.", schema_of<BundleDocument>},
    .run = run_bundle,
    .example = "sandbox-agent agents bundle AGENT -o agents.tar.zst"};

}  // namespace sa
