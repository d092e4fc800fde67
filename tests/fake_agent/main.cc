// fake_agent zoo [anything…]           behaviours by method name
// fake_agent verbatim                  reports every line it hears, byte for byte
// fake_agent silent | deaf             reads and never answers | never reads
// fake_agent run <method> [params]     performs one behaviour at once, then as zoo
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "behaviours.h"

namespace {

void let_the_alarm_work() {
  signal(SIGALRM, SIG_DFL);
  sigset_t alarm_only;
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm_only, nullptr);
  alarm(fake::safety_seconds);
}

}  // namespace

fake::Behaviour fake::find_behaviour(std::string_view method) {
  for (const auto family : {speech_behaviours(), fault_behaviours(), surroundings_behaviours(), tree_behaviours()}) {
    for (const auto& row : family) {
      if (row.method == method) return row.perform;
    }
  }
  return nullptr;
}

int main(int argc, char** argv) {
  fake::remember_surroundings();
  let_the_alarm_work();
  const std::vector<std::string> arguments(argv, argv + argc);
  const std::string mode = argc > 1 ? arguments[1] : "zoo";
  const char* ledger_directory = std::getenv("FAKE_AGENT_LEDGER_DIR");
  fake::Agent agent(ledger_directory == nullptr ? "" : ledger_directory, arguments);

  if (mode == "verbatim") {
    agent.report_every_line();
  } else if (mode == "silent") {
    agent.become_silent();
  } else if (mode == "deaf") {
    agent.become_deaf();
  } else if (mode == "run" && argc > 2) {
    agent.perform(arguments[2], argc > 3 ? arguments[3] : "{}");
  } else if (mode != "zoo") {
    std::fprintf(stderr, "fake_agent: no mode %s\n", mode.c_str());
    return 2;
  }
  agent.run();
}
