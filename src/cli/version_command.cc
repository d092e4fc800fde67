// `sandbox-agent version`, `help` and `mock-agent`: what needs no more than a line.
#include <fmt/format.h>
#include <unistd.h>

#include "api/schema.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/json_version.h"
#include "mock_agent/mock_agent.h"

namespace sa {

struct VersionDocument {
  std::string name = "sandbox-agent";
  std::string version;
  int json_version = cli_json_version;
};

template <>
struct Shape<VersionDocument> {
  using D = VersionDocument;
  static constexpr std::string_view name = "Version";
  static constexpr std::string_view help = "What this binary is.";
  static constexpr std::tuple fields{
      Field{"name", &D::name, "Always sandbox-agent."},
      Field{"version", &D::version, "The version of the binary."},
      Field{"jsonVersion", &D::json_version, "The version of what --json prints. It rises when a field changes or goes."},
  };
};

struct CommandWord {
  std::string name;
  std::string summary;
};

template <>
struct Shape<CommandWord> {
  static constexpr std::string_view name = "CommandWord";
  static constexpr std::string_view help = "A command.";
  static constexpr std::tuple fields{
      Field{"name", &CommandWord::name, "Its words."},
      Field{"summary", &CommandWord::summary, "What it does."},
  };
};

struct HelpDocument {
  std::vector<CommandWord> commands;
};

template <>
struct Shape<HelpDocument> {
  static constexpr std::string_view name = "Help";
  static constexpr std::string_view help = "The commands.";
  static constexpr std::tuple fields{Field{"commands", &HelpDocument::commands, "All there are."}};
};

namespace {

Outcome<Exit> tell_version(Invocation& given) {
  const VersionDocument document{.version = std::string(version)};
  if (given.console().json()) {
    given.console().document(to_json(document));
  } else {
    given.console().line(fmt::format("sandbox-agent {}", version));
  }
  return Exit::success;
}

Outcome<Exit> explain(Invocation& given) {
  if (given.console().json()) {
    HelpDocument document;
    for (const Command* command : commands())
      if (command->section != Section::hidden)
        document.commands.push_back({std::string(command->name), std::string(command->summary)});
    given.console().document(to_json(document));
    return Exit::success;
  }
  if (given.arguments().empty()) return given.console().print(help_text(given.console().result_columns())), Exit::success;
  std::vector<std::string_view> words(given.arguments().begin(), given.arguments().end());
  words.emplace_back("--help");
  return static_cast<Exit>(run_command(words));
}

Outcome<Exit> play_agent(Invocation&) { return static_cast<Exit>(run_mock_agent(STDIN_FILENO, STDOUT_FILENO)); }

constexpr Argument help_arguments[] = {{"COMMAND", "the command to explain", Argument::Count::any}};

}  // namespace

extern const Command version_command{.name = "version",
                                     .summary = "Print the version",
                                     .json = {JsonOutput::Kind::document, "What this binary is.", schema_of<VersionDocument>},
                                     .run = tell_version,
                                     .example = "sandbox-agent version --json"};

extern const Command help_command{.name = "help",
                                  .summary = "Explain the commands, or one of them",
                                  .arguments = help_arguments,
                                  .json = {JsonOutput::Kind::document, "All commands.", schema_of<HelpDocument>},
                                  .run = explain,
                                  .example = "sandbox-agent help run"};

extern const Command mock_agent_command{
    .name = "mock-agent", .section = Section::hidden, .summary = "Be the demo agent on stdin and stdout", .run = play_agent};

}  // namespace sa
