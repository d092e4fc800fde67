// Of doctor_checks.h: agents, and the programs they are installed and run with.
#include <fmt/format.h>

#include <algorithm>

#include "agents/credential_values.h"
#include "agents/probe.h"
#include "agents/start.h"
#include "cli/doctor_checks.h"
#include "io/run_program.h"

namespace sa {
namespace {

using enum CheckState;

constexpr Millis program_limit{2'000};
constexpr std::size_t longest_version = 40;

// How many tasks are still under way, and who waits for them. Lives in the waiter's frame.
struct Countdown {
  Signal news;
  std::size_t left = 0;
  void done() {
    --left;
    news.notify();
  }
};

Task<> wait_for_all(Countdown& countdown) {
  while (countdown.left > 0) co_await countdown.news.wait();
}

// Agents that are not there yet and come in npm packages.
std::vector<std::string> wait_for_npm(const DoctorTools& tools) {
  std::vector<std::string> ids;
  for (const AgentPtr& agent : tools.catalog.agents()) {
    const Manifest& manifest = agent->manifest;
    const bool npm = (manifest.process && manifest.process->npm) || (manifest.native && manifest.native->npm);
    if (npm && !look_at(*agent, tools.store, tools.surroundings).installed) ids.push_back(manifest.id);
  }
  return ids;
}

constexpr std::string_view get_node = "Install Node.js 20 or newer, with npm";

std::string program_path(const DoctorTools& tools, const std::string& program) {
  return find_program(program, variable_in(tools.surroundings.environment, "PATH"));
}

Check not_on_path(const DoctorTools& tools, std::string name) {
  const std::vector<std::string> waiting = wait_for_npm(tools);
  if (waiting.empty()) return {std::move(name), fine, "Not on PATH; no agent that is not installed needs it"};
  return {std::move(name), warning, fmt::format("Not on PATH, but needed to install {}", fmt::join(waiting, ", ")),
          std::string(get_node)};
}

// What an agent said last may hold what it was given.
std::string without_secrets(std::string text, const Manifest& manifest, const Surroundings& surroundings) {
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    return variable_in(surroundings.environment, name);
  };
  constexpr std::string_view mark = "…";
  for (const CredentialValue& secret : read_credentials(manifest, environment, surroundings.home))
    for (std::size_t at = 0; (at = text.find(secret.value, at)) != std::string::npos; at += mark.size())
      text.replace(at, secret.value.size(), mark);
  return text;
}

AgentReport report_on(const DoctorTools& tools, const Agent& agent) {
  AgentReport report{.agent = agent.manifest.id, .name = agent.manifest.name};
  const Presence presence = look_at(agent, tools.store, tools.surroundings);
  report.installed = presence.installed;
  if (presence.record) report.version = presence.record->artifacts.front().version;
  const CredentialState credentials = find_credentials(agent.manifest, tools.surroundings);
  report.credentials = credentials.state;
  if (credentials.place) report.credentials_place = credentials.place->name;
  return report;
}

// One that is there and answers can still do nothing without a key.
void judge_key(AgentReport& report, const Manifest& manifest) {
  if (!report.installed || report.credentials != CredentialStatus::missing || report.check.state != fine) return;
  report.check.state = warning;
  report.check.text += "; no key found";
  const auto& variables = manifest.credentials->variables;
  report.check.fix = variables.empty()
                         ? fmt::format("Log in with its own program, or see: sandbox-agent agents info {}", report.agent)
                         : fmt::format("Set {}", variables.front().name);
}

// Who has a key of an agent wants to use it, most likely.
void judge_absence(AgentReport& report, const Agent& agent) {
  if (report.installed || report.credentials != CredentialStatus::found || !is_installable(agent)) return;
  report.check.state = warning;
  report.check.fix = fmt::format("sandbox-agent agents install {}", report.agent);
}

Task<> fill_in(DoctorTools& tools, AgentPtr agent, Millis limit, Check& place, Countdown& countdown) {
  place = co_await check_agent(tools, std::move(agent), limit);
  countdown.done();
}

Task<> fill_in(DoctorTools& tools, Task<Check> (*look)(DoctorTools&), Check& place, Countdown& countdown) {
  place = co_await look(tools);
  countdown.done();
}

}  // namespace

Task<Check> check_node(DoctorTools& tools) {
  const std::string name = "Node.js";
  const std::string path = program_path(tools, "node");
  if (path.empty()) co_return not_on_path(tools, name);
  ProgramSpec spec{.child = {.argv = {path, "--version"}, .env = tools.surroundings.environment},
                   .time_limit = program_limit,
                   .stop = tools.stop};
  const auto ran = co_await run_program(tools.loop, tools.processes, std::move(spec));
  if (ran && ran->timed_out) co_return Check{name, warning, fmt::format("{} did not tell its version within 2 s", path)};
  if (!ran || !ran->ok()) co_return Check{name, warning, fmt::format("{} cannot be run", path), std::string(get_node)};
  const std::string said = repair_utf8(ran->out_tail, longest_version);
  co_return Check{name, fine, fmt::format("{} at {}", said.substr(0, said.find_first_of("\r\n")), path)};
}

// Not asked for its version: that takes as long as an agent's start.
Task<Check> check_npm(DoctorTools& tools) {
  const std::string path = program_path(tools, "npm");
  if (path.empty()) co_return not_on_path(tools, "npm");
  co_return Check{"npm", fine, path};
}

Task<Check> check_agent(DoctorTools& tools, AgentPtr agent, Millis limit) {
  const Manifest& manifest = agent->manifest;
  const std::string name = fmt::format("agent {}", manifest.id);
  const bool installed = look_at(*agent, tools.store, tools.surroundings).installed;
  std::optional<ChildSpec> child = how_to_start(*agent, tools.store, tools.surroundings);
  if (!child || !installed) co_return Check{name, fine, "Not installed"};
  child->cwd = "/";  // whatever is in the folder somebody is in stays out of it
  const ProbeLimits limits{.time = limit, .only_initialize = true, .stop = tools.stop};
  const TimePoint begin = Clock::now();
  const auto probed = co_await probe_agent(tools.loop, tools.processes, tools.pool, std::move(*child), limits);
  if (!probed) co_return Check{name, bad, probed.error().detail};
  if (!probed->error)
    co_return Check{name, fine,
                    fmt::format("It answers initialize after {} ms", probed->initialized.value_or(Millis(0)).count())};
  if (Clock::now() - begin >= limit)
    co_return Check{name, warning,
                    fmt::format("It did not answer initialize within {} s; a busy machine may be the reason, as all agents are "
                                "asked at once",
                                static_cast<double>(limit.count()) / 1000),
                    "Try again when the machine has less to do"};
  std::optional<std::string> fix;
  if (is_installable(*agent)) fix = fmt::format("sandbox-agent agents install {} --reinstall", manifest.id);
  co_return Check{name, bad, without_secrets(*probed->error, manifest, tools.surroundings), std::move(fix)};
}

Task<std::vector<AgentReport>> check_agents(DoctorTools& tools, Millis limit) {
  const std::vector<AgentPtr> agents = tools.catalog.agents();
  std::vector<AgentReport> reports;
  reports.reserve(agents.size());
  for (const AgentPtr& agent : agents) reports.push_back(report_on(tools, *agent));
  Countdown countdown{Signal(tools.loop), agents.size()};
  for (std::size_t i = 0; i < agents.size(); ++i) spawn(fill_in(tools, agents[i], limit, reports[i].check, countdown));
  co_await wait_for_all(countdown);
  for (std::size_t i = 0; i < agents.size(); ++i) {
    judge_key(reports[i], agents[i]->manifest);
    judge_absence(reports[i], *agents[i]);
  }
  co_return reports;
}

Task<AgentChecks> check_programs_and_agents(DoctorTools& tools, Millis limit) {
  AgentChecks checks;
  Countdown countdown{Signal(tools.loop), 2};
  spawn(fill_in(tools, check_node, checks.node, countdown));
  spawn(fill_in(tools, check_npm, checks.npm, countdown));
  checks.agents = co_await check_agents(tools, limit);
  co_await wait_for_all(countdown);
  co_return checks;
}

}  // namespace sa
