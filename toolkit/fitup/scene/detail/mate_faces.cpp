#include <fitup/scene/detail/mate_faces.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fitup::detail {
namespace {

constexpr double turn = 2 * std::numbers::pi;
/// Largest relative difference of two faces of one cylinder.
constexpr double sameWithin = 1e-6;

struct Frame2 {
  Vec3 u, v;
  explicit Frame2(const Vec3& axis) {
    const Vec3 least = std::abs(axis.x) <= std::abs(axis.y) && std::abs(axis.x) <= std::abs(axis.z)
                           ? Vec3{1, 0, 0}
                       : std::abs(axis.y) <= std::abs(axis.z) ? Vec3{0, 1, 0}
                                                              : Vec3{0, 0, 1};
    u = normalized(cross(axis, least));
    v = cross(axis, u);
  }
};

struct Point2 {
  double x = 0, y = 0;
};
double crossOf(const Point2& o, const Point2& a, const Point2& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

using Polygon = std::vector<Point2>;

Polygon counterclockwise(const Triangle& t, const Frame2& f) {
  Polygon p;
  for (const Vec3& c : t.v) p.push_back({dot(c, f.u), dot(c, f.v)});
  if (crossOf(p[0], p[1], p[2]) < 0) std::swap(p[1], p[2]);
  return p;
}

/// Area that a convex polygon and a counter-clockwise triangle share (Sutherland and Hodgman).
double sharedArea(Polygon polygon, const Polygon& triangle) {
  for (std::size_t e = 0; e < 3 && !polygon.empty(); ++e) {
    const Point2 &from = triangle[e], &to = triangle[(e + 1) % 3];
    Polygon kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double sideP = crossOf(from, to, p), sideQ = crossOf(from, to, q);
      if (sideP >= 0) kept.push_back(p);
      if ((sideP > 0 && sideQ < 0) || (sideP < 0 && sideQ > 0)) {
        const double s = sideP / (sideP - sideQ);
        kept.push_back({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)});
      }
    }
    polygon = std::move(kept);
  }
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i) twice += crossOf(polygon[0], polygon[i - 1], polygon[i]);
  return twice / 2;
}

bool sameCylinder(const MateFace& a, const MateFace& b) {
  if (a.plane || b.plane || a.peg != b.peg) return false;
  const Vec3 between = b.point - a.point;
  const Vec3 off = between - dot(between, a.axis) * a.axis;
  const double size = a.radius + norm(between);
  return std::abs(a.radius - b.radius) <= sameWithin * a.radius && norm(off) <= 1e-5 * size &&
         norm(cross(a.axis, b.axis)) <= 1e-5;
}

void measureCylinder(MateFace& face) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Triangle& t : face.triangles)
    for (const Vec3& p : t.v) {
      const double along = dot(p - face.point, face.axis);
      low = std::min(low, along);
      high = std::max(high, along);
    }
  face.point = face.point + (low + high) / 2 * face.axis;
  face.halfLength = (high - low) / 2;
}

/// The triangles say on which side of the plane the material is, and where the face is.
void putPlane(MateFace& face, const SurfaceDescription& plane, const Vec3& areaVector, const Vec3& centroid) {
  const Vec3 outward = normalized(areaVector);
  face.axis = dot(plane.axis, outward) < 0 ? -plane.axis : plane.axis;
  face.point = centroid - dot(centroid - plane.point, face.axis) * face.axis;
}

constexpr std::size_t sectors = 144;

/// The sectors of the full turn that a face covers.
std::bitset<sectors> covered(const MateFace& face, const Vec3& point, const Vec3& axis) {
  const Frame2 f(axis);
  std::bitset<sectors> result;
  for (const Triangle& t : face.triangles) {
    double angle[3];
    for (int k = 0; k < 3; ++k) angle[k] = std::atan2(dot(t.v[k] - point, f.v), dot(t.v[k] - point, f.u));
    double low = 0, high = 0;
    for (int k = 1; k < 3; ++k) {
      const double by = std::remainder(angle[k] - angle[0], turn);
      low = std::min(low, by);
      high = std::max(high, by);
    }
    for (double at = low + turn / sectors / 2; at < high; at += turn / sectors) {
      const double part = (angle[0] + at) / turn;
      result.set(std::min(sectors - 1, static_cast<std::size_t>((part - std::floor(part)) * sectors)));
    }
  }
  return result;
}

}  // namespace

