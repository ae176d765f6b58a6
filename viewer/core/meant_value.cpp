#include <viewer/core/meant_value.h>

#include <algorithm>
#include <cmath>

namespace fitup::viewer {
namespace {

Vec3 middle(const Vec3& a, const Vec3& b) { return 0.5 * (a + b); }

/// The point of an axis beside `point`.
Vec3 footOn(const SurfaceDescription& axis, const Vec3& point) {
  return axis.point + dot(point - axis.point, axis.axis) * axis.axis;
}

Vec3 footOnPlane(const SurfaceDescription& plane, const Vec3& point) {
  return point - dot(point - plane.point, plane.axis) * plane.axis;
}

MeantValue meantAs(Meaning meaning, double value, const DistanceError& error) {
  MeantValue meant;
  meant.meaning = meaning;
  meant.value = value;
  meant.error = error;
  return meant;
}

void measureAlong(const Vec3& from, const Vec3& to, MeantValue& meant) {
  meant.lines = {{from, to}};
  meant.ends = {from, to};
  meant.label = middle(from, to);
}

void extend(const Vec3& from, const Vec3& to, MeantValue& meant) {
  if (norm(to - from) > 0) meant.extensions.emplace_back(from, to);
}

MeantValue leastDistanceOf(const MeasuredValue& m) {
  MeantValue meant = meantAs(Meaning::leastDistance, *m.distance, m.distanceError);
  measureAlong(m.firstPoint, m.secondPoint, meant);
  return meant;
}

MeantValue diameterOf(const MeasuredValue& m) {
  const SurfaceDescription& cylinder = *m.firstShape;
  MeantValue meant =
      meantAs(Meaning::diameter, 2 * cylinder.radius, {std::nullopt, 2 * m.firstAccuracy.length});
  const Vec3 foot = footOn(cylinder, m.firstMiddle), aside = m.firstMiddle - foot;
  // The middle of a full cylinder is on its axis, up to rounding: any direction goes across.
  const Vec3 across =
      norm(aside) > 1e-3 * cylinder.radius ? normalized(aside) : orthonormalBasis(cylinder.axis).first;
  measureAlong(foot - across * cylinder.radius, foot + across * cylinder.radius, meant);
  return meant;
}

MeantValue axisDistanceOf(const MeasuredValue& m) {
  MeantValue meant = meantAs(Meaning::axisDistance, *m.shapeDistance, {std::nullopt, m.shapeDistanceError});
  const Vec3 between = middle(m.firstMiddle, m.secondMiddle);
  const Vec3 from = footOn(*m.firstShape, between), to = footOn(*m.secondShape, between);
  measureAlong(from, to, meant);
  extend(from, footOn(*m.firstShape, m.firstMiddle), meant);
  extend(to, footOn(*m.secondShape, m.secondMiddle), meant);
  return meant;
}

MeantValue planeDistanceOf(const MeasuredValue& m) {
  MeantValue meant = meantAs(Meaning::planeDistance, *m.shapeDistance, {std::nullopt, m.shapeDistanceError});
  const Vec3 to = footOnPlane(*m.secondShape, m.firstPoint);
  measureAlong(m.firstPoint, to, meant);
  extend(to, m.secondPoint, meant);
  return meant;
}

/// The arc of the angle about `apex`, from the unit vector `from` towards `towards`.
void drawArc(const Vec3& apex, const Vec3& from, const Vec3& towards, double radius, MeantValue& meant) {
  const Vec3 across = towards - dot(towards, from) * from;
  if (!(norm(across) > 0)) return;
  const Vec3 side = normalized(across);
  const auto at = [&](double angle) {
    return apex + radius * (std::cos(angle) * from + std::sin(angle) * side);
  };
  constexpr int steps = 24;
  for (int i = 0; i < steps; ++i)
    meant.lines.emplace_back(at(meant.value * i / steps), at(meant.value * (i + 1) / steps));
  meant.ends = {at(0), at(meant.value)};
  meant.label = at(meant.value / 2);
}

/// `first` and `second` are unit vectors along the faces, of either sign; the legs lead from the apex towards
/// the middles of the faces. The arc is beside the nearer of these, or as large as a face around the apex.
void drawAngle(const Vec3& apex, const Vec3& first, const Vec3& firstLeg, const Vec3& second,
               const Vec3& secondLeg, double size, MeantValue& meant) {
  const double along = dot(firstLeg, first), other = std::abs(dot(secondLeg, second));
  const Vec3 from = along < 0 ? -first : first;
  // The acute angle, so maybe that to the extension of the second face beyond the apex.
  const Vec3 to = dot(from, second) < 0 ? -second : second;
  std::optional<double> radius;
  for (const double leg : {std::abs(along), other})
    if (leg > 1e-3 * size) radius = std::min(leg, radius.value_or(leg));
  drawArc(apex, from, to, radius.value_or(size / 2), meant);
  for (const Vec3& end : meant.ends) extend(apex, end, meant);
}

MeantValue angleOf(const MeasuredValue& m) {
  MeantValue meant = meantAs(Meaning::angle, *m.angle, {std::nullopt, m.angleError});
  const SurfaceDescription &a = *m.firstShape, &b = *m.secondShape;
  const Vec3 normal = normalized(cross(a.axis, b.axis));
  if (a.kind == SurfaceKind::plane) {
    // The line in which the planes meet, beside the middle of the first face.
    const Vec3 inA = cross(normal, a.axis), inB = cross(normal, b.axis);
    const Vec3 apex = m.firstMiddle + inA * (dot(b.point - m.firstMiddle, b.axis) / dot(inA, b.axis));
    drawAngle(apex, inA, m.firstMiddle - apex, inB, m.secondMiddle - apex, m.firstSize, meant);
    extend(apex, footOnPlane(a, m.firstMiddle), meant);
    extend(apex, footOnPlane(b, m.secondMiddle), meant);
  } else {
    // The feet of the common perpendicular.
    const Vec3 across = cross(b.axis, normal);
    const Vec3 apex = a.point + a.axis * (dot(b.point - a.point, across) / dot(a.axis, across));
    const Vec3 other = apex + normal * dot(b.point - apex, normal);
    const Vec3 firstFoot = footOn(a, m.firstMiddle), secondFoot = footOn(b, m.secondMiddle);
    drawAngle(apex, a.axis, firstFoot - apex, b.axis, secondFoot - other, m.firstSize, meant);
    extend(apex, firstFoot, meant);
    extend(apex, other, meant);
    extend(other, secondFoot, meant);
  }
  return meant;
}

}  // namespace

std::optional<MeantValue> meantValue(const MeasuredValue& m) {
  if (m.isOneFace) {
    if (m.firstShape && m.firstShape->kind == SurfaceKind::cylinder) return diameterOf(m);
    return std::nullopt;
  }
  if (!m.distance) return std::nullopt;
  // The angle of an axis and a plane is hardly ever what is meant.
  if (m.angle && m.firstShape && m.secondShape &&
      (m.firstShape->kind == SurfaceKind::plane) == (m.secondShape->kind == SurfaceKind::plane)) {
    if (*m.angle > parallelWithin) return angleOf(m);
    if (m.shapeDistance) return m.shapes == ShapePair::planes ? planeDistanceOf(m) : axisDistanceOf(m);
  }
  return leastDistanceOf(m);
}

}  // namespace fitup::viewer
