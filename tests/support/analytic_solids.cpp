#include "analytic_solids.h"

#include <cmath>
#include <numbers>

namespace fitup::test {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// Rings of `segments` points each, from low to high z.
struct Rings {
  std::uint32_t first, segments;
  [[nodiscard]] std::uint32_t at(std::uint32_t row, std::uint32_t j) const {
    return first + row * segments + j % segments;
  }
};

Rings addRings(TriangleMeshBuilder& b, std::uint32_t rows, std::uint32_t segments, double z0, double z1,
               const std::function<double(double, double)>& radius) {
  Rings rings{static_cast<std::uint32_t>(b.pointCount()), segments};
  for (std::uint32_t i = 0; i <= rows; ++i)
    for (std::uint32_t j = 0; j < segments; ++j) {
      const double z = z0 + (z1 - z0) * i / rows, u = double(j) / segments, r = radius(u, z);
      b.addPoint({r * std::cos(turn * u), r * std::sin(turn * u), z});
    }
  return rings;
}

void addMantle(TriangleMeshBuilder& b, const Rings& r, std::uint32_t rows, bool outward) {
  for (std::uint32_t i = 0; i < rows; ++i)
    for (std::uint32_t j = 0; j < r.segments; ++j) {
      const std::uint32_t p = r.at(i, j), q = r.at(i, j + 1), s = r.at(i + 1, j + 1), t = r.at(i + 1, j);
      if (outward) {
        b.addTriangle(p, q, s);
        b.addTriangle(p, s, t);
      } else {
        b.addTriangle(p, s, q);
        b.addTriangle(p, t, s);
      }
    }
}

/// Fills the ring between row `a` of one and row `c` of another set of rings with the same angles; `up`:
/// facing +z, with the first set outside.
void addRing(TriangleMeshBuilder& b, const Rings& outer, std::uint32_t a, const Rings& inner, std::uint32_t c,
             bool up) {
  for (std::uint32_t j = 0; j < outer.segments; ++j) {
    const std::uint32_t p = inner.at(c, j), q = outer.at(a, j), s = outer.at(a, j + 1),
                        t = inner.at(c, j + 1);
    if (up) {
      b.addTriangle(p, q, s);
      b.addTriangle(p, s, t);
    } else {
      b.addTriangle(p, s, q);
      b.addTriangle(p, t, s);
    }
  }
}

void addFan(TriangleMeshBuilder& b, const Rings& rings, std::uint32_t row, double z, bool up) {
  const std::uint32_t centre = b.addPoint({0, 0, z});
  for (std::uint32_t j = 0; j < rings.segments; ++j) {
    const std::uint32_t p = rings.at(row, j), q = rings.at(row, j + 1);
    if (up)
      b.addTriangle(centre, p, q);
    else
      b.addTriangle(centre, q, p);
  }
}

double threadRadius(const Thread& t, double u, double z) {
  const double phase = z / t.pitch - u, part = phase - std::floor(phase);
  return t.mean + t.depth / 2 * (part < 0.5 ? 4 * part - 1 : 3 - 4 * part);
}

}  // namespace

MeshPtr tube(double outer, double inner, double height, std::uint32_t segments, std::uint32_t rows) {
  TriangleMeshBuilder b("tube");
  const Rings out =
      addRings(b, rows, segments, -height / 2, height / 2, [&](double, double) { return outer; });
  const Rings in =
      addRings(b, rows, segments, -height / 2, height / 2, [&](double, double) { return inner; });
  b.beginSurface("outside");
  addMantle(b, out, rows, true);
  b.beginSurface("bore");
  addMantle(b, in, rows, false);
  b.beginSurface("bottom");
  addRing(b, out, 0, in, 0, false);
  b.beginSurface("top");
  addRing(b, out, rows, in, rows, true);
  return finished(b);
}

double sagitta(double radius, std::uint32_t segments) {
  return radius * (1 - std::cos(std::numbers::pi / segments));
}

