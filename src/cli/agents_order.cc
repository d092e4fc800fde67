#include "cli/agents_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/environment.h"

namespace sa {
namespace {

std::unexpected<Error> usage(std::string sentence) { return fail(ErrorCode::invalid_request, std::move(sentence)); }

// An option with a value, and where that goes; those of the server's settings go to its table.
struct OrderOption {
  std::string_view name;
  std::string_view value;
  std::string_view help;
  std::string& (*place)(AgentsOrder&);
};

constexpr OrderOption options[] = {
    {"--agent-version", "V", "the version of the tool the agent needs; without such a tool, of the agent",
     [](AgentsOrder& order) -> std::string& { return order.wishes.agent_version; }},
    {"--agent-process-version", "V", "the version of the program that speaks ACP",
     [](AgentsOrder& order) -> std::string& { return order.wishes.process_version; }},
    {"--bundle", "FILE", "install what a bundle holds, without a network",
     [](AgentsOrder& order) -> std::string& { return order.bundle; }},
    {"--output", "FILE", "where a bundle goes; -o for short", [](AgentsOrder& order) -> std::string& { return order.output; }},
};

constexpr std::string_view server_settings[] = {"--agents-dir", "--registry-url", "--max-artifact-bytes",
                                                "--install-timeout-ms"};

Result<AgentsOrder> check(AgentsOrder order) {
  for (const std::string& version : {order.wishes.agent_version, order.wishes.process_version})
    if (!version.empty() && !is_version(version)) return usage(fmt::format("'{}' is not a version", version));
  const bool lists = order.action == "list";
  if (lists && (!order.agents.empty() || order.wishes != InstallWishes{})) return usage("'agents list' takes no agent");
  if (!lists && order.agents.empty() && order.bundle.empty()) return usage("name an agent");
  if (!order.bundle.empty() && (order.action != "install" || !order.agents.empty()))
    return usage("--bundle goes with 'agents install' alone: a bundle names its agents itself");
  if (order.action == "bundle" && order.output.empty()) return usage("say where the bundle goes: -o FILE.tar.zst");
  return order;
}

}  // namespace

Result<AgentsOrder> parse_agents_order(Arguments arguments) {
  AgentsOrder order;
  std::vector<std::string_view> for_settings;
  if (!arguments.empty() && !arguments.front().starts_with('-')) {
    order.action = arguments.front();
    arguments = arguments.subspan(1);
  }
  while (!arguments.empty()) {
    const std::string_view word = arguments.front() == "-o" ? "--output" : arguments.front();
    arguments = arguments.subspan(1);
    const auto* option = std::ranges::find(options, word, &OrderOption::name);
    const bool setting = std::ranges::find(server_settings, word) != std::end(server_settings);
    const bool takes_value = option != std::end(options) || setting;
    if (takes_value && arguments.empty()) return usage(fmt::format("{} needs a value", word));
    if (option != std::end(options)) {
      option->place(order) = arguments.front();
    } else if (setting) {
      for_settings.insert(for_settings.end(), {word, arguments.front()});
    } else if (word == "--reinstall") {
      order.wishes.reinstall = true;
    } else if (word.starts_with('-')) {
      return usage(fmt::format("unknown option '{}'", word));
    } else {
      order.agents.emplace_back(word);
    }
    if (takes_value) arguments = arguments.subspan(1);
  }
  TRY(order.settings, parse_settings(for_settings, from_environment));
  return check(std::move(order));
}

void print_agents_help() {
  fmt::print(
      "sandbox-agent agents list\n"
      "sandbox-agent agents install AGENT… [--reinstall] [--agent-version V] [--agent-process-version V]\n"
      "sandbox-agent agents install --bundle FILE\n"
      "sandbox-agent agents remove AGENT…\n"
      "sandbox-agent agents bundle AGENT… -o FILE.tar.zst\n\n"
      "Works on this machine's agents, with or without a running daemon.\n\n"
      "  --reinstall                   install again what is installed\n");
  for (const OrderOption& option : options)
    fmt::print("  {:<29} {}\n", fmt::format("{} {}", option.name, option.value), option.help);
  for (const SettingRow& row : setting_rows())
    if (std::ranges::find(server_settings, row.flag) != std::end(server_settings))
      fmt::print("  {:<29} {}\n", fmt::format("{} {}", row.flag, row.value), row.help);
}

}  // namespace sa
