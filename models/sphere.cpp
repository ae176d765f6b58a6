#include <models/sphere.h>

#include <cmath>
#include <map>
#include <memory>
#include <tuple>

namespace fitup::models {
namespace {

constexpr double golden = 1.6180339887498948482;
constexpr Vec3 corners[12] = {{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0},
                              {0, -1, golden}, {0, 1, golden}, {0, -1, -golden}, {0, 1, -golden},
                              {golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1}};
constexpr int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                              {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                              {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                              {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

}  // namespace

TriangleMesh makeSphere(const SphereOptions& options) {
  TriangleMeshBuilder builder("sphere");
  SurfaceDescription description;
  description.kind = SurfaceKind::sphere;
  description.radius = options.radius;
  const int n = options.frequency;
  // A point is known by its weights on the corners it depends on, so faces share the points of their edges
  // exactly.
  using Weights = std::map<int, int>;
  std::map<Weights, std::uint32_t> known;
  const auto point = [&](const int* face, int b, int c) {
    Weights weights;
    const int w[3] = {n - b - c, b, c};
    for (int k = 0; k < 3; ++k)
      if (w[k] > 0) weights[face[k]] = w[k];
    const auto [it, isNew] = known.try_emplace(weights, 0U);
    if (isNew) {
      Vec3 sum;
      for (const auto& [corner, weight] : weights) sum = sum + corners[corner] * static_cast<double>(weight);
      it->second = builder.addPoint(sum * (options.radius / norm(sum)));
    }
    return it->second;
  };
  if (!options.patches) builder.beginSurface({}, {}, description);
  for (const auto& face : faces) {
    if (options.patches) builder.beginSurface({}, {}, description);
    for (int b = 0; b < n; ++b)
      for (int c = 0; b + c < n; ++c) {
        builder.addTriangle(point(face, b, c), point(face, b + 1, c), point(face, b, c + 1));
        if (b + c + 1 < n)
          builder.addTriangle(point(face, b + 1, c), point(face, b + 1, c + 1), point(face, b, c + 1));
      }
  }
  return builder.build();
}

Assembly makeConcentricSpheres(double gap, int frequency) {
  Assembly assembly("concentric-spheres");
  const NodeId root = assembly.addNode("concentric-spheres", {});
  for (const bool outer : {false, true}) {
    const PartId part = assembly.addPart(
        std::make_shared<const TriangleMesh>(makeSphere({outer ? 1 + gap : 1.0, frequency, false})));
    assembly.addNode(outer ? "outer" : "inner", {}, root, part);
  }
  return assembly;
}

}  // namespace fitup::models
