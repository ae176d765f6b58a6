#include <catch2/catch.hpp>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/predicates.h>
#include <fitup/geometry/segment_crossing.h>

#include "support/placements.h"

namespace segment_crossing_tests {

using namespace fitup;

namespace {

/// Returns the crossing by its definition: something is met if the exact test of triangles says so; it is
/// through the inside of both if all orientations say so.
SegmentCrossing byDefinition(const Vec3& from, const Vec3& to, const Triangle& t) {
  if (intersectTriangleTriangle(t, {{from, from, from}})) return SegmentCrossing::startsOn;
  if (!intersectTriangleTriangle(t, {{from, to, to}})) return SegmentCrossing::none;
  const auto& [a, b, c] = t.v;
  const int start = orient3d(a, b, c, from), first = orient3d(from, to, a, b);
  const bool through = start * orient3d(a, b, c, to) < 0 && first != 0 && first == orient3d(from, to, b, c) &&
                       first == orient3d(from, to, c, a);
  if (!through) return SegmentCrossing::degenerate;
  return start > 0 ? SegmentCrossing::out : SegmentCrossing::in;
}

}  // namespace

TEST_CASE("segments between points of a lattice cross triangles as defined", "[geometry]") {
  test::Random random(5);
  std::array<std::size_t, 5> seen{};
  for (int scale = 0; scale < 2; ++scale)
    for (int i = 0; i < 60'000; ++i) {
      // A small lattice, so that most cases are degenerate; the other lattice is tilted and not parallel to
      // the axes.
      const auto point = [&] {
        const Vec3 p{double(random.below(4)), double(random.below(4)), double(random.below(3))};
        return scale == 0 ? p : Vec3{p.x + 0.1 * p.z, p.y - 0.3 * p.z, p.z + 0.7 * p.x};
      };
      const Triangle t{{point(), point(), point()}};
      const Vec3 from = point(), to = point();
      const SegmentCrossing crossing = crossSegmentTriangle(from, to, t);
      ++seen[static_cast<std::size_t>(crossing)];
      if (crossing != byDefinition(from, to, t)) FAIL_CHECK("case " << scale << ", " << i);
    }
  for (const std::size_t count : seen) CHECK(count > 500);
}

}  // namespace segment_crossing_tests
