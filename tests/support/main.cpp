// The main function of test programs without their own.
#include "support/run_tests.h"

int main(int argc, char** argv) { return fitup::test::runTests(argc, argv); }
