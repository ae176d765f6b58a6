#include "cgal_oracle.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <CGAL/squared_distance_3.h>
#include <boost/multiprecision/gmp.hpp>

namespace fitup::test {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using CgalPoint = Kernel::Point_3;
using CgalShape = std::variant<CgalPoint, Kernel::Segment_3, Kernel::Triangle_3>;

using Rational =
    boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

struct ExactPoint {
  Rational x, y, z;
  friend bool operator==(const ExactPoint&, const ExactPoint&) = default;
};
using ExactPoints = std::vector<ExactPoint>;

ExactPoint exact(const Vec3& p) { return {Rational(p.x), Rational(p.y), Rational(p.z)}; }
ExactPoint operator-(const ExactPoint& a, const ExactPoint& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ExactPoint operator-(const ExactPoint& a) { return {-a.x, -a.y, -a.z}; }
Rational dot(const ExactPoint& a, const ExactPoint& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ExactPoint cross(const ExactPoint& a, const ExactPoint& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
bool isZero(const ExactPoint& a) { return a.x == 0 && a.y == 0 && a.z == 0; }
int signOf(const Rational& r) { return r.sign(); }

Rational determinant(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const ExactPoint o = exact(d);
  return dot(exact(a) - o, cross(exact(b) - o, exact(c) - o));
}

/// Returns the corners of a convex hull that is at most a polygon: one, two or (unchanged) more points.
ExactPoints corners(ExactPoints points) {
  ExactPoints distinct;
  for (const ExactPoint& p : points)
    if (std::find(distinct.begin(), distinct.end(), p) == distinct.end()) distinct.push_back(p);
  if (distinct.size() < 3) return distinct;
  for (std::size_t i = 2; i < distinct.size(); ++i)
    if (!isZero(cross(distinct[1] - distinct[0], distinct[i] - distinct[0]))) return distinct;
  const ExactPoint along = distinct[1] - distinct[0];
  const auto [low, high] =
      std::minmax_element(distinct.begin(), distinct.end(),
                          [&](const auto& p, const auto& q) { return dot(along, p) < dot(along, q); });
  return {*low, *high};
}

ExactPoints corners(const Triangle& t) {
  return corners(ExactPoints{exact(t.v[0]), exact(t.v[1]), exact(t.v[2])});
}

/// Keeps the part of a convex polygon (or segment, or point) with normal . (x - through) >= 0.
ExactPoints clipped(const ExactPoints& polygon, const ExactPoint& normal, const ExactPoint& through) {
  std::vector<Rational> side;
  bool allIn = true;
  for (const ExactPoint& p : polygon) {
    side.push_back(dot(normal, p - through));
    allIn = allIn && side.back() >= 0;
  }
  if (allIn) return polygon;
  ExactPoints kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t j = (i + 1) % polygon.size();
    if (side[i] >= 0) kept.push_back(polygon[i]);
    if (signOf(side[i]) * signOf(side[j]) < 0) {
      const Rational s = side[i] / (side[i] - side[j]);
      const ExactPoint d = polygon[j] - polygon[i];
      kept.push_back({polygon[i].x + s * d.x, polygon[i].y + s * d.y, polygon[i].z + s * d.z});
    }
  }
  return corners(std::move(kept));
}

ExactPoints onPlane(const ExactPoints& polygon, const ExactPoint& normal, const ExactPoint& through) {
  return clipped(clipped(polygon, normal, through), -normal, through);
}

ExactPoints commonPart(const Triangle& a, const Triangle& b) {
  ExactPoints part = corners(a);
  const ExactPoints shape = corners(b);
  const ExactPoint axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (shape.size() == 1) {
    for (const ExactPoint& axis : axes) part = onPlane(part, axis, shape[0]);
  } else if (shape.size() == 2) {
    const ExactPoint along = shape[1] - shape[0];
    for (const ExactPoint& axis : axes) part = onPlane(part, cross(along, axis), shape[0]);
    part = clipped(clipped(part, along, shape[0]), -along, shape[1]);
  } else {
    const ExactPoint normal = cross(shape[1] - shape[0], shape[2] - shape[0]);
    part = onPlane(part, normal, shape[0]);
    for (std::size_t i = 0; i < 3 && !part.empty(); ++i)
      part = clipped(part, cross(normal, shape[(i + 1) % 3] - shape[i]), shape[i]);
  }
  return part;
}

bool inRelativeInterior(const ExactPoint& p, const ExactPoints& shape) {
  if (shape.size() == 1) return p == shape[0];
  if (shape.size() == 2) {
    const ExactPoint along = shape[1] - shape[0];
    return isZero(cross(along, p - shape[0])) && dot(along, p - shape[0]) > 0 && dot(along, p - shape[1]) < 0;
  }
  const ExactPoint normal = cross(shape[1] - shape[0], shape[2] - shape[0]);
  if (dot(normal, p - shape[0]) != 0) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (!(dot(cross(normal, shape[(i + 1) % 3] - shape[i]), p - shape[i]) > 0)) return false;
  return true;
}

CgalPoint cgal(const Vec3& p) { return {p.x, p.y, p.z}; }

CgalShape cgalShape(const Triangle& t) {
  const CgalPoint p = cgal(t.v[0]), q = cgal(t.v[1]), r = cgal(t.v[2]);
  if (!CGAL::collinear(p, q, r)) return Kernel::Triangle_3(p, q, r);
  // On a line, the lexicographic order is the order along it.
  const CgalPoint low = std::min({p, q, r}), high = std::max({p, q, r});
  if (low == high) return low;
  return Kernel::Segment_3(low, high);
}

struct Meets {
  bool operator()(const CgalPoint& a, const CgalPoint& b) const { return a == b; }
  template <typename Shape>
  bool operator()(const CgalPoint& a, const Shape& b) const {
    return b.has_on(a);
  }
  template <typename Shape>
  bool operator()(const Shape& a, const CgalPoint& b) const {
    return a.has_on(b);
  }
  template <typename Shape, typename Other>
  bool operator()(const Shape& a, const Other& b) const {
    return CGAL::do_intersect(a, b);
  }
};

double largestMagnitude(const Triangle& t) {
  double m = 0;
  for (const Vec3& v : t.v) m = std::max({m, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return m;
}

bool near(const Vec3& p, const ExactPoint& q, const Rational& bound) {
  const ExactPoint d = exact(p) - q;
  return abs(d.x) <= bound && abs(d.y) <= bound && abs(d.z) <= bound;
}

/// Returns true if two corners are closer to each other than `width`, or the polygon's own width (its area
/// over its longest extent, up to a small factor) is smaller.
bool isThin(const ExactPoints& polygon, double width) {
  const auto rounded = [](const ExactPoint& p) {
    return Vec3{p.x.convert_to<double>(), p.y.convert_to<double>(), p.z.convert_to<double>()};
  };
  ExactPoint area{0, 0, 0};
  Vec3 extent;
  for (const ExactPoint& p : polygon) {
    for (const ExactPoint* q = &polygon[0]; q != &p; ++q)
      if (norm(rounded(p - *q)) <= width) return true;
    const std::size_t next = (static_cast<std::size_t>(&p - polygon.data()) + 1) % polygon.size();
    const ExactPoint part = cross(p - polygon[0], polygon[next] - polygon[0]);
    area = {area.x + part.x, area.y + part.y, area.z + part.z};
    const Vec3 d = rounded(p - polygon[0]);
    if (norm(d) > norm(extent)) extent = d;
  }
  return norm(rounded(area)) <= width * norm(extent);
}

ExactPoint image(const Transform& map, const Vec3& p) {
  const ExactPoint e = exact(p);
  const auto row = [&](std::size_t i, double t) {
    return dot(exact({map.m[i][0], map.m[i][1], map.m[i][2]}), e) + Rational(t);
  };
  return {row(0, map.t.x), row(1, map.t.y), row(2, map.t.z)};
}

}  // namespace

int cgalOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // CGAL takes the differences from the first point, which reverses the sign.
  return -static_cast<int>(CGAL::orientation(cgal(a), cgal(b), cgal(c), cgal(d)));
}

int rationalOrient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return signOf(determinant(a, b, c, d));
}

bool orient3dWithin(double value, double bound, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Rational e = determinant(a, b, c, d);
  return abs(Rational(value) - e) <= Rational(bound) * abs(e);
}

int rationalOrient2d(const Vec3& a, const Vec3& b, const Vec3& c, int dropAxis) {
  const int i = (dropAxis + 1) % 3, j = (dropAxis + 2) % 3;
  const Rational ci(c[i]), cj(c[j]);
  return signOf((Rational(a[i]) - ci) * (Rational(b[j]) - cj) -
                (Rational(a[j]) - cj) * (Rational(b[i]) - ci));
}

bool rationalDegenerate(const Triangle& t) { return corners(t).size() < 3; }

bool cgalIntersect(const Triangle& a, const Triangle& b) {
  return std::visit(Meets{}, cgalShape(a), cgalShape(b));
}

bool rationalIntersect(const Triangle& a, const Triangle& b, Touching touching) {
  const ExactPoints part = commonPart(a, b);
  if (part.empty() || touching == Touching::include) return !part.empty();
  ExactPoint mean{0, 0, 0};
  for (const ExactPoint& p : part) mean = {mean.x + p.x, mean.y + p.y, mean.z + p.z};
  const Rational n(static_cast<long>(part.size()));
  mean = {mean.x / n, mean.y / n, mean.z / n};
  return inRelativeInterior(mean, corners(a)) && inRelativeInterior(mean, corners(b));
}

std::string problemOf(const TriangleIntersection& found, const Triangle& a, const Triangle& b) {
  using Kind = TriangleIntersection::Kind;
  const ExactPoints part = commonPart(a, b);
  const Kind kind = part.empty()       ? Kind::none
                    : part.size() == 1 ? Kind::point
                    : part.size() == 2 ? Kind::segment
                                       : Kind::polygon;
  if (found.kind != kind)
    return "kind " + std::to_string(int(found.kind)) + " where it is " + std::to_string(int(kind));
  if (part.empty()) return found.count == 0 ? "" : "corners of nothing";
  if (found.errorBound > 0x1p-46 * std::max(largestMagnitude(a), largestMagnitude(b)))
    return "error bound larger than documented";
  const Rational bound(found.errorBound);
  const std::size_t n = part.size();
  if (kind == Kind::polygon && isThin(part, 64 * found.errorBound)) {
    if (found.count < 3 || found.count > n) return std::to_string(found.count) + " corners of a thin polygon";
    const auto corners = found.corners();
    for (const Vec3& p : corners)
      if (std::none_of(part.begin(), part.end(), [&](const ExactPoint& q) { return near(p, q, bound); }))
        return "a corner of a thin polygon is far from every exact one";
    for (const ExactPoint& q : part)
      if (std::none_of(corners.begin(), corners.end(),
                       [&](const Vec3& p) { return near(p, q, bound + bound); }))
        return "a corner of a thin polygon is missing";
    return {};
  }
  if (found.count != n) return std::to_string(found.count) + " corners where there are " + std::to_string(n);
  for (std::size_t shift = 0; shift < n; ++shift)
    for (const std::size_t step : {std::size_t{1}, n - 1}) {
      bool fits = true;
      for (std::size_t i = 0; i < n && fits; ++i)
        fits = near(found.points[i], part[(shift + i * step) % n], bound);
      if (fits) return {};
    }
  return "a corner is farther from the exact one than the error bound, or the order is not cyclic";
}

double exactDistance(const Triangle& a, const Triangle& b) {
  using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
  if (cgalIntersect(a, b)) return 0;
  struct Shape {
    std::vector<Exact::Point_3> points;
    std::vector<Exact::Segment_3> segments;
    std::vector<Exact::Triangle_3> triangles;
    explicit Shape(const Triangle& t) {
      for (const Vec3& p : t.v) points.emplace_back(p.x, p.y, p.z);
      for (std::size_t i = 0; i < 3; ++i)
        if (points[i] != points[(i + 1) % 3]) segments.emplace_back(points[i], points[(i + 1) % 3]);
      if (!CGAL::collinear(points[0], points[1], points[2]))
        triangles.emplace_back(points[0], points[1], points[2]);
    }
  };
  const Shape shapeA(a), shapeB(b);
  Exact::FT least = CGAL::squared_distance(shapeA.points[0], shapeB.points[0]);
  const auto consider = [&](const Exact::FT& squared) {
    if (squared < least) least = squared;
  };
  const auto fromPoints = [&](const Shape& from, const Shape& to) {
    for (const auto& p : from.points) {
      for (const auto& q : to.points) consider(CGAL::squared_distance(p, q));
      for (const auto& s : to.segments) consider(CGAL::squared_distance(p, s));
      for (const auto& t : to.triangles) consider(CGAL::squared_distance(p, t));
    }
  };
  fromPoints(shapeA, shapeB);
  fromPoints(shapeB, shapeA);
  for (const auto& s : shapeA.segments)
    for (const auto& t : shapeB.segments) consider(CGAL::squared_distance(s, t));
  return std::sqrt(CGAL::to_double(CGAL::exact(least)));
}

bool imageWithin(const Transform& map, const Vec3& p, const Vec3& given, const Vec3& bound) {
  const ExactPoint d = image(map, p) - exact(given);
  return abs(d.x) <= Rational(bound.x) && abs(d.y) <= Rational(bound.y) && abs(d.z) <= Rational(bound.z);
}

bool imageInside(const Transform& map, const Vec3& p, const Vec3& low, const Vec3& high) {
  const ExactPoint q = image(map, p), l = exact(low), h = exact(high);
  return l.x <= q.x && q.x <= h.x && l.y <= q.y && q.y <= h.y && l.z <= q.z && q.z <= h.z;
}

}  // namespace fitup::test
