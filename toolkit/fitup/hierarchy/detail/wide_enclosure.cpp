#include <fitup/hierarchy/detail/wide_enclosure.h>

// Targets as in wide_distance.cpp.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/wide_enclosure.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include <fitup/geometry/aabb.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vec = hn::Vec<Lanes>;

// Loops over eight children, which compilers vectorise.

/// *Rounding*, with u = 2^-24 and R the largest coordinate. F p in floats takes at most five roundings of
/// sums and products that are at most sqrt(3) sqrt(3) R, together 5.2 u R: 8 u R is subtracted from the sides
/// of a rotated box. Builds leave at least 15 u R beyond the result of these same sums (wide_fit.cpp).
///
/// Small rotated boxes are tested relative to a point near their centre. With H the length of the half
/// extents, corners in the box are at most (1 + 2^-20) H from it; those that are farther by more than their
/// rounding are outside along some axis. The difference is rounded, 3 u H, and the sums as above: 9 u H is
/// subtracted. Boxes around corners within `localBoxShare` of R have H below R / 5 (H <= 3 times the largest
/// distance of two corners along an axis of the model), and builds grow them by 128 u of that distance, of
/// which they need 13: more than twice 9 u H. Other boxes are grown by at least 16 u R, of which they need 9:
/// more than twice 9 u R / 5.
///
/// Cylinders are computed as in fitting (`fitChild` of wide_cylinders.cpp), within 67 u R: 72 u R is
/// subtracted, and builds leave 128 u R.
constexpr double ofTurned = 0x1p-21, ofSmall = 0x1.2p-21, smallShare = 0.2, ofCylinder = 0x1.2p-18;

/// The sides of eight boxes along an axis.
struct Sides {
  std::array<double, 8> from, to;
};

HWY_INLINE Sides sidesOf(const std::array<float, 8>& centre, const std::array<float, 8>& half, double lowest,
                         double highest, float limit, std::array<std::uint32_t, 8>& odd) {
  Sides sides;
  for (std::size_t k = 0; k < 8; ++k) {
    const double from = double(centre[k]) - half[k], to = double(centre[k]) + half[k];
    sides.from[k] = from > lowest ? from : lowest;
    sides.to[k] = to < highest ? to : highest;
    odd[k] |= static_cast<std::uint32_t>(!(std::abs(centre[k]) + half[k] <= limit));
  }
  return sides;
}

HWY_INLINE Sides sidesOf(const CompactWideNode& node, std::size_t axis, double lowest, double highest) {
  const double scale = compactScale(node.head.half[axis]);
  Sides sides;
  for (std::size_t k = 0; k < 8; ++k) {
    const double to = lowest + scale * node.high[axis][k];
    sides.from[k] = lowest + scale * node.low[axis][k];
    sides.to[k] = to < highest ? to : highest;
  }
  return sides;
}

/// Chooses the points from which boxes are tested, and reduces their sides by the rounding.
HWY_INLINE void setSides(const std::array<Sides, 3>& sides, const MeshReach& reach, ChildVolumes& out) {
  for (std::size_t k = 0; k < 8; ++k) {
    double margin = 0;
    std::array<double, 3> base{};
    if (out.turned) {
      std::array<double, 3> centre;
      double square = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        centre[i] = 0.5 * (sides[i].from[k] + sides[i].to[k]);
        const double half = 0.5 * (sides[i].to[k] - sides[i].from[k]);
        square += half * half;
      }
      const double size = std::sqrt(square);
      const bool isSmall = size < smallShare * reach.largest;
      margin = isSmall ? ofSmall * size : ofTurned * reach.largest;
      for (std::size_t i = 0; i < 3; ++i) {
        const auto& c = out.columns[i];
        const auto at = static_cast<float>(c[0] * centre[0] + c[1] * centre[1] + c[2] * centre[2]);
        out.origin[i][k] = isSmall ? at : 0;
        for (std::size_t axis = 0; axis < 3; ++axis) base[axis] += double{c[axis]} * out.origin[i][k];
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out.low[axis][k] = floatAbove(sides[axis].from[k] - base[axis] + margin);
      out.high[axis][k] = -floatAbove(margin - (sides[axis].to[k] - base[axis]));
    }
  }
}

