#pragma once

namespace fitup::test {

/// Ends a test program's `main`: parses Catch2's options and runs the selected tests.
int runTests(int argc, char** argv);

}  // namespace fitup::test
