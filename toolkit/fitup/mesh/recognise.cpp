#include <fitup/mesh/recognise.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/geometry/symmetric_eigen.h>
#include <fitup/mesh/chord_errors.h>

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

std::optional<SurfaceDescription> planeOf(const Patch& patch, double tolerance) {
  // The two sides of a sheet would cancel.
  if (!(norm(patch.areaVector) > 0.99 * patch.area)) return std::nullopt;
  SurfaceDescription plane;
  plane.kind = SurfaceKind::plane;
  plane.point = patch.centroid;
  plane.axis = normalized(patch.areaVector);
  for (const Vec3& p : patch.corners)
    if (!(std::abs(dot(p - plane.point, plane.axis)) <= tolerance)) return std::nullopt;
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

/// The second moments of the unit normals about `mean`, by area.
Symmetric3 momentsOfNormals(const Patch& patch, const Vec3& mean) {
  Symmetric3 moments{};
  for (const Vec3& normal : patch.normals) {
    const double weight = norm(normal) / patch.area;
    const Vec3 n = normalized(normal) - mean;
    moments[0] += weight * n.x * n.x;
    moments[1] += weight * n.y * n.y;
    moments[2] += weight * n.z * n.z;
    moments[3] += weight * n.x * n.y;
    moments[4] += weight * n.x * n.z;
    moments[5] += weight * n.y * n.z;
  }
  return moments;
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

/// The least-squares cylinder or, with one unknown more, cone. All values are relative to the centroid and in
/// units of `size`, so that numbers are near one.
template <bool isCone>
std::optional<SurfaceDescription> fittedAroundAxis(const Patch& patch, double size) {
  // The normals of a cylinder are perpendicular to its axis, those of a cone end in a plane across it.
  Vec3 mean;
  for (const Vec3& n : patch.normals) mean = mean + (1 / patch.area) * n;
  if (!isCone) mean = {};
  const Eigen3 eigen = symmetricEigen(momentsOfNormals(patch, mean));
  std::size_t least = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (eigen.values[k] < eigen.values[least]) least = k;
  Vec3 axis = normalized(Vec3{eigen.rows[least][0], eigen.rows[least][1], eigen.rows[least][2]});

  // The start is the solution of x^2 + y^2 = 2 cx x + 2 cy y + k across the axis, for a cone with a term of
  // the height. Its square is left out, as two circles would not determine it.
  auto [u, v] = orthonormalBasis(axis);
  LeastSquares<isCone ? 4 : 3> circle;
  for (const Vec3& corner : patch.corners) {
    const Vec3 p = (1 / size) * (corner - patch.centroid);
    const double x = dot(p, u), y = dot(p, v), z = dot(p, axis);
    if constexpr (isCone)
      circle.add({2 * x, 2 * y, 1, 2 * z}, x * x + y * y);
    else
      circle.add({2 * x, 2 * y, 1}, x * x + y * y);
  }
  std::array<double, isCone ? 4 : 3> start{};
  if (!solve(circle.m, circle.right, start)) return std::nullopt;
  Vec3 centre = start[0] * u + start[1] * v;
  const double squared = start[2] + start[0] * start[0] + start[1] * start[1];
  if (!(squared > 0)) return std::nullopt;
  double radius = std::sqrt(squared), slope = 0;
  if constexpr (isCone) slope = start[3] / radius;

  // Residual |across the axis| - radius - slope * height; unknowns: shift along u and v, tilt towards u and
  // v, radius, slope.
  constexpr std::size_t n = isCone ? 6 : 5;
  for (int round = 0; round < 30; ++round) {
    LeastSquares<n> step;
    for (const Vec3& corner : patch.corners) {
      const Vec3 p = (1 / size) * (corner - patch.centroid) - centre;
      const double along = dot(p, axis);
      const Vec3 across = p - along * axis;
      const double length = norm(across);
      if (!isCone && !(length > 1e-9)) return std::nullopt;
      const double x = length > 1e-9 ? dot(across, u) / length : 0,
                   y = length > 1e-9 ? dot(across, v) / length : 0;
      const double tilted = along + slope * length;
      std::array<double, n> row{-x, -y, -tilted * x, -tilted * y, -1};
      if constexpr (isCone) row[5] = -along;
      step.add(row, radius + slope * along - length);
    }
    std::array<double, n> d{};
    if (!solve(step.m, step.right, d)) break;
    centre = centre + d[0] * u + d[1] * v;
    axis = normalized(axis + d[2] * u + d[3] * v);
    radius += d[4];
    if constexpr (isCone) slope += d[5];
    u = normalized(u - dot(u, axis) * axis);
    v = cross(axis, u);
    double moved = 0;
    for (const double by : d) moved += std::abs(by);
    if (moved < 1e-13) break;
  }
  SurfaceDescription found;
  found.kind = isCone ? SurfaceKind::cone : SurfaceKind::cylinder;
  found.axis = axis;
  if constexpr (isCone) {
    found.axis = slope < 0 ? -axis : axis;
    found.halfAngle = std::atan(std::abs(slope));
    found.point = patch.centroid + size * centre;
  } else {
    found.point = patch.centroid + size * (centre - dot(centre, axis) * axis);
  }
  found.radius = radius * size;
  return found;
}

/// From |p|^2 = 2 c p + k, as above.
std::optional<SurfaceDescription> fittedSphere(const Patch& patch, double size) {
  LeastSquares<4> squares;
  for (const Vec3& corner : patch.corners) {
    const Vec3 p = (1 / size) * (corner - patch.centroid);
    squares.add({2 * p.x, 2 * p.y, 2 * p.z, 1}, dot(p, p));
  }
  std::array<double, 4> x{};
  if (!solve(squares.m, squares.right, x)) return std::nullopt;
  const Vec3 centre{x[0], x[1], x[2]};
  const double squared = x[3] + dot(centre, centre);
  if (!(squared > 0)) return std::nullopt;
  SurfaceDescription sphere;
  sphere.kind = SurfaceKind::sphere;
  sphere.point = patch.centroid + size * centre;
  sphere.radius = std::sqrt(squared) * size;
  return sphere;
}

/// True if all normals point away from the surface, or all towards it, and no triangle is far off.
bool agrees(const Patch& patch, const AnalyticSurface& surface, double tolerance) {
  for (const Vec3& p : patch.corners)
    if (!(std::abs(surface.distance(p)) <= tolerance)) return false;
  int outward = 0;
  for (std::size_t i = 0; i < patch.normals.size(); ++i) {
    const double along = dot(normalized(patch.normals[i]), surface.normal(patch.centres[i]));
    if (!(std::abs(along) > 0.8)) return false;
    outward += along > 0 ? 1 : -1;
  }
  return std::abs(outward) == static_cast<int>(patch.normals.size());
}

/// True if the triangles turn round the axis by at least half a radian in at least three steps. The gaps
/// between their angles show how far they turn.
bool turnsEnough(const Patch& patch, const SurfaceDescription& around) {
  const auto [u, v] = orthonormalBasis(around.axis);
  std::vector<double> angles;
  for (const Vec3& centre : patch.centres)
    angles.push_back(std::atan2(dot(centre - around.point, v), dot(centre - around.point, u)));
  std::sort(angles.begin(), angles.end());
  constexpr double turn = 2 * std::numbers::pi, apart = 0.02;
  double widest = angles.front() + turn - angles.back();
  int steps = 1;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    widest = std::max(widest, angles[i] - angles[i - 1]);
    steps += angles[i] - angles[i - 1] > apart;
  }
  return steps >= 3 && turn - widest >= 0.5;
}

/// True if the normals spread by about half a radian in both directions.
bool spreadsEnough(const Patch& patch) {
  Vec3 mean;
  for (const Vec3& n : patch.normals) mean = mean + (1 / patch.area) * n;
  Eigen3 eigen = symmetricEigen(momentsOfNormals(patch, mean));
  std::sort(eigen.values.begin(), eigen.values.end());
  constexpr double least = 0.5 * 0.5 / 12;  // of an even spread over half a radian
  return patch.normals.size() >= 8 && eigen.values[1] >= least;
}

/// The cylinder, cone or sphere of a patch.
std::optional<SurfaceDescription> roundOf(const Patch& patch, double tolerance) {
  double size = 0;
  for (const Vec3& p : patch.corners) size = std::max(size, norm(p - patch.centroid));
  if (!(size > 0)) return std::nullopt;
  const auto isFound = [&](const std::optional<SurfaceDescription>& found) {
    if (!found || found->radius > 20 * size) return false;
    const auto surface = AnalyticSurface::of(*found);
    if (!surface || !agrees(patch, *surface, tolerance)) return false;
    return found->kind == SurfaceKind::sphere ? spreadsEnough(patch) : turnsEnough(patch, *found);
  };
  if (const auto cylinder = fittedAroundAxis<false>(patch, size);
      isFound(cylinder) && cylinder->radius > tolerance)
    return cylinder;
  // Nearly a cylinder or a plane: the angle would be noise.
  constexpr double flattest = 1e-3;
  if (const auto cone = fittedAroundAxis<true>(patch, size);
      isFound(cone) && cone->halfAngle > flattest && cone->halfAngle < std::numbers::pi / 2 - flattest)
    return cone;
  // A strip between two circles would fit a sphere as well as a cone.
  if (const auto sphere = fittedSphere(patch, size); isFound(sphere)) return sphere;
  return std::nullopt;
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
  return roundOf(patch, tolerance);
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

RecognisedMesh withRecognisedSurfaces(const TriangleMesh& mesh, double tolerance) {
  if (!(tolerance > 0)) throw InputError("part '" + mesh.name() + "'", "tolerance", "is not above zero");
  const double size = 2 * norm(mesh.bounds().halfExtent()), most = size / 16;
  TriangleMesh::Data data = mesh.data();
  const MeshTopology topology(mesh);
  std::vector<bool> hasBorder(data.surfaces.size(), false);
  for (const MeshTopology::Edge& edge : topology.edges())
    if (edge.useCount == 1)
      hasBorder[index(mesh.surfaceOf(TriangleId{topology.uses(edge)[0].triangle}))] = true;
  for (std::uint32_t i = 0; i < data.surfaces.size(); ++i) {
    Surface& surface = data.surfaces[i];
    surface.description = hasBorder[i] ? std::nullopt : recogniseSurface(mesh, SurfaceId{i}, tolerance);
    surface.chordError = surface.description ? size : 0;
  }
  // A surface that is given up makes the errors of those beside it less.
  for (bool isFinal = false; !isFinal;) {
    const TriangleMesh described(data);
    ChordErrors errors(described, topology);
    std::vector<double> found(data.surfaces.size(), 0);
    isFinal = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      Surface& surface = data.surfaces[i];
      for (std::uint32_t k = 0; k < surface.triangleCount; ++k)
        found[i] = std::max(found[i], errors.of(TriangleId{surface.firstTriangle + k}));
      if (!surface.description || found[i] <= most) continue;
      surface.description.reset();
      surface.chordError = 0;
      isFinal = false;
    }
    for (std::size_t i = 0; i < found.size() && isFinal; ++i) data.surfaces[i].chordError = found[i];
  }
  RecognisedMesh result;
  double largest = 0;
  for (const Surface& surface : data.surfaces) {
    result.recognised += surface.description.has_value();
    largest = std::max(largest, *surface.chordError);
  }
  data.deflection = Deflection{largest, std::numbers::pi};
  result.mesh = std::make_shared<const TriangleMesh>(std::move(data));
  return result;
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
  const auto known = AnalyticSurface::of(shape);
  if (!known) throw InputError("part '" + mesh.name() + "'", "shape", "has no closed form");
  double off = 0, farthest = 0, reach = 0;
  for (const Vec3& p : patch.corners) {
    off = std::max(off, std::abs(known->distance(p)));
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
