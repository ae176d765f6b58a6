#include <viewer/core/length_scale.h>

#include <catch2/catch.hpp>

#include <models/process_plant.h>

namespace length_scale_tests {

using namespace fitup;
using namespace fitup::viewer;

TEST_CASE("fields for lengths fit models in any unit", "[viewer][nudge]") {
  CHECK(sizeOf(Assembly("empty")) == 1);
  const double plant = sizeOf(models::makeProcessPlant());
  CHECK(stepFor(plant) == 1);
  CHECK(decimalsFor(plant) == 2);
  // A crate in metres; a watch gear in metres.
  CHECK(stepFor(1.7) == Approx(0.01));
  CHECK(decimalsFor(1.7) == 5);
  CHECK(stepFor(0.002) == Approx(1e-5));
  CHECK(decimalsFor(0.002) == 8);
  CHECK_FALSE(fits(1, 1.7));
  CHECK_FALSE(fits(1e-5, 1e5));
  for (const double size : {1e-6, 0.002, 1.7, 300.0, 1e5}) CHECK(fits(stepFor(size), size));
}

}  // namespace length_scale_tests
