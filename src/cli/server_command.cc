// `sandbox-agent server`: the daemon in the foreground.
#include "api/schema.h"
#include "cli/commands.h"
#include "daemon/daemon.h"
#include "daemon/startup_text.h"

namespace sa {
namespace {

Outcome<Exit> serve(Invocation& given) {
  TRY(const Settings settings, given.settings());
  return static_cast<Exit>(run_daemon(settings));
}

}  // namespace

extern const Command server_command{
    .name = "server",
    .section = Section::daemon,
    .summary = "Run the daemon in the foreground until Ctrl-C",
    .help = "Prints its address, the link to the inspector, where the token comes from, the agents and the data folder.",
    .shared = Shared::settings,
    .json = {JsonOutput::Kind::document, "One line when it is ready.", schema_of<ReadyDocument>},
    .run = serve,
    .example = "sandbox-agent server --port 0 --json"};

}  // namespace sa
