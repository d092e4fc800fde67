// `sandbox-agent completion` prints a script for a shell; the script asks `sandbox-agent complete`.
#include <fmt/format.h>

#include <algorithm>

#include "api/schema.h"
#include "cli/commands.h"
#include "cli/completion_candidates.h"
#include "cli/completion_scripts.h"

namespace sa {

struct CompletionDocument {
  std::string shell;
  std::string script;
};

template <>
struct Shape<CompletionDocument> {
  using D = CompletionDocument;
  static constexpr std::string_view name = "Completion";
  static constexpr std::string_view help = "A completion script.";
  static constexpr std::tuple fields{
      Field{"shell", &D::shell, "Which shell it is for."},
      Field{"script", &D::script, "The script."},
  };
};

struct CandidateDocument {
  std::string word;
  std::string help;
};

template <>
struct Shape<CandidateDocument> {
  using D = CandidateDocument;
  static constexpr std::string_view name = "CompletionCandidate";
  static constexpr std::string_view help = "What may stand in a command line's last word.";
  static constexpr std::tuple fields{
      Field{"word", &D::word, "The whole word; :files and :folders stand for paths."},
      Field{"help", &D::help, "What it means; may be empty."},
  };
};

namespace {

Outcome<Exit> print_script(Invocation& given) {
  const auto scripts = completion_scripts();
  const auto script = std::ranges::find(scripts, given.argument(), &CompletionScript::shell);
  if (script == scripts.end())
    return failed({.exit = Exit::usage,
                   .what = fmt::format("there is no completion for '{}'", given.argument()),
                   .what_to_do = "sandbox-agent completion bash — or zsh, fish, powershell"});
  if (given.console().json()) {
    given.console().document(to_json(CompletionDocument{std::string(script->shell), std::string(script->text)}));
  } else {
    given.console().print(script->text);
  }
  return Exit::success;
}

Outcome<Exit> print_candidates(Invocation& given) {
  std::vector<std::string_view> words(given.rest().begin(), given.rest().end());
  if (given.has("--new-word")) words.emplace_back("");
  Candidates all = complete_words(std::move(words), real_sources());
  if (all.paths != Completes::nothing) all.words.push_back({all.paths == Completes::file ? ":files" : ":folders", ""});
  std::string lines;
  for (const auto& [word, help] : all.words) {
    if (given.console().json()) {
      lines += to_json(CandidateDocument{word, help}) + "\n";
    } else {
      lines += given.has("--describe") && !help.empty() ? fmt::format("{}\t{}\n", word, help) : word + "\n";
    }
  }
  given.console().print(lines);
  return Exit::success;
}

constexpr Argument script_arguments[] = {
    {"SHELL", "bash, zsh, fish or powershell", Argument::Count::one, Completes::words, "bash zsh fish powershell"}};

constexpr Option candidate_options[] = {
    {"--describe", "", "", "also what each means, behind a tab"},
    {"--new-word", "", "", "a new word begins behind those given"},
};

}  // namespace

extern const Command completion_command{
    .name = "completion",
    .summary = "Print a completion script for your shell",
    .help = "It completes commands, options, agents and running instances. Its first lines say how to load it.",
    .arguments = script_arguments,
    .json = {JsonOutput::Kind::document, "The script.", schema_of<CompletionDocument>},
    .run = print_script,
    .example = "source <(sandbox-agent completion bash)"};

extern const Command complete_command{
    .name = "complete",
    .section = Section::hidden,
    .summary = "Print what may stand in the last of the words",
    .help = "Completion scripts ask it. The lines :files and :folders stand for paths, which the shell knows.",
    .options = candidate_options,
    .json = {JsonOutput::Kind::lines, "One candidate per line.", schema_of<CandidateDocument>},
    .run = print_candidates,
    .takes_rest = true};

}  // namespace sa
