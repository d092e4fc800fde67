#include "cli/agents_reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/catalog.h"
#include "agents/instructions.h"

namespace sa {
namespace {

constexpr std::string_view agents_head = R"(# Agents

<!-- generated from agents/*.json and src/agents/manifest.h by `make reference` -->

The agents this binary knows. Each is installed when it is first used (unless the server runs with `--require-preinstall`), or by
`sandbox-agent agents install <agent>`, or by `POST /v1/agents/<agent>/install`. What the [ACP registry](https://agentclientprotocol.com)
lists is taken from there; what it does not list, from the pinned package. How that works in detail: [design](../design/agents.md).

)";

constexpr std::string_view manifest_head = R"(
## Your own agents

Anything that speaks ACP on stdin and stdout can be an agent. For one run of the server:

```
sandbox-agent server --agent 'my-agent=my-program --acp'
```

To keep it, put a manifest into `~/.config/sandbox-agent/agents/` (below `$XDG_CONFIG_HOME` if that is set; another folder with
`--agents-dir`). The least one:

```json
{"id": "my-agent", "name": "My agent", "command": ["my-program", "--acp"]}
```

Manifests are read when the server starts. One with the id of a built-in agent takes its place. An executable at
`~/.local/share/sandbox-agent/bin/agent_processes/<id>-acp` (below `$XDG_DATA_HOME` if that is set) is an agent without a manifest,
and is started instead of what would be installed.

)";

std::string or_dash(std::string text) { return text.empty() ? "–" : text; }

std::string in_code(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
  return or_dash(text);
}

std::string pinned(const Manifest& manifest) {
  if (!manifest.command.empty()) return "built in";
  if (!manifest.process || !manifest.process->npm) return "–";
  return fmt::format("`{}` {}", manifest.process->npm->package, manifest.process->npm->version);
}

std::string native(const Manifest& manifest) {
  if (!manifest.native) return "–";
  const NativeSource& tool = *manifest.native;
  if (!tool.npm) return fmt::format("`{}`", tool.program);
  return fmt::format("`{}`: `{}` {}", tool.program, tool.npm->package, tool.npm->version);
}

std::string keys(const Manifest& manifest) {
  if (!manifest.credentials) return "not known";
  if (!manifest.credentials->needed) return "none needed";
  std::vector<std::string> names;
  for (const CredentialVariable& variable : manifest.credentials->variables) names.push_back(variable.name);
  return in_code(names);
}

std::string capabilities(const Manifest& manifest) {
  std::vector<std::string> able;
  for (const auto& [name, is] : manifest.capabilities)
    if (is) able.push_back(name);
  return or_dash(fmt::format("{}", fmt::join(able, ", ")));
}

void print_agent(const Manifest& manifest) {
  fmt::print("\n### {} (`{}`)\n\n{}\n\n", manifest.name, manifest.id, manifest.description);
  std::string instructions = install_instructions(manifest);
  for (std::size_t at = 0; (at = instructions.find('\n', at)) != std::string::npos; at += 2)
    if (at + 1 < instructions.size()) instructions.insert(at, "\n");
  fmt::print("{}\n", instructions);
  if (!manifest.homepage.empty()) fmt::print("- Home: <{}>\n", manifest.homepage);
  if (!manifest.license.empty()) fmt::print("- Licence: {}\n", manifest.license);
  if (!manifest.aliases.empty()) fmt::print("- Also found as: {}\n", in_code(manifest.aliases));
  if (!manifest.platforms.empty()) fmt::print("- Platforms: {}\n", fmt::join(manifest.platforms, ", "));
  fmt::print("- Can do: {}\n", capabilities(manifest));
}

template <class T>
void print_fields(std::string_view title) {
  fmt::print("\n{}\n\n| Member | Meaning |\n|---|---|\n", title);
  std::apply([](const auto&... field) { (fmt::print("| `{}` | {} |\n", field.name, field.help), ...); }, Shape<T>::fields);
}

}  // namespace

void print_agents_reference() {
  std::vector<Agent> agents = builtin_agents();
  std::ranges::sort(agents, {}, [](const Agent& agent) { return std::pair(agent.manifest.order, agent.manifest.id); });
  fmt::print("{}| Agent | Id | Registry | Pinned package | Needs | Keys |\n|---|---|---|---|---|---|\n", agents_head);
  for (const auto& [manifest, origin] : agents)
    fmt::print("| {} | `{}` | {} | {} | {} | {} |\n", manifest.name, manifest.id, in_code(manifest.registry), pinned(manifest),
               native(manifest), keys(manifest));
  for (const auto& [manifest, origin] : agents) print_agent(manifest);
  fmt::print("{}", manifest_head);
  fmt::print(
      "The members of a manifest. Those that are not known are ignored, so that newer manifests work with older servers.\n");
  print_fields<Manifest>("**The manifest**");
  print_fields<ProcessSource>("**`process`**");
  print_fields<NpmSource>("**`process.npm`, `native.npm`**");
  print_fields<NativeSource>("**`native`**");
  print_fields<CredentialPlaces>("**`credentials`**");
  print_fields<CredentialVariable>("**`credentials.variables[]`**");
  print_fields<CredentialInFile>("**`credentials.values[]`**");
  print_fields<ConfigOption>("**`options[]`**");
  fmt::print("\nThe words of `capabilities`: {}.\n", fmt::join(capability_names, ", "));
}

}  // namespace sa
