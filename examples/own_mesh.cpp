// Checks two meshes from arrays of the program: which of its own faces meet, and is that a clash?
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup/scene/interference.h>

// A box as an application might store it: points, triangles, and its own face number for each triangle.
struct MyBox {
  std::vector<fitup::Vec3> points;
  std::vector<fitup::TriangleIndices> triangles;
  std::vector<std::uint64_t> faces;
};

constexpr std::array<std::string_view, 6> faceNames{"bottom", "top", "front", "back", "left", "right"};

MyBox makeBox(double x, double y, double z, std::uint64_t firstFace) {
  MyBox box;
  for (int i = 0; i < 8; ++i) box.points.push_back({i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0});
  box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (std::uint64_t k = 0; k < 12; ++k) box.faces.push_back(firstFace + k / 2);
  return box;
}

int main() try {
  const MyBox table = makeBox(100, 60, 10, 100), block = makeBox(20, 20, 20, 200);

  // 1. The arrays become parts of an assembly, each with one instance.
  fitup::Assembly assembly("workshop");
  const auto add = [&assembly](const char* name, const MyBox& box, const fitup::Transform& placement) {
    const auto mesh = fitup::TriangleMesh::from(box.points, box.triangles, box.faces, name);
    return assembly.addNode(name, placement, {},
                            assembly.addPart(std::make_shared<fitup::TriangleMesh>(mesh)));
  };
  add("table", table, {});
  add("block", block, fitup::Transform::translation({40, 20, 8}));  // overlaps by 2 mm

  // 2. Every pair of instances is checked, with a verdict at a tolerance of 0.01 mm.
  fitup::InterferenceOptions options;
  options.request.mode = fitup::QueryMode::allSurfacePairs;
  options.verdict = fitup::VerdictOptions{.tolerance = 0.01};
  const fitup::InterferenceReport report = fitup::checkAllPairs(fitup::Scene(assembly), {}, options);

  // 3. The tag of a surface is the number that the arrays gave to its triangles.
  for (const fitup::PairInterference& pair : report.pairs) {
    std::cout << assembly.path(pair.a) << " and " << assembly.path(pair.b) << ": "
              << name(pair.verdict->verdict);
    if (pair.verdict->depth) std::cout << ", " << *pair.verdict->depth << " " << assembly.unit() << " deep";
    std::cout << "\n";
    for (const fitup::SurfacePair& hit : pair.report.surfacePairs) {
      const std::uint64_t a = assembly.meshOf(pair.a).surfaces()[index(hit.a)].tag;
      const std::uint64_t b = assembly.meshOf(pair.b).surfaces()[index(hit.b)].tag;
      std::cout << "  face " << a << " (" << faceNames[a - 100] << ") meets face " << b << " ("
                << faceNames[b - 200] << ")\n";
    }
  }
  // 4. A mesh with holes has no inside, so its verdicts are incomplete.
  if (!report.openParts.empty()) std::cout << fitup::openPartsText(report.openParts.size()) << "\n";
  return report.needsAction() ? 1 : 0;
} catch (const fitup::Error& error) {
  std::cerr << error.what() << "\n";
  return 2;
}
