#include "cli/cli_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "api/schema.h"
#include "base/exit_codes.h"
#include "base/json_pretty.h"
#include "cli/commands.h"
#include "cli/failure_document.h"
#include "cli/help.h"
#include "cli/json_version.h"
#include "cli/markdown.h"

namespace sa {
namespace {

namespace json = boost::json;

constexpr std::string_view head = R"(# The command line

<!-- generated from the rows of src/cli/commands.cc by `make reference` -->

Results go to stdout, everything else to stderr. Colours and lines that change appear on a terminal only. Which daemon a command talks
to: `--endpoint`, else `SANDBOX_AGENT_URL`, else the one that runs here. Its token: `--token-file`, else `SANDBOX_AGENT_TOKEN`, else what the
daemon keeps. What `--json` prints is described by [cli.schema.json](cli.schema.json); its version is in `sandbox-agent version --json`.
)";

void print_options(std::span<const Option> options) {
  fmt::print("\n| Option | What it does |\n|---|---|\n");
  for (const Option& option : options) fmt::print("| `{}` | {} |\n", cell(option_text(option)), cell(option.help));
}

// Those that all commands have; of one that has no others.
std::vector<Option> shared_by_all() { return options_of(Command{}); }

std::vector<Option> shared_by_clients() {
  std::vector<Option> all = options_of(Command{.shared = Shared::server});
  all.resize(all.size() - shared_by_all().size());
  return all;
}

// The components a schema is made of, as links; of one, of the items of a list, of alternatives.
void add_links(std::vector<std::string>& links, const json::object& schema) {
  if (const json::value* reference = schema.if_contains("$ref")) {
    const std::string_view text = reference->as_string();
    const std::string_view name = text.substr(text.rfind('/') + 1);
    links.push_back(fmt::format("[{0}](cli.schema.json#/$defs/{0})", name));
  }
  if (const json::value* items = schema.if_contains("items")) add_links(links, items->as_object());
  if (const json::value* several = schema.if_contains("oneOf"))
    for (const json::value& one : several->as_array()) add_links(links, one.as_object());
}

std::string json_words(const JsonOutput& output) {
  SchemaBook book;
  std::vector<std::string> links;
  add_links(links, output.schema(book));
  return fmt::format("`--json` prints {}: {}{}{}",
                     output.kind == JsonOutput::Kind::lines ? "one document per line" : "one document", output.help,
                     links.empty() ? "" : " See ", fmt::join(links, ", ")) +
         (links.empty() ? "" : ".");
}

std::string shared_words(Shared shared) {
  switch (shared) {
    case Shared::none: return "";
    case Shared::server: return "It takes the [options that choose a daemon](#options-that-choose-a-daemon). ";
    case Shared::settings: return "It takes every [setting of the server](settings.md). ";
  }
  return "";
}

void print_command(const Command& command) {
  fmt::print("\n### `{}`\n\n```\nsandbox-agent {}\n```\n\n{}.{}{}\n", command.name, usage_of(command), command.summary,
             command.help.empty() ? "" : " ", command.help);
  if (!command.arguments.empty()) {
    fmt::print("\n| Argument | What it is |\n|---|---|\n");
    for (const Argument& argument : command.arguments) fmt::print("| `{}` | {} |\n", argument.name, cell(argument.help));
  }
  if (!command.options.empty()) print_options(command.options);
  const std::string shared = shared_words(command.shared);
  if (command.json.schema) fmt::print("\n{}{}\n", shared, json_words(command.json));
  if (!command.json.schema && !shared.empty()) fmt::print("\n{}\n", shared.substr(0, shared.size() - 1));
  if (!command.example.empty()) fmt::print("\n```\n{}\n```\n", command.example);
}

// "#/components/schemas/X" is at "#/$defs/X" here.
void move_references(json::value& value) {
  constexpr std::string_view there = "#/components/schemas/";
  if (json::array* array = value.if_array())
    for (json::value& item : *array) move_references(item);
  json::object* object = value.if_object();
  if (!object) return;
  for (auto& [name, member] : *object) {
    if (name == "$ref" && member.is_string() && member.get_string().starts_with(there)) {
      member = "#/$defs/" + std::string(member.get_string().subview(there.size()));
    } else {
      move_references(member);
    }
  }
}

}  // namespace

void print_cli_reference() {
  fmt::print("{}\n## Options of all commands\n", head);
  print_options(shared_by_all());
  fmt::print("\n## Options that choose a daemon\n");
  print_options(shared_by_clients());
  fmt::print("\n## Exit codes\n\n| Code | Meaning |\n|---:|---|\n");
  for (const ExitRow& row : exit_rows) fmt::print("| {} | {} |\n", static_cast<int>(row.exit), row.meaning);
  fmt::print("\nWith `--json` the last document of a command that fails is a [Failure](cli.schema.json#/$defs/Failure).\n");
  for (const SectionRow& section : sections()) {
    const auto is_here = [&](const Command* command) { return command->section == section.section; };
    if (!std::ranges::any_of(commands(), is_here)) continue;
    fmt::print("\n## {}\n", section.title);
    for (const Command* command : commands())
      if (is_here(command)) print_command(*command);
  }
}

std::string cli_schema() {
  SchemaBook book;
  json::object rows;
  for (const Command* command : commands()) {
    if (command->section == Section::hidden || !command->json.schema) continue;
    rows[command->name] = {{"kind", command->json.kind == JsonOutput::Kind::lines ? "lines" : "document"},
                           {"description", command->json.help},
                           {"schema", command->json.schema(book)}};
  }
  const json::object failure = schema_of<FailureDocument>(book);
  json::value document = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", fmt::format("urn:sandbox-agent:cli:{}", cli_json_version)},
      {"title", "What the commands of sandbox-agent print with --json"},
      {"description", "A command prints one document, or one per line. The last one of a command that fails is a Failure."},
      {"failure", failure},
      {"commands", std::move(rows)},
      {"$defs", std::move(book.components)}};
  move_references(document);
  return pretty_json(document);
}

}  // namespace sa
