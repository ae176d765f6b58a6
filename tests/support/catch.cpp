// Catch2's implementation, which compiles slowly, once for all test programs.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "support/run_tests.h"

namespace fitup::test {

int runTests(int argc, char** argv) { return Catch::Session().run(argc, argv); }

}  // namespace fitup::test
