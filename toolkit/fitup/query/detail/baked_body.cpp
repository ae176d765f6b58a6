#include <fitup/query/detail/baked_body.h>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

std::shared_ptr<const BodyModel> bakedBody(const PosedBody& body) {
  const TriangleMesh& mesh = body.body.mesh();
  // A reflection turns triangles inside out.
  const bool turn = body.worldFromPart.determinant() < 0;
  TriangleMeshBuilder builder(mesh.name());
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    builder.addPoint(body.worldFromPart.apply(mesh.pointInPart(i)));
  for (const Surface& s : mesh.surfaces()) {
    builder.beginSurface(s.name);
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const TriangleIndices& t = mesh.triangles()[i];
      builder.addTriangle(t[0], t[turn ? 2 : 1], t[turn ? 1 : 2], mesh.sourceTriangle(TriangleId{i}));
    }
  }
  BuildOptions options;
  options.triangleTrees = false;
  return BodyModel::build(
      CollisionModel::build(std::make_shared<const TriangleMesh>(builder.build()), options));
}

}  // namespace fitup::detail
