#include "tiny_meshes.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "placements.h"

namespace fitup::test {
namespace {

void addQuad(TriangleMeshBuilder& b, std::uint32_t p, std::uint32_t q, std::uint32_t r, std::uint32_t s) {
  b.addTriangle(p, q, r);
  b.addTriangle(p, r, s);
}

/// Adds n x n cells between four corners, given counter-clockwise as seen from outside.
void addPatch(TriangleMeshBuilder& b, const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s,
              std::uint32_t n) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t j = 0; j <= n; ++j) {
      const double u = double(i) / n, v = double(j) / n;
      ids.push_back(b.addPoint((1 - v) * ((1 - u) * p + u * q) + v * ((1 - u) * s + u * r)));
    }
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return ids[i * (n + 1) + j]; };
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j) addQuad(b, id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
}

}  // namespace

MeshPtr fromTriangles(const std::string& name, std::span<const Triangle> triangles, std::uint32_t surfaces) {
  TriangleMeshBuilder b(name);
  std::size_t next = 0;
  for (std::uint32_t s = 0; s < surfaces; ++s) {
    b.beginSurface("surface " + std::to_string(s));
    for (const std::size_t end = triangles.size() * (s + 1) / surfaces; next < end; ++next) {
      std::array<std::uint32_t, 3> id{};
      for (std::size_t k = 0; k < 3; ++k) id[k] = b.addPoint(triangles[next].v[k]);
      b.addTriangle(id[0], id[1], id[2]);
    }
  }
  return finished(b);
}

MeshPtr finished(const TriangleMeshBuilder& builder) {
  return std::make_shared<const TriangleMesh>(builder.build());
}

MeshPtr emptyMesh() { return finished(TriangleMeshBuilder("empty")); }

MeshPtr tetrahedron(double edge) {
  const double h = edge / (2 * std::numbers::sqrt2);
  TriangleMeshBuilder b("tetrahedron");
  for (const Vec3& p : {Vec3{h, h, h}, Vec3{h, -h, -h}, Vec3{-h, h, -h}, Vec3{-h, -h, h}}) b.addPoint(p);
  b.addTriangle(0, 1, 2);
  b.addTriangle(0, 3, 1);
  b.addTriangle(0, 2, 3);
  b.addTriangle(1, 3, 2);
  return finished(b);
}

MeshPtr box(double width, double height, double depth) {
  const double x = width / 2, y = height / 2, z = depth / 2;
  TriangleMeshBuilder b("box");
  for (int i = 0; i < 8; ++i) b.addPoint({(i & 1) ? x : -x, (i & 2) ? y : -y, (i & 4) ? z : -z});
  addQuad(b, 0, 4, 6, 2);
  addQuad(b, 1, 3, 7, 5);
  addQuad(b, 0, 1, 5, 4);
  addQuad(b, 2, 6, 7, 3);
  addQuad(b, 0, 2, 3, 1);
  addQuad(b, 4, 5, 7, 6);
  return finished(b);
}

MeshPtr sixSidedBox(double width, double height, double depth, std::uint32_t n) {
  const double x = width / 2, y = height / 2, z = depth / 2;
  TriangleMeshBuilder b("six-sided box");
  b.beginSurface("-x");
  addPatch(b, {-x, -y, -z}, {-x, -y, z}, {-x, y, z}, {-x, y, -z}, n);
  b.beginSurface("+x");
  addPatch(b, {x, -y, -z}, {x, y, -z}, {x, y, z}, {x, -y, z}, n);
  b.beginSurface("-y");
  addPatch(b, {-x, -y, -z}, {x, -y, -z}, {x, -y, z}, {-x, -y, z}, n);
  b.beginSurface("+y");
  addPatch(b, {-x, y, -z}, {-x, y, z}, {x, y, z}, {x, y, -z}, n);
  b.beginSurface("-z");
  addPatch(b, {-x, -y, -z}, {-x, y, -z}, {x, y, -z}, {x, -y, -z}, n);
  b.beginSurface("+z");
  addPatch(b, {-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z}, n);
  return finished(b);
}