MeshPtr threadedRod(const Thread& t) {
  TriangleMeshBuilder b("threaded rod");
  const auto rows = static_cast<std::uint32_t>(std::lround(t.rowsPerPitch * t.length / t.pitch));
  const Rings rings = addRings(b, rows, t.segments, -t.length / 2, t.length / 2,
                               [&](double u, double z) { return threadRadius(t, u, z); });
  b.beginSurface("thread");
  addMantle(b, rings, rows, true);
  b.beginSurface("bottom");
  addFan(b, rings, 0, -t.length / 2, false);
  b.beginSurface("top");
  addFan(b, rings, rows, t.length / 2, true);
  return finished(b);
}

MeshPtr threadedRing(const Thread& t, double outer) {
  TriangleMeshBuilder b("threaded ring");
  const auto rows = static_cast<std::uint32_t>(std::lround(t.rowsPerPitch * t.length / t.pitch));
  const Rings in = addRings(b, rows, t.segments, -t.length / 2, t.length / 2,
                            [&](double u, double z) { return threadRadius(t, u, z); });
  const Rings out =
      addRings(b, 1, t.segments, -t.length / 2, t.length / 2, [&](double, double) { return outer; });
  b.beginSurface("thread");
  addMantle(b, in, rows, false);
  b.beginSurface("outside");
  addMantle(b, out, 1, true);
  b.beginSurface("bottom");
  addRing(b, out, 0, in, 0, false);
  b.beginSurface("top");
  addRing(b, out, 1, in, rows, true);
  return finished(b);
}

MeshPtr subdivided(const MeshPtr& mesh, std::uint32_t times) {
  MeshPtr result = mesh;
  for (std::uint32_t k = 0; k < times; ++k) {
    TriangleMeshBuilder b(mesh->name());
    for (const Surface& s : result->surfaces()) {
      b.beginSurface(s.name);
      for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
        const TriangleIndices& t = result->triangles()[i];
        const Vec3 p = result->pointInPart(t[0]), q = result->pointInPart(t[1]),
                   r = result->pointInPart(t[2]);
        const auto middle = [&](const Vec3& u, const Vec3& v) { return b.addPoint(0.5 * (u + v)); };
        const std::uint32_t a = b.addPoint(p), c = b.addPoint(q), d = b.addPoint(r);
        const std::uint32_t ac = middle(p, q), cd = middle(q, r), da = middle(r, p);
        b.addTriangle(a, ac, da);
        b.addTriangle(ac, c, cd);
        b.addTriangle(da, cd, d);
        b.addTriangle(ac, cd, da);
      }
    }
    if (mesh->deflection()) b.setDeflection(*mesh->deflection());
    result = finished(b);
  }
  return result;
}

namespace {

MeshPtr copied(const std::vector<MeshPtr>& meshes, bool reversed, const Deflection* deflection) {
  TriangleMeshBuilder b(meshes.front()->name());
  for (const MeshPtr& mesh : meshes) {
    const auto before = static_cast<std::uint32_t>(b.pointCount());
    for (std::uint32_t i = 0; i < mesh->points().size(); ++i) b.addPoint(mesh->pointInPart(i));
    for (const Surface& s : mesh->surfaces()) {
      b.beginSurface(s.name, s.colour, s.description);
      for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
        const TriangleIndices& t = mesh->triangles()[i];
        b.addTriangle(before + t[0], before + t[reversed ? 2 : 1], before + t[reversed ? 1 : 2]);
      }
    }
  }
  if (deflection != nullptr) b.setDeflection(*deflection);
  return finished(b);
}

}  // namespace

MeshPtr joined(const std::vector<MeshPtr>& meshes) { return copied(meshes, false, nullptr); }
MeshPtr insideOut(const MeshPtr& mesh) { return copied({mesh}, true, nullptr); }
MeshPtr withDeflection(const MeshPtr& mesh, double linear) {
  const Deflection deflection{linear, 0.5};
  return copied({mesh}, false, &deflection);
}

}  // namespace fitup::test
