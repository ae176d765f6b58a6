#include <fitup/query/detail/hull_separation.h>

#include <algorithm>
#include <array>
#include <limits>

#include <fitup/base/tuning-inl.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/detail/two_placed_boxes.h>

namespace fitup::detail {
namespace {

/// Returns a vector of unit length up to rounding, but never longer (see `TwoPlacedBoxes::areApart`). Returns
/// nothing for zero.
std::optional<Vec3> unit(const Vec3& v) {
  const double length = norm(v);
  if (!(length > 0x1p-200 && length < 0x1p200)) return std::nullopt;
  return v * ((1 - 0x1p-48) / length);
}
std::array<float, 3> floatsOf(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Up to four points, and their convex hull's point nearest to the origin.
class Simplex {
 public:
  void add(const Vec3& p) { points_[count_++] = p; }
  /// Returns the nearest point. Of four points, keeps the three whose triangle contains it. Returns nothing
  /// if the origin lies between four points.
  std::optional<Vec3> nearest() {
    if (count_ == 1) return points_[0];
    if (count_ == 2) return closestPointOnSegment({}, points_[0], points_[1]);
    if (count_ == 3) return nearestOn({{points_[0], points_[1], points_[2]}});
    double least = std::numeric_limits<double>::infinity();
    Vec3 best;
    std::size_t without = 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 &a = points_[(i + 1) % 4], &b = points_[(i + 2) % 4], &c = points_[(i + 3) % 4];
      const Vec3 normal = cross(b - a, c - a);
      // If the origin is on the same side as the fourth point, it is nearer to another face, or inside.
      if (dot(normal, points_[i] - a) * -dot(normal, a) > 0) continue;
      const Vec3 nearest = nearestOn({{a, b, c}});
      if (!(dot(nearest, nearest) < least)) continue;
      least = dot(nearest, nearest);
      best = nearest;
      without = i;
    }
    if (without == 4) return std::nullopt;
    points_[without] = points_[3];
    count_ = 3;
    return best;
  }

 private:
  static Vec3 nearestOn(const Triangle& t) { return distancePointTriangle({}, t).onB; }

  std::array<Vec3, 4> points_;
  std::size_t count_ = 0;
};

}  // namespace

bool HullSeparation::areApart(const PosedModel& first, const PosedModel& second, unsigned directions) {
  const PartHull& a = first.model->hull();
  if (a.empty()) return holds_ = false;
  const PartHull& b = second.model->hull();
  if (b.empty()) return holds_ = false;
  if (holds_) {
    const TwoPlacedBoxes boxes(first, second);
    const TwoPlacedBoxes::Direction along = boxes.along(*direction_);
    const double reachA = a.reach(floatsOf(along.inFirst)) + a.slack(),
                 reachB = b.reach(floatsOf(-along.inSecond)) + b.slack();
    if (boxes.areApart(along, reachA, reachB)) return true;
  }
  return holds_ = seek(first, second, directions);
}

bool HullSeparation::seek(const PosedModel& first, const PosedModel& second, unsigned directions) {
  const PartHull &a = first.model->hull(), &b = second.model->hull();
  const auto placed = [](const PosedModel& part, const Vec3& corner) {
    return part.worldFromPart.apply(part.model->box().centre + corner);
  };
  const TwoPlacedBoxes boxes(first, second);
  if (!direction_) direction_ = unit(placed(second, {}) - placed(first, {}));
  std::optional<Vec3> d = direction_;
  double best = -std::numeric_limits<double>::infinity();
  Simplex differences;
  for (unsigned k = 0; d && k < directions; ++k) {
    TwoPlacedBoxes::Direction along = boxes.along(*d);
    // The arguments may have been exchanged.
    if (k == 0 && along.between < 0) {
      d = -*d;
      along = boxes.along(*d);
    }
    const PartHull::Farthest atA = a.farthest(floatsOf(along.inFirst)),
                             atB = b.farthest(floatsOf(-along.inSecond));
    const double gap = along.between - atA.reach - atB.reach;
    if (gap > best) {
      best = gap;
      direction_ = d;
    }
    if (boxes.areApart(along, atA.reach + a.slack(), atB.reach + b.slack())) {
      direction_ = d;
      missStreak_ = 0;
      return true;
    }
    const Vec3 difference = placed(second, b.corner(atB.corner)) - placed(first, a.corner(atA.corner));
    differences.add(difference);
    if (k == 0) {
      const std::optional<Vec3> across = unit(difference);
      if (across) d = unit(*d - *across * (2 * dot(*d, *across)));
      continue;
    }
    const std::optional<Vec3> nearest = differences.nearest();
    if (!nearest) {
      restAWhile();
      return false;
    }
    d = unit(*nearest);
  }
  missStreak_ = 0;
  return false;
}

void HullSeparation::restAWhile() noexcept {
  missStreak_ = std::min(missStreak_ + 1, tuning::mostRestDoublings);
  restUntil_ = question_ + (std::uint64_t{tuning::restOfHulls} << missStreak_);
}

}  // namespace fitup::detail
