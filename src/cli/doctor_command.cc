// `sandbox-agent doctor`: looks at everything a run depends on and says what to do about it. Changes nothing.
#include <fmt/format.h>

#include <algorithm>

#include "agents/credentials.h"
#include "api/health_documents.h"
#include "api/schema.h"
#include "base/shape_read.h"
#include "base/version.h"
#include "cli/agents_workshop.h"
#include "cli/commands.h"
#include "cli/doctor_checks.h"
#include "cli/environment.h"
#include "cli/model_hosts.h"
#include "cli/server_choice.h"
#include "client/api_call.h"

namespace sa {

struct DoctorDocument {
  std::string version{sa::version};
  bool ok = true;
  long long duration_ms = 0;
  std::vector<Check> checks;
  std::vector<AgentReport> agents;
};

template <>
struct Shape<DoctorDocument> {
  using D = DoctorDocument;
  static constexpr std::string_view name = "DoctorReport";
  static constexpr std::string_view help = "What was looked at, for support tickets. Holds no secret.";
  static constexpr std::tuple fields{
      Field{"version", &D::version, "Of this binary."},
      Field{"ok", &D::ok, "Whether no check found an error."},
      Field{"durationMs", &D::duration_ms, "How long it took."},
      Field{"checks", &D::checks, "The machine, the daemon, and with --online the network."},
      Field{"agents", &D::agents, "Every agent."},
  };
};

namespace {

constexpr Millis health_limit{1'000};
constexpr Millis agents_limit{2'000};  // ending them comes on top

// --- the daemon ---

Check no_daemon(const Invocation& given, const Failure& failure) {
  if (failure.exit == Exit::unreachable && !names_server(given))
    return {.name = "daemon", .text = "None runs; 'run' and 'up' start one"};
  const bool asks_for_token = failure.exit == Exit::token;  // it may well be healthy
  return {.name = "daemon",
          .state = asks_for_token ? CheckState::warning : CheckState::bad,
          .text = failure.what,
          .fix = failure.what_to_do};
}

Check judge_daemon(const ChosenServer& server, const Outcome<ApiAnswer>& answer) {
  const std::string& url = server.address.url;
  Check check{.name = "daemon", .state = CheckState::bad};
  if (!answer) {
    check.text = answer.error().what;
    check.fix = answer.error().what_to_do;
    return check;
  }
  const auto json = parse_json(answer->body);
  const auto health = json ? from_json<HealthDocument>(*json) : fail(json.error());
  if (!health) {
    check.text = fmt::format("What answers at {} is no sandbox-agent daemon", url);
    check.fix = "another --endpoint";
  } else if (health->version != version) {
    check.state = CheckState::warning;
    check.text = fmt::format("{} is version {}, this binary is {}", url, health->version, version);
    check.fix = "sandbox-agent daemon stop; the next 'run' or 'up' starts this version";
  } else {
    check.state = CheckState::fine;
    check.text = fmt::format("{} is healthy, version {}", url, health->version);
  }
  return check;
}

// --- the network, with --online ---

// The registry's address and those of the models behind keys that were found, each once.
std::vector<std::string> addresses_to_reach(const Workshop& shop) {
  std::vector<std::string> urls;
  const auto add = [&](const std::string& url) {
    if (url.starts_with("http") && std::ranges::find(urls, url) == urls.end()) urls.push_back(url);
  };
  add(shop.settings.registry_url);
  for (const AgentPtr& agent : shop.parts.catalog.agents()) {
    const CredentialState found = find_credentials(agent->manifest, shop.parts.surroundings);
    if (!found.place) continue;
    const auto& variables = agent->manifest.credentials->variables;
    const bool in_file = found.place->kind == CredentialKind::file;
    if (in_file && variables.empty()) continue;
    add(model_host(in_file ? variables.front().name : found.place->name, from_environment));
  }
  return urls;
}

// --- all of it at the same time ---

struct Examination {
  explicit Examination(Workshop& shop) : changed(shop.loop) {}

  std::vector<Check> machine;
  Check daemon;
  std::vector<Check> online;
  AgentChecks agents;
  std::size_t open = 0;
  Signal changed;

  void closed() {
    --open;
    changed.notify();
  }
};

Task<> ask_daemon(Workshop& shop, ChosenServer server, Examination& all) {
  const auto answer = co_await shop.parts.slow_pool.run([&] {
    return call_api(server.address, {.target = "/v1/health", .total_timeout = health_limit, .stop = &shop.parts.stopped()});
  });
  all.daemon = judge_daemon(server, answer);
}

// The files of daemons first: looking for one removes those that are left over.
Task<> examine_machine(Workshop& shop, Invocation& given, Examination& all) {
  all.machine = co_await shop.parts.slow_pool.run([&] { return check_machine(shop.settings.port, from_environment); });
  if (auto server = choose_server(given)) {
    co_await ask_daemon(shop, std::move(*server), all);
  } else {
    all.daemon = no_daemon(given, server.error());
  }
  all.closed();
}

Task<> examine_agents(DoctorTools& tools, Examination& all) {
  all.agents = co_await check_programs_and_agents(tools, agents_limit);
  all.closed();
}

Task<> examine_address(Workshop& shop, std::string url, Check& check, Examination& all) {
  check = co_await shop.parts.slow_pool.run([&] { return reach(url); });
  all.closed();
}

// In the order people should read them: the daemon behind its port, Node.js in front of what the kernel offers.
std::vector<Check> in_order(Examination& all) {
  std::vector<Check> checks = std::move(all.machine);
  const auto behind = [&](std::string_view name) {
    const auto found = std::ranges::find_if(checks, [name](const Check& check) { return check.name.starts_with(name); });
    return found == checks.end() ? found : found + 1;
  };
  checks.insert(behind("port"), all.daemon);
  checks.insert(behind("proxy"), {all.agents.node, all.agents.npm});
  for (Check& check : all.online) checks.push_back(std::move(check));
  return checks;
}

// --- words ---

struct Tally {
  std::size_t fine = 0, warnings = 0, bad = 0, absent = 0;
};

void print_check(Console& console, const Check& check, std::string_view name, Tally& tally) {
  const auto mark = [&](Ink ink, std::string_view sign) { return console.paint_result(ink, sign); };
  const std::string sign = check.state == CheckState::fine      ? mark(Ink::green, "✓")
                           : check.state == CheckState::warning ? mark(Ink::yellow, "!")
                                                                : mark(Ink::red, "✗");
  ++(check.state == CheckState::fine ? tally.fine : check.state == CheckState::warning ? tally.warnings : tally.bad);
  console.line(fmt::format("{} {:<14} {}", sign, name, check.text));
  if (check.fix && check.state != CheckState::fine) console.line(fmt::format("    {}", *check.fix));
}

std::string credentials_words(const AgentReport& report) {
  if (report.credentials != CredentialStatus::found) return "";
  return fmt::format("; key found in {}", report.credentials_place.value_or(""));
}

// Neither good nor bad: nobody has asked for it so far.
bool is_absent(const AgentReport& report) { return !report.installed && report.check.state == CheckState::fine; }

void print_absent(Console& console, const AgentReport& report, Tally& tally) {
  ++tally.absent;
  console.line(fmt::format("{} {:<14} {}", console.paint_result(Ink::dim, "-"), report.agent, report.check.text));
}

void print_report(Console& console, const DoctorDocument& report) {
  Tally tally;
  for (const Check& check : report.checks) print_check(console, check, check.name, tally);
  for (const AgentReport& agent : report.agents) {
    if (is_absent(agent)) {
      print_absent(console, agent, tally);
      continue;
    }
    Check check = agent.check;
    check.text = fmt::format("{}{}{}", agent.version ? fmt::format("Version {}. ", *agent.version) : "", agent.check.text,
                             credentials_words(agent));
    print_check(console, check, agent.agent, tally);
  }
  console.line(fmt::format("{} checks: {} fine, {} to look at, {} wrong{}, in {} ms",
                           tally.fine + tally.warnings + tally.bad + tally.absent, tally.fine, tally.warnings, tally.bad,
                           tally.absent > 0 ? fmt::format(", {} agents not installed", tally.absent) : "", report.duration_ms));
}

Task<Outcome<Exit>> examine(Workshop& shop, Invocation& given) {
  const TimePoint began = Clock::now();
  DoctorTools tools{shop.loop,        shop.processes,          shop.parts.pool,      shop.parts.catalog,
                    shop.parts.store, shop.parts.surroundings, &shop.parts.stopped()};
  Examination all(shop);
  const auto begin = [&](Task<> part) {
    ++all.open;
    spawn(std::move(part));
  };
  begin(examine_agents(tools, all));
  begin(examine_machine(shop, given, all));
  const std::vector<std::string> urls = given.has("--online") ? addresses_to_reach(shop) : std::vector<std::string>();
  all.online.resize(urls.size());
  for (std::size_t at = 0; at < urls.size(); ++at) begin(examine_address(shop, urls[at], all.online[at], all));
  while (all.open > 0) co_await all.changed.wait();
  if (shop.parts.stopped()) co_return failed({.exit = Exit::interrupted, .what = "interrupted"});

  DoctorDocument report{.checks = in_order(all), .agents = std::move(all.agents.agents)};
  const auto bad = [](const Check& check) { return check.state == CheckState::bad; };
  report.ok = std::ranges::none_of(report.checks, bad) && std::ranges::none_of(report.agents, bad, &AgentReport::check);
  report.duration_ms = std::chrono::duration_cast<Millis>(Clock::now() - began).count();
  if (shop.console.json()) {
    shop.console.document(to_json(report));
  } else {
    print_report(shop.console, report);
  }
  co_return report.ok ? Exit::success : Exit::failure;
}

Outcome<Exit> run_doctor(Invocation& given) { return run_in_workshop(given, examine); }

constexpr Option doctor_options[] = {
    {"--online", "", "", "also ask whether the registry and the models' hosts can be reached"}};
constexpr std::string_view doctor_settings[] = {"--port", "--agents-dir", "--registry-url"};

}  // namespace

extern const Command doctor_command{
    .name = "doctor",
    .section = Section::tools,
    .summary = "Look for what keeps agents from running, and say what to do about it",
    .help = "Takes less than three seconds, changes and downloads nothing, shows no secret. Exits 1 when something is wrong.",
    .options = doctor_options,
    .shared = Shared::server,
    .settings = doctor_settings,
    .json = {JsonOutput::Kind::document, "The report.", schema_of<DoctorDocument>},
    .run = run_doctor,
    .example = "sandbox-agent doctor --json"};

}  // namespace sa
