#include "cli/agents_install.h"

#include <fmt/format.h>

#include "cli/agents_install_documents.h"
#include "cli/progress_line.h"

namespace sa {
namespace {

// What somebody should know of where it came from.
std::string source_words(const InstallRecord& record) {
  if (record.registry_copy_of)
    return fmt::format(" (the registry was not reached; its copy of {} was used)", *record.registry_copy_of);
  if (record.registry == RegistryState::unreachable) return " (the registry was not reached; the pinned version was used)";
  return "";
}

}  // namespace

Task<Result<InstallOutcome>> install_with_progress(Workshop& shop, AgentPtr agent, InstallWishes wishes, bool as_lines) {
  const std::string& id = agent->manifest.id;
  ProgressLine line(shop.console, id);
  const auto job = co_await begin_install(shop.parts.agents, agent, wishes);
  const auto tell = [&](const InstallProgress& progress) {
    if (as_lines) {
      shop.console.document(
          to_json(InstallProgressLine{.agent = id, .phase = progress.phase, .bytes = progress.bytes, .total = progress.total}));
    } else {
      line.show(progress.phase, progress.bytes, progress.total);
    }
  };
  auto outcome = co_await wait_for(shop.loop, job, tell);
  line.end();
  co_return outcome;
}

std::string installed_words(const InstallOutcome& outcome) {
  return (outcome.already_installed ? "installed already" : "installed") + source_words(outcome.record);
}

void tell_installed(Console& console, const std::string& agent, const InstallOutcome& outcome, std::string_view how) {
  const InstallRecord& record = outcome.record;
  if (console.json()) {
    console.document(to_json(InstallDoneLine{.agent = agent,
                                             .already_installed = outcome.already_installed,
                                             .registry = record.registry,
                                             .verified = record.verified,
                                             .artifacts = record.artifacts}));
    return;
  }
  console.status(fmt::format("{} {} is {}", console.paint(Ink::green, "✓"), agent, how));
  for (const Artifact& artifact : record.artifacts)
    console.line(fmt::format("{}\t{}\t{}\t{}", word_of(artifact.kind), artifact.version.value_or("-"), word_of(artifact.source),
                             artifact.path));
}

}  // namespace sa
