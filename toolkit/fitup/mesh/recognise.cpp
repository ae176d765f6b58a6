#include <fitup/mesh/recognise.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/geometry/symmetric_eigen.h>

namespace fitup {
namespace {

/// The triangles of a surface that have a normal, and all corners of the surface.
struct Patch {
  std::vector<Vec3> corners;
  std::vector<Vec3> normals;  ///< with the length of the triangle's area
  std::vector<Vec3> centres;
  Vec3 centroid, areaVector;
  double area = 0;
};

Patch patchOf(const TriangleMesh& mesh, const Surface& surface) {
  Patch patch;
  for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
    const Triangle t = mesh.triangle(TriangleId{surface.firstTriangle + i});
    const Vec3 normal = 0.5 * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double area = norm(normal);
    for (const Vec3& v : t.v) patch.corners.push_back(mesh.origin() + v);
    if (!(area > 0)) continue;
    const Vec3 centre = mesh.origin() + (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]);
    patch.normals.push_back(normal);
    patch.centres.push_back(centre);
    patch.centroid = patch.centroid + area * centre;
    patch.areaVector = patch.areaVector + normal;
    patch.area += area;
  }
  if (patch.area > 0) patch.centroid = (1 / patch.area) * patch.centroid;
  return patch;
}

/// The distance of a point from a plane or cylinder.
double distanceFrom(const SurfaceDescription& shape, const Vec3& point) {
  const Vec3 from = point - shape.point;
  const double along = dot(from, shape.axis);
  if (shape.kind == SurfaceKind::plane) return std::abs(along);
  return std::abs(norm(from - along * shape.axis) - shape.radius);
}

std::optional<SurfaceDescription> planeOf(const Patch& patch, double tolerance) {
  // The two sides of a sheet would cancel.
  if (!(norm(patch.areaVector) > 0.99 * patch.area)) return std::nullopt;
  SurfaceDescription plane;
  plane.kind = SurfaceKind::plane;
  plane.point = patch.centroid;
  plane.axis = normalized(patch.areaVector);
  for (const Vec3& p : patch.corners)
    if (!(distanceFrom(plane, p) <= tolerance)) return std::nullopt;
  return plane;
}

/// Solves a symmetric system of n unknowns by elimination with row exchange; false if it is singular.
template <std::size_t n>
bool solve(std::array<std::array<double, n>, n> m, std::array<double, n> right, std::array<double, n>& x) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (!(std::abs(m[pivot][k]) > 1e-14)) return false;
    std::swap(m[k], m[pivot]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= f * m[k][j];
      right[i] -= f * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    x[k] = right[k];
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= m[k][j] * x[j];
    x[k] /= m[k][k];
  }
  return true;
}

template <std::size_t n>
struct LeastSquares {
  std::array<std::array<double, n>, n> m{};
  std::array<double, n> right{};
  void add(const std::array<double, n>& row, double value) {
    for (std::size_t i = 0; i < n; ++i) {
      right[i] += row[i] * value;
      for (std::size_t j = 0; j < n; ++j) m[i][j] += row[i] * row[j];
    }
  }
};

/// All values are relative to the centroid and in units of `size`, so that numbers are near one.
std::optional<SurfaceDescription> fittedCylinder(const Patch& patch, double size) {
  Symmetric3 moments{};
  for (const Vec3& n : patch.normals) {
    const double weight = 1 / (norm(n) * patch.area);
    moments[0] += weight * n.x * n.x;
    moments[1] += weight * n.y * n.y;
    moments[2] += weight * n.z * n.z;
    moments[3] += weight * n.x * n.y;
    moments[4] += weight * n.x * n.z;
    moments[5] += weight * n.y * n.z;
  }
  const Eigen3 eigen = symmetricEigen(moments);
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (eigen.values[k] < eigen.values[least]) least = k;
  Vec3 axis = normalized(Vec3{eigen.rows[least][0], eigen.rows[least][1], eigen.rows[least][2]});

  // The solution of x^2 + y^2 = 2 cx x + 2 cy y + k across the axis is the start.
  auto [u, v] = orthonormalBasis(axis);
  LeastSquares<3> circle;
  for (const Vec3& corner : patch.corners) {
    const Vec3 p = (1 / size) * (corner - patch.centroid);
    const double x = dot(p, u), y = dot(p, v);
    circle.add({2 * x, 2 * y, 1}, x * x + y * y);
  }
  std::array<double, 3> start{};
  if (!solve<3>(circle.m, circle.right, start)) return std::nullopt;
  Vec3 centre = start[0] * u + start[1] * v;
  const double squared = start[2] + start[0] * start[0] + start[1] * start[1];
  if (!(squared > 0)) return std::nullopt;
  double radius = std::sqrt(squared);

  // Residual |across the axis| - radius; unknowns: shift along u and v, tilt towards u and v, radius.
  for (int round = 0; round < 12; ++round) {
    LeastSquares<5> step;
    for (const Vec3& corner : patch.corners) {
      const Vec3 p = (1 / size) * (corner - patch.centroid) - centre;
      const double along = dot(p, axis);
      const Vec3 radial = p - along * axis;
      const double length = norm(radial);
      if (!(length > 1e-9)) return std::nullopt;
      const double x = dot(radial, u) / length, y = dot(radial, v) / length;
      step.add({-x, -y, -along * x, -along * y, -1}, radius - length);
    }
    std::array<double, 5> d{};
    if (!solve<5>(step.m, step.right, d)) break;
    centre = centre + d[0] * u + d[1] * v;
    axis = normalized(axis + d[2] * u + d[3] * v);
    radius += d[4];
    u = normalized(u - dot(u, axis) * axis);
    v = cross(axis, u);
    if (std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]) + std::abs(d[3]) + std::abs(d[4]) < 1e-13) break;
  }
  SurfaceDescription cylinder;
  cylinder.kind = SurfaceKind::cylinder;
  cylinder.axis = axis;
  cylinder.point = patch.centroid + size * (centre - dot(centre, axis) * axis);
  cylinder.radius = radius * size;
  return cylinder;
}

