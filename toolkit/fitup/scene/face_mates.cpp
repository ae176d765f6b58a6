#include <fitup/scene/face_mates.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fitup/scene/detail/least_turn.h>

namespace fitup {
namespace {

bool isPlane(const MatableFace& face) { return face.shape.kind == SurfaceKind::plane; }
bool isSphere(const MatableFace& face) { return face.shape.kind == SurfaceKind::sphere; }

Vec3 alongAxis(const Vec3& vector, const Vec3& axis) { return dot(vector, axis) * axis; }

/// The middle of a face's extent along an axis.
Vec3 middleOnAxis(const std::vector<Triangle>& triangles, const SurfaceDescription& shape) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Triangle& t : triangles)
    for (const Vec3& p : t.v) {
      const double along = dot(p - shape.point, shape.axis);
      low = std::min(low, along);
      high = std::max(high, along);
    }
  return low <= high ? shape.point + (low + high) / 2 * shape.axis : shape.point;
}

/// Turns the axis of a plane to the side away from the material, and puts its middle to the face's centroid.
void orientPlane(MatableFace& face, const std::vector<Triangle>& triangles, double sense) {
  Vec3 areaVector, centroid;
  double sum = 0;
  for (const Triangle& t : triangles) {
    const Vec3 normal = sense / 2 * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double area = norm(normal);
    areaVector = areaVector + normal;
    centroid = centroid + area / 3 * (t.v[0] + t.v[1] + t.v[2]);
    sum += area;
  }
  SurfaceDescription& plane = face.shape;
  if (dot(areaVector, plane.axis) < 0) plane.axis = -plane.axis;
  const Vec3 middle = sum > 0 ? (1 / sum) * centroid : plane.point;
  face.middle = middle - alongAxis(middle - plane.point, plane.axis);
}

FaceMate mateAlong(const MatableFace& moved, const MatableFace& fixed, bool opposed) {
  FaceMate mate;
  mate.kind = isPlane(moved) ? FaceMateKind::planes : FaceMateKind::axes;
  mate.opposed = opposed;
  const Vec3 from = normalized(moved.shape.axis), axis = normalized(fixed.shape.axis);
  const Vec3 wanted = opposed ? -axis : axis;
  // Small faces may leave their direction open; a tilt that can be seen is turned away even so.
  constexpr double mostLeft = 0.01;
  const double known = std::min(mostLeft, moved.accuracy.angle + fixed.accuracy.angle);
  mate.angle = detail::angleBetween(from, wanted);
  Quaternion rotation;
  if (mate.angle <= known) {
    mate.angle = 0;
  } else if (mate.angle >= std::numbers::pi - known) {
    mate.angle = std::numbers::pi;
    rotation = detail::leastTurn(from, -from);
  } else {
    rotation = detail::leastTurn(from, wanted);
  }
  const Vec3 between = moved.middle - fixed.shape.point;
  const Vec3 along = alongAxis(between, axis);
  const Vec3 off = isPlane(moved) ? along : between - along;
  mate.distance = norm(off);
  mate.motion = Transform::translation(-off) * detail::turnedAbout(moved.middle, rotation);
  return mate;
}

/// The translation that brings centres together, or a centre and an axis.
FaceMate mateCentre(const MatableFace& moved, const MatableFace& fixed) {
  FaceMate mate;
  mate.kind = isSphere(moved) && isSphere(fixed) ? FaceMateKind::centres : FaceMateKind::centreOnAxis;
  Vec3 off = moved.middle - fixed.middle;
  if (mate.kind == FaceMateKind::centreOnAxis)
    off = off - alongAxis(off, normalized(isSphere(moved) ? fixed.shape.axis : moved.shape.axis));
  mate.distance = norm(off);
  mate.motion = Transform::translation(-off);
  return mate;
}

}  // namespace

std::optional<MatableFace> matableFace(const TriangleMesh& mesh, SurfaceId surface,
                                       const Transform& worldFromPart, std::optional<double> recognise) {
  const auto known = describeSurface(mesh, surface, recognise);
  if (!known) return std::nullopt;
  const auto shape = placed(*known, worldFromPart);
  if (!shape) return std::nullopt;
  MatableFace face{*shape, shape->point, placed(shapeAccuracy(mesh, surface, *known), worldFromPart)};
  if (isSphere(face)) return face;
  std::vector<Triangle> triangles;
  const Surface& part = mesh.surfaces()[index(surface)];
  for (std::uint32_t i = 0; i < part.triangleCount; ++i) {
    Triangle& t = triangles.emplace_back(mesh.triangle(TriangleId{part.firstTriangle + i}));
    for (Vec3& v : t.v) v = worldFromPart.apply(mesh.origin() + v);
  }
  if (isPlane(face))
    orientPlane(face, triangles, worldFromPart.determinant() < 0 ? -1 : 1);
  else
    face.middle = middleOnAxis(triangles, face.shape);
  return face;
}

std::string_view name(FaceMateKind kind) noexcept {
  switch (kind) {
    case FaceMateKind::planes:
      return "planes";
    case FaceMateKind::axes:
      return "axes";
    case FaceMateKind::centres:
      return "centres";
    case FaceMateKind::centreOnAxis:
      return "centreOnAxis";
  }
  return {};
}

std::vector<FaceMate> faceMates(const MatableFace& moved, const MatableFace& fixed) {
  if (isPlane(moved) != isPlane(fixed)) return {};
  if (isSphere(moved) || isSphere(fixed)) return {mateCentre(moved, fixed)};
  FaceMate opposed = mateAlong(moved, fixed, true), alike = mateAlong(moved, fixed, false);
  if (alike.angle < opposed.angle) std::swap(opposed, alike);
  return {std::move(opposed), std::move(alike)};
}

}  // namespace fitup
