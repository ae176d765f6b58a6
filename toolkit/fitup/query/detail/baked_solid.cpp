#include <fitup/query/detail/baked_solid.h>

#include <cmath>

#include <fitup/mesh/triangle_mesh.h>
#include <fitup/query/detail/stretch.h>

namespace fitup::detail {

bool needsBakedSolids(const PosedSolid& first, const PosedSolid& second) noexcept {
  return first.worldFromPart.kind() == TransformKind::affine ||
         second.worldFromPart.kind() == TransformKind::affine;
}

double bakedRounding(const PosedSolid& body) {
  const Aabb& bounds = body.solid->mesh().bounds();
  if (bounds.empty()) return 0;
  // Coordinates are stored relative to a point near the centre of the copy, so none exceeds its diameter.
  return std::sqrt(3.0) * 0x1p-24 * 2 * norm(bounds.halfExtent()) * stretchOf(body.worldFromPart);
}

std::shared_ptr<const SolidModel> bakedSolid(const PosedSolid& body) {
  const TriangleMesh& mesh = body.solid->mesh();
  // A reflection turns triangles inside out.
  const bool turn = body.worldFromPart.determinant() < 0;
  TriangleMeshBuilder builder(mesh.name());
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    builder.addPoint(body.worldFromPart.apply(mesh.pointInPart(i)));
  for (const Surface& s : mesh.surfaces()) {
    builder.beginSurface(s.name);
    if (s.chordError) builder.setChordError(*s.chordError * stretchOf(body.worldFromPart));
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const TriangleIndices& t = mesh.triangles()[i];
      builder.addTriangle(t[0], t[turn ? 2 : 1], t[turn ? 1 : 2], mesh.sourceTriangle(TriangleId{i}));
    }
  }
  return SolidModel::build(CollisionModel::build(std::make_shared<const TriangleMesh>(builder.build())));
}

}  // namespace fitup::detail
