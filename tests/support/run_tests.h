#pragma once

namespace fitup::test {

/// What a test program's `main` does in the end: parses Catch2's options and runs the tests that they ask for.
int runTests(int argc, char** argv);

}  // namespace fitup::test