std::vector<MateFace> mateFaces(const Assembly& assembly, NodeId instance, const Transform& worldFromPart,
                                const MateTolerances& tolerances) {
  const TriangleMesh& mesh = assembly.meshOf(instance);
  const double sense = worldFromPart.determinant() < 0 ? -1 : 1;
  std::vector<MateFace> faces;
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    const auto description = describeSurface(mesh, SurfaceId{s}, tolerances.recognise);
    if (!description ||
        (description->kind != SurfaceKind::plane && description->kind != SurfaceKind::cylinder))
      continue;
    MateFace face;
    face.plane = description->kind == SurfaceKind::plane;
    face.surfaces = {SurfaceId{s}};
    face.accuracy = placed(shapeAccuracy(mesh, SurfaceId{s}, *description), worldFromPart);
    Vec3 areaVector, centroid;
    double outward = 0;
    if (!face.plane) {
      const auto cylinder = placed(*description, worldFromPart);
      if (!cylinder) continue;
      face.point = cylinder->point;
      face.axis = cylinder->axis;
      face.radius = cylinder->radius;
    }
    const Surface& surface = mesh.surfaces()[s];
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
      Triangle t = mesh.triangle(TriangleId{surface.firstTriangle + i});
      for (Vec3& v : t.v) v = worldFromPart.apply(mesh.origin() + v);
      const Vec3 normal = sense / 2 * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
      const Vec3 centre = (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]);
      const double area = norm(normal);
      face.triangles.push_back(t);
      face.area += area;
      areaVector = areaVector + normal;
      centroid = centroid + area * centre;
      const Vec3 from = centre - face.point;
      outward += dot(normal, from - dot(from, face.axis) * face.axis);
    }
    if (!(face.area > 0)) continue;
    if (face.plane) {
      if (!(norm(areaVector) > 0.9 * face.area)) continue;
      putPlane(face, *placed(*description, worldFromPart), areaVector, (1 / face.area) * centroid);
      faces.push_back(std::move(face));
      continue;
    }
    face.peg = outward > 0;
    const auto same = std::find_if(faces.begin(), faces.end(),
                                   [&](const MateFace& other) { return sameCylinder(other, face); });
    if (same == faces.end()) {
      faces.push_back(std::move(face));
      continue;
    }
    same->surfaces.push_back(SurfaceId{s});
    same->area += face.area;
    same->triangles.insert(same->triangles.end(), face.triangles.begin(), face.triangles.end());
  }
  for (MateFace& face : faces)
    if (!face.plane) measureCylinder(face);
  return faces;
}

double sharedPlaneArea(const std::vector<Triangle>& a, const std::vector<Triangle>& b, const Vec3& normal) {
  const Frame2 f(normal);
  std::vector<Polygon> ofB;
  for (const Triangle& t : b) ofB.push_back(counterclockwise(t, f));
  double sum = 0;
  for (const Triangle& t : a) {
    const Polygon polygon = counterclockwise(t, f);
    for (const Polygon& other : ofB) {
      const auto apart = [&](double Point2::*axis) {
        const auto [lowA, highA] = std::minmax({polygon[0].*axis, polygon[1].*axis, polygon[2].*axis});
        const auto [lowB, highB] = std::minmax({other[0].*axis, other[1].*axis, other[2].*axis});
        return highA <= lowB || highB <= lowA;
      };
      if (!apart(&Point2::x) && !apart(&Point2::y)) sum += sharedArea(polygon, other);
    }
  }
  return sum;
}

double sharedCylinderArea(const MateFace& a, const MateFace& b, const Vec3& pointOfAxis, const Vec3& axis) {
  const double alongA = dot(a.point - pointOfAxis, axis), alongB = dot(b.point - pointOfAxis, axis);
  const double length = std::min(alongA + a.halfLength, alongB + b.halfLength) -
                        std::max(alongA - a.halfLength, alongB - b.halfLength);
  if (!(length > 0)) return 0;
  const auto both = covered(a, pointOfAxis, axis) & covered(b, pointOfAxis, axis);
  return length * turn * static_cast<double>(both.count()) / sectors * std::min(a.radius, b.radius);
}

}  // namespace fitup::detail