HWY_INLINE void setCylinders(const WideNode& node, const WideCylinders& c, const MeshReach& reach,
                             ChildVolumes& out, std::array<std::uint32_t, 8>& odd) {
  const double margin = ofCylinder * reach.largest, unit = reach.unit;
  const float limit = 3 * reach.limit;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& column = out.columns[axis];
    for (std::size_t k = 0; k < 8; ++k) {
      out.axis[axis][k] = column[0] * c.axis[0][k] + column[1] * c.axis[1][k] + column[2] * c.axis[2][k];
      out.centre[axis][k] =
          (column[0] * node.centre[0][k] + column[1] * node.centre[1][k] + column[2] * node.centre[2][k]) *
          reach.unit;
    }
  }
  for (std::size_t k = 0; k < 8; ++k) {
    const double squared = double(c.axis[0][k]) * c.axis[0][k] + double(c.axis[1][k]) * c.axis[1][k] +
                           double(c.axis[2][k]) * c.axis[2][k];
    const double middle = c.shift[k] * squared, radius = (c.radius[k] - margin) * unit;
    out.lowAlong[k] = static_cast<float>((middle - c.half[k] + margin) * unit);
    out.highAlong[k] = static_cast<float>((middle + c.half[k] - margin) * unit);
    out.acrossSquared[k] = static_cast<float>(radius * radius);
    odd[k] |= static_cast<std::uint32_t>(!(std::abs(squared - 1) <= 0x1p-20)) |
              static_cast<std::uint32_t>(!(std::abs(c.shift[k]) <= limit)) |
              static_cast<std::uint32_t>(!(c.half[k] <= limit)) |
              static_cast<std::uint32_t>(!(c.radius[k] <= limit)) |
              static_cast<std::uint32_t>(!(radius >= 0));
  }
}

void setVolumes(const WideBvh& tree, std::uint32_t n, const MeshReach& reach, ChildVolumes& out) {
  const bool fast = tree.layout == WideLayout::fast;
  const WideNodeHead& head = fast ? tree.nodes[n].head : tree.compactNodes[n].head;
  const WideFrame& frame = tree.frames[head.frame];
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t k = 0; k < 3; ++k) out.columns[axis][k] = frame.columns[axis][k];
  out.turned = head.frame != 0;
  out.haveCylinders = fast;
  std::array<Sides, 3> sides;
  std::array<std::uint32_t, 8> odd{};
  std::uint32_t oddHead = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double lowest = double(head.centre[axis]) - head.half[axis],
                 highest = double(head.centre[axis]) + head.half[axis];
    oddHead |= static_cast<std::uint32_t>(!(std::abs(head.centre[axis]) + head.half[axis] <= reach.limit));
    sides[axis] = fast ? sidesOf(tree.nodes[n].centre[axis], tree.nodes[n].half[axis], lowest, highest,
                                 reach.limit, odd)
                       : sidesOf(tree.compactNodes[n], axis, lowest, highest);
  }
  setSides(sides, reach, out);
  if (fast) setCylinders(tree.nodes[n], tree.cylinders[n], reach, out, odd);
  out.odd = 0;
  for (std::uint32_t k = 0; k < 8; ++k) out.odd |= (odd[k] | oddHead) << k;
}

