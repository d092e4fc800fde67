// The main of all unit tests; the tests themselves sit beside the code in src/.
// Processes under test re-execute this binary as their supervisor, as the daemon does with its own.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <string_view>

#include "io/supervisor.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == sa::supervisor_command) return sa::run_supervisor(argc, argv);
  return doctest::Context(argc, argv).run();
}
