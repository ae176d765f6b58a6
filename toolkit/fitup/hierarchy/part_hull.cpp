#include <fitup/hierarchy/part_hull.h>

// Targets as in wide_distance.cpp.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/part_hull.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fitup {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Numbers = hn::RebindToUnsigned<Lanes>;

/// The distances of corners along a direction.
class Reaches {
 public:
  Reaches(const PartHull& hull, const std::array<float, 3>& direction)
      : rows_{hull.row(0), hull.row(1), hull.row(2)},
        x_(hn::Set(Lanes(), direction[0])),
        y_(hn::Set(Lanes(), direction[1])),
        z_(hn::Set(Lanes(), direction[2])) {}
  HWY_INLINE hn::Vec<Lanes> at(std::size_t i) const {
    const Lanes f;
    return hn::MulAdd(hn::LoadU(f, rows_[0] + i), x_,
                      hn::MulAdd(hn::LoadU(f, rows_[1] + i), y_, hn::Mul(hn::LoadU(f, rows_[2] + i), z_)));
  }

 private:
  const float* rows_[3];
  hn::Vec<Lanes> x_, y_, z_;
};

// Two chains of maxima, because each maximum of a single chain would wait for the one before.

float reach(const PartHull& hull, const std::array<float, 3>& direction) {
  const std::size_t lanes = hn::Lanes(Lanes());
  const Reaches reaches(hull, direction);
  auto most = reaches.at(0), mostNext = reaches.at(lanes);
  for (std::size_t i = 2 * lanes; i < hull.size(); i += 2 * lanes) {
    most = hn::Max(most, reaches.at(i));
    mostNext = hn::Max(mostNext, reaches.at(i + lanes));
  }
  return hn::GetLane(hn::MaxOfLanes(Lanes(), hn::Max(most, mostNext)));
}

