#include <fitup/query/detail/pair_preparation.h>

// More instruction sets would not improve on four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/pair_vectors-inl.h"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/query/detail/pair_vectors-inl.h>

namespace fitup {
namespace detail {
namespace {

HWY_EXPORT(place);
HWY_EXPORT(placeOrthogonally);
HWY_EXPORT(isSeparatingAxis);
HWY_EXPORT(areSeparatedAlongCentres);

// ---- boxes ----

/// Returns the axes as rows.
Axes axesOf(const Transform& f) { return {rowOf(f, 0), rowOf(f, 1), rowOf(f, 2)}; }

/// Returns true if the axes are orthonormal enough for the test: off by less than 2^-20 in each square and
/// product of neighbours. Returns false if an entry is NaN.
bool areOrthonormal(const Axes& a) {
  const Float4 squares = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const Float4 products = a[0] * yzx(a[0]) + a[1] * yzx(a[1]) + a[2] * yzx(a[2]);
  const Float4 most = broadcast(0x1p-20F);
  return threeBits((magnitude(squares - broadcast(1)) < most) & (magnitude(products) < most)) == 7U;
}

/// Computes in 32 bits from the world, so B need not be placed in A. Returns nothing if the axes are not
/// orthonormal.
std::optional<SeparatingAxes> axesBetween(const PosedModel& first, const PosedModel& second) noexcept {
  const PartBox &a = first.model->box(), &b = second.model->box();
  if (a.empty || b.empty) return std::nullopt;
  const Transform &fa = first.worldFromPart, &fb = second.worldFromPart;
  const Vec3 between = fb.apply(b.centre) - fa.apply(a.centre);
  const double magnitude = magnitudeOf(first) + magnitudeOf(second);
  if (!(magnitude < 0x1p60)) return std::nullopt;
  const Axes axesA = axesOf(fa), axesB = axesOf(fb), ofB = transposed(axesB);
  if (!areOrthonormal(axesA) || !areOrthonormal(axesB)) return std::nullopt;
  return SeparatingAxes{
      __builtin_bit_cast(Float4, a.half),
      __builtin_bit_cast(Float4, b.half),
      {combined(axesA, ofB[0]), combined(axesA, ofB[1]), combined(axesA, ofB[2])},
      combined(axesA, floats(between)),
      SeparatingAxes::slackOf(a.halfSum + b.halfSum + sumOfMagnitudes(between), magnitude, false)};
}

/// The test of `SeparatingAxes` in double precision, for boxes whose separation 32 bits leave open: plates
/// that are apart by a millionth of their size. The boxes are those of local coordinates.
///
/// *Bound.* The columns of the placement are used as they are, so that nothing is assumed of them. Along a
/// direction d, everything is a sum of fewer than 16 products of terms that the magnitude of the placed
/// coordinates bounds, and the coordinates of placed points are off by 2^-50 of it: 2^-44 is more.
[[gnu::noinline]] bool boxesApartInDoubles(const Aabb& boundsA, const Aabb& boundsB, const Transform& aFromB) {
  const Vec3 halfA = boundsA.halfExtent(), halfB = boundsB.halfExtent(), centreB = boundsB.centre(),
             centreA = boundsA.centre();
  const Vec3 between = aFromB.apply(centreB) - centreA;
  const auto& m = aFromB.m;
  const std::array<Vec3, 3> columns{
      Vec3{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}};
  double size = sumOfMagnitudes(aFromB.t) + sumOfMagnitudes(centreA) + sumOfMagnitudes(halfA);
  for (int i = 0; i < 3; ++i)
    size += sumOfMagnitudes(columns[static_cast<std::size_t>(i)]) * (std::abs(centreB[i]) + halfB[i]);
  const auto isApartAlong = [&](const Vec3& d) {
    double reach = 0x1p-44 * size * sumOfMagnitudes(d);
    for (int i = 0; i < 3; ++i)
      reach += std::abs(d[i]) * halfA[i] + std::abs(dot(d, columns[static_cast<std::size_t>(i)])) * halfB[i];
    return std::abs(dot(d, between)) > reach;
  };
  const std::array<Vec3, 3> axes{Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vec3& d : axes)
    if (isApartAlong(d)) return true;
  for (const Vec3& d : columns)
    if (isApartAlong(d)) return true;
  for (const Vec3& one : axes)
    for (const Vec3& other : columns)
      if (isApartAlong(cross(one, other))) return true;
  return false;
}

// ---- roles and placement ----

/// Returns true if `first` plays B.
bool firstPlaysB(const PosedModel& first, const PosedModel& second) {
  requireModels(first, second);
  const TriangleMesh &a = first.model->mesh(), &b = second.model->mesh();
  if (a.triangleCount() != b.triangleCount()) return a.triangleCount() < b.triangleCount();
  if (a.contentHash() != b.contentHash()) return a.contentHash() < b.contentHash();
  const Transform &fa = first.worldFromPart, &fb = second.worldFromPart;
  const std::array ta{fa.t.x, fa.t.y, fa.t.z}, tb{fb.t.x, fb.t.y, fb.t.z};
  if (fa.m != fb.m) return fa.m < fb.m;
  if (ta != tb) return ta < tb;
  // One mesh at one place, but perhaps with other hierarchies: otherwise witnesses would depend on the order
  // of the arguments.
  return first.model->hierarchyBytes() < second.model->hierarchyBytes();
}

void requirePlacement(const PosedModel& posed) {
  try {
    (void)posed.worldFromPart.inverse();
  } catch (const PlacementError& error) {
    throw PlacementError("part '" + posed.model->mesh().name() + "': " + error.what());
  }
}

double intoRange(double value, double smallest, double largest, const char* what) {
  const double magnitude = std::abs(value);
  if (!(magnitude <= largest)) [[unlikely]]
    throw RangeError(std::string("relative placement: ") + what + " too large");
  return magnitude < smallest ? 0.0 : value;
}

/// Local coordinates: a point of the part is origin + local.
Transform placedPlainly(const PosedModel& a, const PosedModel& b) {
  Transform r;
  const Vec3 &originA = a.model->mesh().origin(), &originB = b.model->mesh().origin();
  if (a.worldFromPart == b.worldFromPart) {
    requirePlacement(a);
    r.t = originB - originA;  // exactly the identity if the models agree too
  } else {
    r = a.worldFromPart.inverse() * b.worldFromPart;
    r.t = r.apply(originB) - originA;
  }
  for (auto& row : r.m)
    for (double& v : row) v = intoRange(v, limits::smallest, limits::largest, "scale");
  for (int i = 0; i < 3; ++i)
    r.t[i] = intoRange(r.t[i], limits::smallestTranslation, limits::largestTranslation, "distance");
  return r;
}

/// Runs `work`. If a placement is unusable, the error names its part. This is found out only after an error,
/// because these inverses cost as much as a query of separated parts.
template <typename Work>
auto namingParts(const PosedModel& first, const PosedModel& second, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    requirePlacement(first);
    requirePlacement(second);
    if (dynamic_cast<const PlacementError*>(&error) == nullptr) throw;
    throw PlacementError("parts '" + first.model->mesh().name() + "' and '" + second.model->mesh().name() +
                         "', relative placement: " + error.what());
  }
}

std::optional<PairRoles> rolesOf(const PosedModel& first, const PosedModel& second, bool unlessApart) {
  PairRoles roles;
  roles.swapped = firstPlaysB(first, second);
  const PosedModel &a = roles.swapped ? second : first, &b = roles.swapped ? first : second;
  switch (HWY_DYNAMIC_DISPATCH(place)(a, b, unlessApart, roles.aFromB)) {
    case BoxTestResult::close:
      if (boxesApartInDoubles(a.model->mesh().bounds(), b.model->mesh().bounds(), roles.aFromB))
        return std::nullopt;
      return roles;
    case BoxTestResult::placed:
      return roles;
    case BoxTestResult::apart:
      return std::nullopt;
    case BoxTestResult::unknown:
      break;
  }
  if (unlessApart && boxesApartAlongAxes(a, b)) return std::nullopt;
  roles.aFromB = namingParts(first, second, [&] { return placedPlainly(a, b); });
  return roles;
}

}  // namespace

double magnitudeOf(const PosedModel& posed) noexcept {
  const PartBox& box = posed.model->box();
  return box.magnitude + sumOfMagnitudes(posed.worldFromPart.t) + box.halfSum;
}

bool boxesApartAlongAxes(const PosedModel& first, const PosedModel& second) noexcept {
  const std::optional<SeparatingAxes> axes = axesBetween(first, second);
  return axes && axes->areApart();
}

bool areSeparatedAlongCentres(const PosedModel& first, const PosedModel& second) noexcept {
  return HWY_DYNAMIC_DISPATCH(areSeparatedAlongCentres)(first, second);
}

std::optional<Vec3> findSeparatingAxis(const PosedModel& first, const PosedModel& second) noexcept {
  const std::optional<SeparatingAxes> axes = axesBetween(first, second);
  if (!axes) return std::nullopt;
  // Starts with the connection of the centres and takes an axis instead if the gap along it is larger.
  const Float4 distance = firstThree(axes->distance);
  const float length = std::sqrt(sumOf(distance * distance));
  float most = axes->beyondAlongCentres() / length;
  Float4 best = distance / length;
  if (!(most > 0)) most = 0;
  (void)axes->untilEnough([&](Float4 distances, Float4 reaches, int group) {
    const Float4 apart = distances - reaches;
    for (int lane = 0; lane < 3; ++lane)
      if (apart[lane] > most) {
        most = apart[lane];
        best = axes->axis(group, lane);
      }
    return false;
  });
  if (!(most > 0)) return std::nullopt;
  return first.worldFromPart.applyToVector({double{best[0]}, double{best[1]}, double{best[2]}});
}

bool isSeparatingAxis(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(isSeparatingAxis)(first, second, direction);
}

PairRoles PairRoles::of(const PosedModel& first, const PosedModel& second) {
  return *rolesOf(first, second, false);
}

std::optional<PairRoles> PairRoles::ifBoxesOverlap(const PosedModel& first, const PosedModel& second) {
  return rolesOf(first, second, true);
}

PairPlacement placementOf(const Transform& aFromB, const Aabb& boundsInB) {
  PairPlacement placement;
  placement.aFromB = aFromB;
  if (HWY_DYNAMIC_DISPATCH(placeOrthogonally)(boundsInB, placement)) return placement;
  return PairPlacement::of(aFromB, boundsInB);
}

PairFrame frameOf(const PosedModel& first, const PosedModel& second, const PairRoles& roles) {
  const PosedModel& b = roles.swapped ? first : second;
  return namingParts(first, second, [&] {
    return PairFrame{roles.swapped, placementOf(roles.aFromB, b.model->mesh().bounds())};
  });
}

}  // namespace detail

PairFrame PairFrame::of(const PosedModel& first, const PosedModel& second) {
  return detail::frameOf(first, second, detail::PairRoles::of(first, second));
}

}  // namespace fitup