struct Three {
  Vec x, y, z;
};
HWY_INLINE Vec least(const Vec& a, const Vec& b, const Vec& c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE Vec most(const Vec& a, const Vec& b, const Vec& c) { return hn::Max(hn::Max(a, b), c); }

/// Coordinates along a cylinder's axis and, squared, perpendicular to it.
struct InCylinder {
  Vec along, across;
};
HWY_INLINE InCylinder inCylinder(const Three& p, const Three& centre, const Three& axis, const Vec& unit) {
  const Vec x = hn::MulSub(p.x, unit, centre.x), y = hn::MulSub(p.y, unit, centre.y),
            z = hn::MulSub(p.z, unit, centre.z);
  const Vec along = hn::MulAdd(x, axis.x, hn::MulAdd(y, axis.y, hn::Mul(z, axis.z)));
  const Vec u = hn::NegMulAdd(along, axis.x, x), v = hn::NegMulAdd(along, axis.y, y),
            w = hn::NegMulAdd(along, axis.z, z);
  return {along, hn::MulAdd(u, u, hn::MulAdd(v, v, hn::Mul(w, w)))};
}

bool encloses(const ChildVolumes& volumes, std::uint32_t child, const CornerRows& rows, std::size_t begin,
              std::size_t end, float unit) {
  const Lanes f;
  const auto all = [&](float value) HWY_ATTR { return hn::Set(f, value); };
  const auto allOf = [&](const std::array<std::array<float, 8>, 3>& v) HWY_ATTR {
    return Three{all(v[0][child]), all(v[1][child]), all(v[2][child])};
  };
  for (std::size_t i = begin; i < end; i += hn::Lanes(f)) {
    const auto corner = [&](std::size_t c) HWY_ATTR {
      return Three{hn::LoadU(f, rows.row[3 * c] + i), hn::LoadU(f, rows.row[3 * c + 1] + i),
                   hn::LoadU(f, rows.row[3 * c + 2] + i)};
    };
    const Three p = corner(0), q = corner(1), r = corner(2);
    auto outside = hn::FirstN(f, 0);
    const auto compare = [&](const Vec& low, const Vec& high, std::size_t axis) HWY_ATTR {
      outside = hn::Or(outside, hn::Or(hn::Lt(low, all(volumes.low[axis][child])),
                                       hn::Gt(high, all(volumes.high[axis][child]))));
    };
    if (volumes.turned) {
      const Three o = allOf(volumes.origin);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Vec x = all(volumes.columns[0][axis]), y = all(volumes.columns[1][axis]),
                  z = all(volumes.columns[2][axis]);
        const auto along = [&](const Three& v) HWY_ATTR {
          return hn::MulAdd(x, hn::Sub(v.x, o.x),
                            hn::MulAdd(y, hn::Sub(v.y, o.y), hn::Mul(z, hn::Sub(v.z, o.z))));
        };
        const Vec a = along(p), b = along(q), c = along(r);
        compare(least(a, b, c), most(a, b, c), axis);
      }
    } else {
      compare(least(p.x, q.x, r.x), most(p.x, q.x, r.x), 0);
      compare(least(p.y, q.y, r.y), most(p.y, q.y, r.y), 1);
      compare(least(p.z, q.z, r.z), most(p.z, q.z, r.z), 2);
    }
    if (volumes.haveCylinders) {
      const Three centre = allOf(volumes.centre), axis = allOf(volumes.axis);
      const Vec u = all(unit);
      const InCylinder a = inCylinder(p, centre, axis, u), b = inCylinder(q, centre, axis, u),
                       c = inCylinder(r, centre, axis, u);
      outside = hn::Or(outside, hn::Lt(least(a.along, b.along, c.along), all(volumes.lowAlong[child])));
      outside = hn::Or(outside, hn::Gt(most(a.along, b.along, c.along), all(volumes.highAlong[child])));
      outside =
          hn::Or(outside, hn::Gt(most(a.across, b.across, c.across), all(volumes.acrossSquared[child])));
    }
    if (!hn::AllFalse(f, hn::And(outside, hn::FirstN(f, end - i)))) return false;
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace fitup::detail {

HWY_EXPORT(setVolumes);
HWY_EXPORT(encloses);

MeshReach MeshReach::of(const TriangleMesh& mesh) noexcept {
  MeshReach reach;
  const Aabb& b = mesh.bounds();
  if (b.empty()) return reach;
  const auto magnitude = [](float low, float high) {
    return double{std::max(std::abs(low), std::abs(high))};
  };
  const Vec3 farthest{magnitude(b.min.x, b.max.x), magnitude(b.min.y, b.max.y), magnitude(b.min.z, b.max.z)};
  reach.largest = static_cast<float>(std::max({farthest.x, farthest.y, farthest.z}));
  if (reach.largest > 0) reach.unit = static_cast<float>(std::ldexp(1.0, -std::ilogb(double(reach.largest))));
  reach.limit = floatAbove(1.7 * norm(farthest) + 0x1p-140);
  return reach;
}

ChildVolumes volumesOf(const WideBvh& tree, std::uint32_t node, const MeshReach& reach) {
  ChildVolumes volumes;
  HWY_DYNAMIC_DISPATCH(setVolumes)(tree, node, reach, volumes);
  return volumes;
}

bool isSureToEnclose(const ChildVolumes& volumes, std::uint32_t child, const CornerRows& rows,
                     std::size_t begin, std::size_t end, const MeshReach& reach) {
  return (volumes.odd >> child & 1U) == 0 &&
         HWY_DYNAMIC_DISPATCH(encloses)(volumes, child, rows, begin, end, reach.unit);
}

}  // namespace fitup::detail
#endif