MeshPtr boxBetween(const Vec3& low, const Vec3& high) {
  const Vec3 size = high - low;
  return transformed(sixSidedBox(size.x, size.y, size.z), Transform::translation(0.5 * (low + high)));
}

std::vector<Triangle> trianglesOf(const MeshPtr& mesh) {
  std::vector<Triangle> result;
  for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i) {
    Triangle t = mesh->triangle(TriangleId{i});
    for (Vec3& p : t.v) p = p + mesh->origin();
    result.push_back(t);
  }
  return result;
}

MeshPtr icosphere(double radius, std::uint32_t level) {
  const double g = std::numbers::phi;
  std::vector<Vec3> points{{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                           {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  std::vector<TriangleIndices> faces{{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (std::uint32_t l = 0; l < level; ++l) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [it, isNew] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(points.size()));
      if (isNew) points.push_back(0.5 * (points[a] + points[b]));
      return it->second;
    };
    std::vector<TriangleIndices> finer;
    for (const TriangleIndices& f : faces) {
      const std::uint32_t ab = middle(f[0], f[1]), bc = middle(f[1], f[2]), ca = middle(f[2], f[0]);
      finer.insert(finer.end(), {{f[0], ab, ca}, {f[1], bc, ab}, {f[2], ca, bc}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  TriangleMeshBuilder b("icosphere");
  for (const Vec3& p : points) b.addPoint(radius * normalized(p));
  for (const TriangleIndices& f : faces) b.addTriangle(f[0], f[1], f[2]);
  return finished(b);
}

MeshPtr uvSphere(double radius, std::uint32_t slices, std::uint32_t stacks, std::uint32_t patches) {
  TriangleMeshBuilder b("uv sphere");
  const std::uint32_t south = b.addPoint({0, 0, -radius}), north = b.addPoint({0, 0, radius});
  const auto id = [&](std::uint32_t stack, std::uint32_t slice) {
    return 2 + (stack - 1) * slices + slice % slices;
  };
  for (std::uint32_t i = 1; i < stacks; ++i)
    for (std::uint32_t j = 0; j < slices; ++j) {
      const double a = std::numbers::pi * (double(i) / stacks - 0.5), c = 2 * std::numbers::pi * j / slices;
      b.addPoint(
          {radius * std::cos(a) * std::cos(c), radius * std::cos(a) * std::sin(c), radius * std::sin(a)});
    }
  for (std::uint32_t p = 0; p < patches; ++p) {
    b.beginSurface("band " + std::to_string(p));
    for (std::uint32_t j = p * slices / patches; j < (p + 1) * slices / patches; ++j) {
      b.addTriangle(south, id(1, j + 1), id(1, j));
      for (std::uint32_t i = 1; i + 1 < stacks; ++i)
        addQuad(b, id(i, j), id(i, j + 1), id(i + 1, j + 1), id(i + 1, j));
      b.addTriangle(id(stacks - 1, j), id(stacks - 1, j + 1), north);
    }
  }
  return finished(b);
}

MeshPtr cylinder(double radius, double height, std::uint32_t segments) {
  TriangleMeshBuilder b("cylinder");
  for (double z : {-height / 2, height / 2})
    for (std::uint32_t j = 0; j < segments; ++j) {
      const double a = 2 * std::numbers::pi * j / segments;
      b.addPoint({radius * std::cos(a), radius * std::sin(a), z});
    }
  const std::uint32_t bottom = b.addPoint({0, 0, -height / 2}), top = b.addPoint({0, 0, height / 2});
  const auto next = [&](std::uint32_t j) { return (j + 1) % segments; };
  b.beginSurface("mantle");
  for (std::uint32_t j = 0; j < segments; ++j) addQuad(b, j, next(j), segments + next(j), segments + j);
  b.beginSurface("bottom");
  for (std::uint32_t j = 0; j < segments; ++j) b.addTriangle(bottom, next(j), j);
  b.beginSurface("top");
  for (std::uint32_t j = 0; j < segments; ++j) b.addTriangle(top, segments + j, segments + next(j));
  return finished(b);
}

MeshPtr sliverFan(std::uint32_t n, double length, double width) {
  std::vector<Triangle> needles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    const Vec3 out{std::cos(a), std::sin(a), 0.25 * std::sin(3 * a)};
    const Vec3 side = normalized(cross(out, Vec3{0, 0, 1}));
    needles.push_back({{Vec3{}, length * out - 0.5 * width * side, length * out + 0.5 * width * side}});
  }
  return fromTriangles("sliver fan", needles);
}

MeshPtr degenerateSet() {
  const std::vector<Triangle> triangles{
      {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}},               // proper
      {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}},               // point at a corner
      {{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},               // point on an edge
      {{{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.5, 0.5, 0}}},   // point on the face
      {{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}},               // three corners on a line
      {{{0.5, 0.5, -1}, {0.5, 0.5, 1}, {0.5, 0.5, 1}}},  // segment through the face
      {{{0, 0, 2}, {2, 0, 2}, {0, 2, 2}}},               // proper
      {{{3, 0, 0}, {2, 0, 0}, {3, 0, 0}}},               // collinear with an edge, meets its end
      {{{2, 2, 2}, {2, 2, 2}, {1, 1, 2}}},               // ends on an edge
      {{{5, 5, 5}, {5, 5, 5}, {5, 5, 5}}},               // lone point
  };
  return fromTriangles("degenerate set", triangles, 2);
}

MeshPtr flatSheet(std::uint32_t n, std::uint32_t m) {
  TriangleMeshBuilder b("flat sheet");
  for (std::uint32_t j = 0; j <= m; ++j)
    for (std::uint32_t i = 0; i <= n; ++i) b.addPoint({double(i), double(j), 0});
  const auto id = [&](std::uint32_t i, std::uint32_t j) { return j * (n + 1) + i; };
  for (std::uint32_t j = 0; j < m; ++j)
    for (std::uint32_t i = 0; i < n; ++i) addQuad(b, id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1));
  return finished(b);
}

MeshPtr lShape(double size, double height) {
  const std::array<Vec3, 6> outline{
      {{0, 0, 0}, {size, 0, 0}, {size, 1, 0}, {1, 1, 0}, {1, size, 0}, {0, size, 0}}};
  TriangleMeshBuilder b("L");
  for (const Vec3& p : outline) b.addPoint(p);
  for (const Vec3& p : outline) b.addPoint(p + Vec3{0, 0, height});
  b.beginSurface("bottom");
  addQuad(b, 3, 2, 1, 0);
  addQuad(b, 0, 5, 4, 3);
  b.beginSurface("top");
  addQuad(b, 6, 7, 8, 9);
  addQuad(b, 9, 10, 11, 6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    b.beginSurface("side " + std::to_string(i));
    addQuad(b, i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i);
  }
  return finished(b);
}

MeshPtr soup(std::uint32_t n, std::uint64_t seed, double size, std::uint32_t surfaces) {
  Random random(seed);
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 centre = random.inCube(1);
    Triangle t;
    for (Vec3& v : t.v) v = centre + random.inCube(size / 2);
    triangles.push_back(t);
  }
  return fromTriangles("soup", triangles, surfaces);
}

MeshPtr latticeSoup(std::uint32_t n, std::uint64_t seed, int range, std::uint32_t surfaces) {
  Random random(seed);
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    Triangle t;
    for (Vec3& v : t.v)
      for (int k = 0; k < 3; ++k) v[k] = random.integer(0, range);
    triangles.push_back(t);
  }
  return fromTriangles("lattice soup", triangles, surfaces);
}

MeshPtr transformed(const MeshPtr& mesh, const Transform& map) {
  TriangleMeshBuilder b(mesh->name());
  for (std::uint32_t i = 0; i < mesh->points().size(); ++i) b.addPoint(map.apply(mesh->pointInPart(i)));
  for (const Surface& s : mesh->surfaces()) {
    b.beginSurface(s.name, s.colour);
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const TriangleIndices& t = mesh->triangles()[i];
      b.addTriangle(t[0], t[1], t[2], mesh->sourceTriangle(TriangleId(i)));
    }
  }
  return finished(b);
}

}  // namespace fitup::test
