#include <viewer/core/colour_likeness.h>

#include <limits>

#include <catch2/catch.hpp>

namespace colour_likeness_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("colours that could be taken for a highlight", "[viewer][colours]") {
  const Colour red{0.95F, 0.08F, 0.05F}, orange{1, 0.55F, 0.05F};
  for (const Colour& own : {Colour{1, 0, 0}, Colour{0.8F, 0.1F, 0.2F}, Colour{0.5F, 0.05F, 0.05F},
                            Colour{1, 0.3F, 0.3F}, Colour{1, 0, 0, 0.2F}}) {
    CHECK(isMistakenFor(own, red));
    CHECK_FALSE(isMistakenFor(own, orange));
  }
  for (const Colour& own : {Colour{1, 0.5F, 0}, Colour{0.9F, 0.7F, 0.1F}, Colour{0.6F, 0.4F, 0.2F}}) {
    CHECK(isMistakenFor(own, orange));
    CHECK_FALSE(isMistakenFor(own, red));
  }
  // Below 0 degrees, the hue continues from 360.
  CHECK(isMistakenFor({1, 0, 0.3F}, red));
  CHECK_FALSE(isMistakenFor({1, 0, 0.6F}, red));
  // Greys, other hues, pale, dark; NaN.
  const float none = std::numeric_limits<float>::quiet_NaN();
  for (const Colour& own : {Colour{}, Colour{0, 0, 0}, Colour{1, 1, 1}, Colour{0, 1, 0}, Colour{0, 0, 1},
                            Colour{1, 0.8F, 0.8F}, Colour{0.2F, 0, 0}, Colour{none, none, none}})
    for (const Colour& lit : {red, orange}) CHECK_FALSE(isMistakenFor(own, lit));
}

TEST_CASE("black edges are hard to see on dark colours", "[viewer][colours]") {
  CHECK(isDark({0, 0, 0, 1}));
  CHECK(isDark({0.22F, 0.22F, 0.22F, 1}));
  CHECK_FALSE(isDark({0, 0, 1, 1}));
  CHECK_FALSE(isDark({0.5F, 0.5F, 0.5F, 1}));
  CHECK_FALSE(isDark({1, 0, 0, 1}));
}

}  // namespace colour_likeness_tests