PartHull::Farthest farthest(const PartHull& hull, const std::array<float, 3>& direction) {
  const Lanes f;
  const Numbers u;
  const std::size_t lanes = hn::Lanes(f);
  const Reaches reaches(hull, direction);
  auto most = reaches.at(0), mostNext = reaches.at(lanes);
  const auto further = hn::Set(u, static_cast<std::uint32_t>(lanes));
  auto at = hn::Iota(u, 0U), atNext = hn::Add(at, further), now = atNext;
  const auto take = [&](hn::Vec<Lanes>& best, hn::Vec<Numbers>& where, std::size_t i) HWY_ATTR {
    const auto here = reaches.at(i);
    now = hn::Add(now, further);
    where = hn::IfThenElse(hn::RebindMask(u, hn::Gt(here, best)), now, where);
    best = hn::Max(best, here);
  };
  for (std::size_t i = 2 * lanes; i < hull.size(); i += 2 * lanes) {
    take(most, at, i);
    take(mostNext, atNext, i + lanes);
  }
  at = hn::IfThenElse(hn::RebindMask(u, hn::Gt(mostNext, most)), atNext, at);
  most = hn::Max(most, mostNext);
  const auto all = hn::MaxOfLanes(f, most);
  HWY_ALIGN std::uint32_t corners[16];
  hn::Store(at, u, corners);
  const auto lane = hn::FindFirstTrue(f, hn::Eq(most, all));
  // A direction with a NaN has no farthest corner.
  return {hn::GetLane(all), corners[lane < 0 ? 0 : lane]};
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/convex_hull.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/part_box.h>

namespace fitup {
namespace {

HWY_EXPORT(reach);
HWY_EXPORT(farthest);

/// Number of lanes of two chains of vectors on any target.
constexpr std::size_t fullVectors = 32;

PartHull::Farthest farthestScalar(const PartHull& hull, const std::array<float, 3>& direction) noexcept {
  PartHull::Farthest best{0, 0};
  for (std::uint32_t i = 0; i < hull.size(); ++i) {
    const float reach =
        hull.row(0)[i] * direction[0] + hull.row(1)[i] * direction[1] + hull.row(2)[i] * direction[2];
    if (i == 0 || reach > best.reach) best = {reach, i};
  }
  return best;
}

/// Returns the corners of boxes that contain the whole part. Boxes are opened from the root down, level by
/// level, as long as there are few.
std::vector<Vec3> cornersOfBoxes(const TriangleMesh& mesh, const WideBvh& tree) {
  struct Box {
    std::uint32_t node, child;
  };
  const auto childOf = [&](const Box& box) {
    return tree.layout == WideLayout::fast ? tree.nodes[box.node].child[box.child]
                                           : tree.compactNodes[box.node].child[box.child];
  };
  std::vector<Box> opened{{0, 0}}, boxes;
  std::size_t next = 0;
  while (next < opened.size() && opened.size() - next + boxes.size() + 8 <= tuning::hullBoxes) {
    const Box box = opened[next++];
    const WideChild child = childOf(box);
    if (child.isLeaf()) {
      boxes.push_back(box);
      continue;
    }
    detail::openWideNode(tree, child.node(),
                         [&](const auto&, const auto&, const auto&, const auto&, auto count) {
                           for (std::uint32_t k = 0; k < count; ++k) opened.push_back({child.node(), k});
                         });
  }
  boxes.insert(boxes.end(), opened.begin() + static_cast<std::ptrdiff_t>(next), opened.end());
  const Aabb& bounds = mesh.bounds();
  const double magnitude = norm(bounds.centre()) + norm(bounds.halfExtent());
  const double grown =
      detail::wideBoxSlack(magnitude, tree.layout) + 4 * detail::wideFrameStretch * magnitude;
  std::vector<Vec3> corners;
  for (const Box& box : boxes)
    detail::openWideNode(
        tree, box.node, [&](const WideFrame& frame, const auto& centre, const auto& half, const auto&, auto) {
          for (unsigned corner = 0; corner < 8; ++corner) {
            Vec3 p;
            for (int axis = 0; axis < 3; ++axis) {
              const auto row = static_cast<std::size_t>(axis);
              const double side = half[row][box.child] + grown;
              p[axis] = centre[row][box.child] + ((corner >> axis & 1U) != 0 ? side : -side);
            }
            corners.push_back(detail::outOfAxes(frame, p));
          }
        });
  return corners;
}

/// Moves points by up to half of `by` along each axis, in the same way on every machine. For many points in
/// one plane, Qhull takes a time that grows with the square of their number.
std::vector<Vec3> jittered(const std::vector<Vec3>& points, double by) {
  std::vector<Vec3> moved = points;
  std::minstd_rand random;
  const double unit = by / (double(std::minstd_rand::max()) - double(std::minstd_rand::min()));
  for (Vec3& p : moved)
    for (int axis = 0; axis < 3; ++axis)
      p[axis] += unit * (double(random()) - double(std::minstd_rand::min())) - 0.5 * by;
  return moved;
}

/// Corners of the hull of some points of about unit size, and a bound on how far points lie beyond it along a
/// direction of unit length.
struct Corners {
  std::vector<Vec3> points;
  double slack = 0;
};

/// Returns no corners if the points do not span three dimensions, or hardly do.
Corners cornersOf(const std::vector<Vec3>& points) {
  // Points are within `jitter` of where Qhull sees them, and so are corners: twice that.
  constexpr double jitter = 0x1p-26, mostBeyond = 0x1p-24;
  detail::ConvexHull hull;
  hull.of(jittered(points, jitter));
  Corners corners;
  if (!(hull.slack() < mostBeyond)) return corners;
  for (const std::uint32_t i : hull.corners()) corners.points.push_back(points[i]);
  corners.slack = hull.slack() + 2 * jitter;
  return corners;
}

}  // namespace

PartHull PartHull::of(const TriangleMesh& mesh, const WideBvh& tree) {
  PartHull hull;
  if (mesh.bounds().empty()) return hull;
  const Vec3 centre = mesh.bounds().centre(), extent = mesh.bounds().halfExtent();
  const double size = std::max({extent.x, extent.y, extent.z});
  if (!(size > 0x1p-60 && size < 0x1p60)) return hull;
  // A power of two, so that corners scale back exactly.
  const int exponent = std::ilogb(size);
  const auto cornersAround = [&](std::vector<Vec3> points) {
    for (Vec3& p : points) p = (p - centre) * std::ldexp(1.0, -exponent);
    return cornersOf(points);
  };
  Corners corners;
  const bool isSmall = mesh.points().size() <= mostPoints;
  if (isSmall) {
    std::vector<Vec3> points;
    for (const Point3f& p : mesh.points()) points.push_back(toVec3(p));
    corners = cornersAround(std::move(points));
  }
  if (!isSmall || corners.points.size() > mostCorners) corners = cornersAround(cornersOfBoxes(mesh, tree));
  std::vector<Vec3>& points = corners.points;
  if (points.empty()) return hull;
  while (points.size() % fullVectors != 0) points.push_back(points.front());

  hull.size_ = points.size();
  hull.rows_.resize(3 * hull.size_);
  Vec3 reach;
  for (std::size_t i = 0; i < hull.size_; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double v = std::ldexp(points[i][axis], exponent);
      hull.rows_[static_cast<std::size_t>(axis) * hull.size_ + i] = static_cast<float>(v);
      reach[axis] = std::max(reach[axis], std::abs(v));
    }
  // Corners and directions are rounded, u = 2^-24 each, and so are three products and two sums. This is at
  // most 5 u of |x| + |y| + |z| if the coordinates of the direction are at most one.
  hull.slack_ = 0x1p-21 * (reach.x + reach.y + reach.z) + 2 * std::ldexp(corners.slack, exponent);
  return hull;
}

float PartHull::reach(const std::array<float, 3>& direction) const noexcept {
  return HWY_DYNAMIC_DISPATCH(reach)(*this, direction);
}

PartHull::Farthest PartHull::farthest(const std::array<float, 3>& direction,
                                      VectorUse vectorUse) const noexcept {
  if (vectorUse == VectorUse::scalar) return farthestScalar(*this, direction);
  return HWY_DYNAMIC_DISPATCH(farthest)(*this, direction);
}

}  // namespace fitup
#endif
