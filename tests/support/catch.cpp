// Catch2's implementation, which compiles slowly; compiled once for all test programs.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "support/run_tests.h"
#include "support/temporary_folder.h"

namespace fitup::test {

int runTests(int argc, char** argv) {
  const TemporaryFolder cache;  // in place of the user's cache
  ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
  return Catch::Session().run(argc, argv);
}

}  // namespace fitup::test
