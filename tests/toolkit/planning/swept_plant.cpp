#include <catch2/catch.hpp>

#include <fitup/base/parallel.h>
#include <fitup/planning/swept_volume.h>

#include <models/process_plant.h>

#include "support/effort.h"
#include "toolkit/planning/swept_checks.h"

namespace swept_plant_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("the envelope of the plant's spool holds the spool at every time", "[planning][sweep][large]") {
  const Scene scene(models::makeProcessPlant());
  const Track track = models::makeSpoolTrack(scene.assembly());
  SweptVolumeOptions options;
  options.threads = allCores;
  if (effort(true, false)) options.accuracy = 40;  // the default is 1/200 of the spool's size
  const SweptVolume result = sweptVolume(scene, track, options);
  REQUIRE(result.outer);
  CHECK(result.accuracy <= result.asked);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(countOutside(scene, track, envelope, effort(2000, 10'000), 11) == 0);

  // Steps are at most 35 mm or 3.3 degrees long, and the spool is smaller than 1.5 m; a sample of a step may
  // be half a sample's way off.
  PosedDistance posed(scene, track);
  std::mt19937_64 random(12);
  const int samples = effort(4, 16);
  for (int i = 0; i < effort(50, 500); ++i) {
    const double d = posed.least(surfacePoint(*result.outer, random), samples);
    CHECK(d > 0);
    CHECK(d <= result.accuracy + 0.5 * (35 + 1500 * 3.3 * 3.1416 / 180) / samples);
  }
}

}  // namespace swept_plant_tests
