#include "agents/agents.h"

#include <fmt/format.h>

#include "agents/start.h"

namespace sa {
namespace {

Error not_installed(const Manifest& manifest) {
  return Error{ErrorCode::agent_not_installed,
               fmt::format("The agent '{}' is not installed, and this server installs none by itself. Install it with POST "
                           "/v1/agents/{}/install, or start the server without --require-preinstall.",
                           manifest.id, manifest.id),
               {}}
      .with_text("agent", manifest.id);
}

Error program_missing(const Manifest& manifest) {
  if (manifest.command.empty())
    return install_error(manifest.id, "what is there of it is incomplete, and no manifest says how to install it");
  return install_error(manifest.id, fmt::format("its program '{}' is not on this machine. Put it there, or change its command",
                                                manifest.command.front()));
}

}  // namespace

Task<Result<InstallOutcome>> wait_for(Loop& loop, std::shared_ptr<InstallJob> job, TellProgress tell) {
  Signal changed(loop);
  job->watch(changed);
  while (!job->outcome()) {
    if (tell && !job->progress().phase.empty()) tell(job->progress());
    co_await changed.wait();
  }
  job->unwatch(changed);
  co_return *job->outcome();
}

Task<Result<AgentPtr>> find_agent(Agents& agents, std::string name) {
  if (AgentPtr known = agents.catalog.known(name)) co_return known;
  co_return co_await agents.pool.run([&] { return agents.catalog.find(name); });
}

Task<std::shared_ptr<InstallJob>> begin_install(Agents& agents, AgentPtr agent, InstallWishes wishes) {
  const bool by_hand =
      co_await agents.pool.run([&] { return agents.store.look(agent->manifest.id).found == Store::Found::by_hand; });
  if (is_installable(*agent) && !(by_hand && wishes == InstallWishes{})) co_return agents.installer.install(agent, wishes);
  auto job = std::make_shared<InstallJob>(agent, wishes);
  Presence presence = co_await agents.pool.run([&] { return look_at(*agent, agents.store, agents.surroundings); });
  if (presence.installed && presence.record) {
    job->conclude(InstallOutcome{true, std::move(*presence.record)});
  } else {
    job->conclude(fail(program_missing(agent->manifest)));
  }
  co_return job;
}

Task<Result<ChildSpec>> get_ready(Agents& agents, AgentPtr agent, TellProgress tell) {
  const auto look = [&] { return how_to_start(*agent, agents.store, agents.surroundings); };
  auto there = co_await agents.pool.run(look);
  if (there) co_return std::move(*there);
  if (agents.require_preinstall) co_return fail(not_installed(agent->manifest));
  const auto job = agents.installer.install(agent, {});
  CO_TRY(const auto outcome, co_await wait_for(agents.loop, job, std::move(tell)));
  auto installed = co_await agents.pool.run(look);
  if (installed) co_return std::move(*installed);
  co_return fail(install_error(agent->manifest.id, "it was removed again meanwhile. Try again"));
}

}  // namespace sa
