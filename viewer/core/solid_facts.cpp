#include <viewer/core/solid_facts.h>

#include <cmath>

#include <fitup/hierarchy/solid_model.h>

namespace fitup::viewer {
namespace {

double areaOf(const TriangleMesh& mesh, const Transform& placement) {
  double area = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    area +=
        norm(cross(placement.applyToVector(t.v[1] - t.v[0]), placement.applyToVector(t.v[2] - t.v[0]))) / 2;
  }
  return area;
}

}  // namespace

const SolidFactsFinder::OfMesh& SolidFactsFinder::ofMesh(const std::shared_ptr<const TriangleMesh>& mesh) {
  const auto [at, fresh] = known_.try_emplace(mesh->contentHash());
  if (!fresh) return at->second;
  const auto solid = SolidModel::build(CollisionModel::build(mesh));
  const Watertightness& watertightness = solid->watertightness();
  at->second = {areaOf(*mesh, {}), watertightness.volume(), watertightness.closed(), text(*solid)};
  return at->second;
}

std::optional<SolidFacts> SolidFactsFinder::find(const std::vector<PlacedPart>& parts,
                                                 const Progress& progress) {
  SolidFacts facts;
  facts.parts = parts.size();
  double volume = 0;
  for (const PlacedPart& part : parts) {
    if (progress.cancelled()) return std::nullopt;
    const TriangleMesh& mesh = *part.mesh;
    const OfMesh& own = ofMesh(part.mesh);
    const bool scaled = part.worldFromPart.kind() == TransformKind::affine;
    facts.area += scaled ? areaOf(mesh, part.worldFromPart) : own.area;
    volume += own.volume * std::abs(part.worldFromPart.determinant());
    facts.closedParts += own.closed;
    if (parts.size() == 1) facts.watertightness = own.watertightness;
    for (const TriangleIndices& corners : mesh.triangles())
      for (const std::uint32_t point : corners)
        facts.bounds.extend(part.worldFromPart.apply(mesh.pointInPart(point)));
  }
  if (facts.parts > 0 && facts.closedParts == facts.parts) facts.volume = volume;
  return facts;
}

}  // namespace fitup::viewer
