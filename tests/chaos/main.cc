// The main of chaos and soak. The programs they need are named by SANDBOX_AGENT_UNDER_TEST and FAKE_AGENT.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <signal.h>

#include "small_disk.h"

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  chaos::may_mount();
  return doctest::Context(argc, argv).run();
}
