// Catch2's implementation, compiled once.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
