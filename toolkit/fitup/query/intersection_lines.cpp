#include <fitup/query/intersection_lines.h>

#include <algorithm>
#include <cmath>

#include <fitup/query/pair_frame.h>

namespace fitup {

std::vector<IntersectionLine> intersectionLines(const PosedModel& first, const PosedModel& second,
                                                const IntersectionReport& report) {
  const PairFrame frame = PairFrame::of(first, second);
  const PosedModel& a = frame.swapped ? second : first;
  const PosedModel& b = frame.swapped ? first : second;
  const Vec3& origin = a.model->mesh().origin();
  const Transform& world = a.worldFromPart;

  std::vector<IntersectionLine> lines;
  lines.reserve(report.trianglePairs.size());
  for (const TrianglePair& pair : report.trianglePairs) {
    const Triangle inA = a.model->mesh().triangle(frame.swapped ? pair.b : pair.a);
    const Triangle inB = b.model->mesh().triangle(frame.swapped ? pair.a : pair.b);
    IntersectionLine line{pair, triangleIntersection(inA, frame.placement.placed(inB))};
    // The bound in A's frame, scaled by the placement, plus six roundings of origin + p and of the placement.
    double bound = 0;
    for (std::size_t k = 0; k < line.common.count; ++k) {
      const Vec3 p = line.common.points[k];
      for (std::size_t i = 0; i < 3; ++i) {
        double stretch = 0, magnitude = std::abs(world.t[static_cast<int>(i)]);
        for (std::size_t j = 0; j < 3; ++j) {
          const int axis = static_cast<int>(j);
          stretch += std::abs(world.m[i][j]);
          magnitude += std::abs(world.m[i][j]) * (std::abs(origin[axis]) + std::abs(p[axis]));
        }
        bound = std::max(bound, stretch * line.common.errorBound + 0x1p-50 * magnitude);
      }
      line.common.points[k] = world.apply(origin + p);
    }
    line.common.errorBound = bound;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace fitup
