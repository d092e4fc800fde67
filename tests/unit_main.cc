// The main of all unit tests; the tests themselves sit beside the code in src/.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
