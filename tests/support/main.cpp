// Of test programs that have no other.
#include "support/run_tests.h"

int main(int argc, char** argv) { return fitup::test::runTests(argc, argv); }