std::optional<SurfaceDescription> cylinderOf(const Patch& patch, double tolerance) {
  double size = 0;
  for (const Vec3& p : patch.corners) size = std::max(size, norm(p - patch.centroid));
  if (!(size > 0)) return std::nullopt;
  const auto cylinder = fittedCylinder(patch, size);
  if (!cylinder || !(cylinder->radius > tolerance) || cylinder->radius > 20 * size) return std::nullopt;
  for (const Vec3& p : patch.corners)
    if (!(distanceFrom(*cylinder, p) <= tolerance)) return std::nullopt;
  // All normals point away from the axis, or all towards it. The gaps between them show how far they turn.
  const auto [u, v] = orthonormalBasis(cylinder->axis);
  std::vector<double> angles;
  int outward = 0;
  for (std::size_t i = 0; i < patch.normals.size(); ++i) {
    const Vec3 n = normalized(patch.normals[i]);
    const Vec3 from = patch.centres[i] - cylinder->point;
    const Vec3 radial = from - dot(from, cylinder->axis) * cylinder->axis;
    if (!(norm(radial) > 0.5 * cylinder->radius)) return std::nullopt;
    const double agrees = dot(n, normalized(radial));
    if (!(std::abs(agrees) > 0.8)) return std::nullopt;
    outward += agrees > 0 ? 1 : -1;
    angles.push_back(std::atan2(dot(radial, v), dot(radial, u)));
  }
  if (std::abs(outward) != static_cast<int>(patch.normals.size())) return std::nullopt;
  std::sort(angles.begin(), angles.end());
  constexpr double turn = 2 * std::numbers::pi, apart = 0.02;
  double widest = angles.front() + turn - angles.back();
  int steps = 1;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    widest = std::max(widest, angles[i] - angles[i - 1]);
    steps += angles[i] - angles[i - 1] > apart;
  }
  if (steps < 3 || turn - widest < 0.5) return std::nullopt;
  return cylinder;
}

void requireSurface(const TriangleMesh& mesh, SurfaceId surface) {
  if (index(surface) >= mesh.surfaces().size())
    throw InputError("part '" + mesh.name() + "'", "surface " + std::to_string(index(surface)),
                     "does not exist");
}

}  // namespace

std::optional<SurfaceDescription> recogniseSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                   double tolerance) {
  requireSurface(mesh, surface);
  const Patch patch = patchOf(mesh, mesh.surfaces()[index(surface)]);
  if (!(patch.area > 0)) return std::nullopt;
  if (auto plane = planeOf(patch, tolerance)) return plane;
  return cylinderOf(patch, tolerance);
}

std::optional<SurfaceDescription> describeSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                  std::optional<double> tolerance) {
  requireSurface(mesh, surface);
  const auto& described = mesh.surfaces()[index(surface)].description;
  switch (described ? described->kind : SurfaceKind::unknown) {
    case SurfaceKind::plane:
    case SurfaceKind::cylinder:
    case SurfaceKind::cone:
    case SurfaceKind::sphere:
    case SurfaceKind::torus:
      return described;
    case SurfaceKind::unknown:
    case SurfaceKind::freeform:
    case SurfaceKind::extrusion:
    case SurfaceKind::revolution:
      break;
  }
  if (!tolerance)
    tolerance = mesh.deflection() ? mesh.deflection()->linear : 1e-4 * 2 * norm(mesh.bounds().halfExtent());
  return *tolerance > 0 ? recogniseSurface(mesh, surface, *tolerance) : std::nullopt;
}

ShapeAccuracy placed(const ShapeAccuracy& inPart, const Transform& worldFromPart) noexcept {
  double stretch = 1;
  if (worldFromPart.kind() == TransformKind::affine) {
    double squares = 0;
    for (const auto& row : worldFromPart.m)
      for (const double entry : row) squares += entry * entry;
    stretch = std::sqrt(squares);
  }
  return {stretch * inPart.length + 0x1p-50 * norm(worldFromPart.t), inPart.angle};
}

ShapeAccuracy shapeAccuracy(const TriangleMesh& mesh, SurfaceId surface, const SurfaceDescription& shape) {
  requireSurface(mesh, surface);
  if (mesh.surfaces()[index(surface)].description != shape) return triangleAccuracy(mesh, surface, shape);
  constexpr double roundingOfDirections = 1e-9;
  return {0x1p-46 * (norm(shape.point) + shape.radius + shape.secondRadius), roundingOfDirections};
}

ShapeAccuracy triangleAccuracy(const TriangleMesh& mesh, SurfaceId surface, const SurfaceDescription& shape) {
  requireSurface(mesh, surface);
  const Patch patch = patchOf(mesh, mesh.surfaces()[index(surface)]);
  double off = 0, farthest = 0, reach = 0;
  for (const Vec3& p : patch.corners) {
    off = std::max(off, distanceFrom(shape, p));
    reach = std::max(reach, norm(p - patch.centroid));
    for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::abs(p[k]));
  }
  const double storage = std::sqrt(3.0) * (mesh.validation().largestRounding + 0x1p-24 * farthest);
  ShapeAccuracy accuracy{off + storage, std::numbers::pi / 2};
  const double width = reach > 0 ? patch.area / (2 * reach) : 0;
  if (width > 0) accuracy.angle = std::min(accuracy.angle, 2 * accuracy.length / width);
  return accuracy;
}

}  // namespace fitup
