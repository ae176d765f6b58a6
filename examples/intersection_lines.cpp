// Finds which triangles of two boxes in memory intersect, and along which segments.
#include <iostream>

#include <fitup/io/mesh_export.h>
#include <fitup/query/intersect.h>
#include <fitup/query/intersection_lines.h>

using namespace fitup;

namespace {

/// A cube with a surface for each face.
TriangleMesh cube(double size) {
  TriangleMeshBuilder builder("cube");
  for (int i = 0; i < 8; ++i) builder.addPoint({size * (i & 1), size * (i >> 1 & 1), size * (i >> 2 & 1)});
  const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    builder.beginSurface();
    builder.addTriangle(f[0], f[1], f[2]);
    builder.addTriangle(f[0], f[2], f[3]);
  }
  return builder.build();
}

}  // namespace

int main() {
  const auto mesh = std::make_shared<TriangleMesh>(cube(10));
  const auto model = CollisionModel::build(mesh);
  const PosedModel first{model, {}};
  const PosedModel second{model, Transform::rigid(axisAngle({0, 0, 1}, 0.3), {7, 6, 4})};
  const IntersectionReport report = intersect(first, second);
  std::cout << report.surfacePairs.size() << " pairs of surfaces, " << report.trianglePairs.size()
            << " pairs of triangles\n";

  for (const IntersectionLine& line : intersectionLines(first, second, report)) {
    for (const Vec3& p : line.common.corners()) std::cout << "(" << p.x << ", " << p.y << ", " << p.z << ") ";
    std::cout << "to within " << line.common.errorBound << "\n";
  }

  Assembly assembly("two cubes");
  const PartId part = assembly.addPart(mesh);
  assembly.addNode("left", first.worldFromPart, {}, part);
  assembly.addNode("right", second.worldFromPart, {}, part);
  writeObj("example_first_check.obj", assembly);
  return report.intersects() ? 0 : 1;
}
