// The main of the end-to-end tests. The programs they need are named by SANDBOX_AGENT_UNDER_TEST and FAKE_AGENT.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <signal.h>

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  return doctest::Context(argc, argv).run();
}
