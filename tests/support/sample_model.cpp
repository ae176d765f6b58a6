#include "sample_model.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace fitup::test {
namespace {

template <typename T>
bool sameBytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool sameSurface(const Surface& a, const Surface& b) {
  return a.name == b.name && a.colour == b.colour && a.description == b.description &&
         a.firstTriangle == b.firstTriangle && a.triangleCount == b.triangleCount &&
         a.fingerprint == b.fingerprint && a.chordError == b.chordError;
}

bool sameMesh(const TriangleMesh& a, const TriangleMesh& b) {
  return a.name() == b.name() && a.origin() == b.origin() && a.deflection() == b.deflection() &&
         sameBytes(a.points(), b.points()) && sameBytes(a.triangles(), b.triangles()) &&
         sameBytes(a.data().sourceTriangles.span(), b.data().sourceTriangles.span()) &&
         sameBytes(a.featureEdges(), b.featureEdges()) &&
         sameBytes(a.data().edgePoints.span(), b.data().edgePoints.span()) &&
         std::equal(a.surfaces().begin(), a.surfaces().end(), b.surfaces().begin(), b.surfaces().end(),
                    sameSurface) &&
         a.validation().degenerateTriangles == b.validation().degenerateTriangles &&
         a.validation().largestRounding == b.validation().largestRounding &&
         a.contentHash() == b.contentHash();
}

bool sameNode(const AssemblyNode& a, const AssemblyNode& b) {
  return a.name == b.name && a.parent == b.parent && a.children == b.children && a.part == b.part &&
         a.colour == b.colour && a.layers == b.layers && a.parentFromNode == b.parentFromNode;
}

bool sameTrees(const ScdTrees& a, const ScdTrees& b) {
  return a.options == b.options && sameBytes(a.entries.span(), b.entries.span()) &&
         sameBytes(a.triangleTrees.span(), b.triangleTrees.span()) &&
         std::memcmp(&a.surfaceTree, &b.surfaceTree, sizeof a.surfaceTree) == 0;
}

bool sameWide(const CollisionModel& a, const CollisionModel& b) {
  if (a.hasWide() != b.hasWide()) return false;
  if (!a.hasWide()) return true;
  const WideBvh &x = a.wide(), &y = b.wide();
  return x.layout == y.layout && sameBytes(x.nodes.span(), y.nodes.span()) &&
         sameBytes(x.compactNodes.span(), y.compactNodes.span()) &&
         sameBytes(x.frames.span(), y.frames.span()) && sameBytes(x.packets.span(), y.packets.span()) &&
         sameBytes(x.triangleAt.span(), y.triangleAt.span());
}

std::shared_ptr<const TriangleMesh> describedMesh() {
  TriangleMeshBuilder builder("wedge, \"sharp\"");
  builder.setDeflection({0.1, 0.5});
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0.1, 0.2, 0.7}})
    builder.addPoint(p);
  SurfaceDescription cylinder;
  cylinder.kind = SurfaceKind::cylinder;
  cylinder.radius = 6;
  cylinder.point = {1, 2, 3};
  builder.beginSurface("base", Colour{1, 0.5F, 0.25F, 1}, cylinder);
  builder.addTriangle(0, 2, 1, 7);
  builder.addTriangle(0, 0, 1, 8);  // degenerate, but kept
  builder.setChordError(0.0625);
  builder.beginSurface("lost");
  builder.beginSurface();
  builder.addTriangle(0, 1, 3);
  builder.addFeatureEdge(std::array{1U, 0U}, SurfaceId(2), SurfaceId(0));
  builder.addFeatureEdge(std::array{1U, 2U, 0U}, SurfaceId(0), {});
  return std::make_shared<const TriangleMesh>(builder.build());
}

std::shared_ptr<const TriangleMesh> plainMesh() {
  TriangleMeshBuilder builder("sheet");
  for (int i = 0; i < 12; ++i) builder.addPoint({1000.0 + i % 4, 0.1 * i, 0.3});
  for (std::uint32_t i = 0; i + 2 < 12; ++i) builder.addTriangle(i, i + 1, i + 2);
  return std::make_shared<const TriangleMesh>(builder.build());
}

}  // namespace

Model sampleModel() {
  Model model;
  model.assembly = Assembly("sample");
  model.assembly.setUnit("in");
  model.assembly.setUpAxis(UpAxis::y);
  const auto wedge = describedMesh();
  const PartId a = model.assembly.addPart(wedge), b = model.assembly.addPart(plainMesh());
  const PartId again = model.assembly.addPart(wedge);
  const NodeId root = model.assembly.addNode("top", Transform::rotation({0, 0, 1}, 0.3));
  model.assembly.addNode("a/b#1", Transform::translation({1, 2, 3}), root, a, Colour{0, 0, 1, 0.5F});
  model.assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), root, b);
  model.assembly.addNode("mirrored", Transform::scaling(1, 2, 0.5), std::nullopt, again);
  model.assembly.setLayers(root, {"7", "piping, \"hot\""});
  model.source = {"sample.step", digestOf("sample"), "linear 0.1", {{"other.stp", digestOf("other")}}};
  model.warnings = {{"wedge: face 1", "could not be tessellated", true}, {"file", "old", false}};
  const ExactShape shape(
      std::vector<std::byte>(100, std::byte{7}));  // shape of the wedge, which occurs twice
  model.exactShapes = {shape, {}, shape};
  BuildOptions build;
  build.add(HierarchyKind::scd);
  model.collisionModels = buildCollisionModels(model.assembly, build, {}, 1);
  return model;
}

bool sameModel(const Model& a, const Model& b) {
  const Assembly &x = a.assembly, &y = b.assembly;
  if (x.name() != y.name() || x.unit() != y.unit() || x.upAxis() != y.upAxis() ||
      x.partCount() != y.partCount())
    return false;
  for (std::uint32_t p = 0; p < x.partCount(); ++p)
    if (!sameMesh(x.part(PartId(p)), y.part(PartId(p)))) return false;
  if (a.collisionModels.size() != b.collisionModels.size()) return false;
  const auto sameShape = [](const ExactShape& s, const ExactShape& t) {
    return sameBytes(s.span(), t.span());
  };
  if (!std::equal(a.exactShapes.begin(), a.exactShapes.end(), b.exactShapes.begin(), b.exactShapes.end(),
                  sameShape))
    return false;
  for (std::size_t p = 0; p < a.collisionModels.size(); ++p)
    if (!sameTrees(a.collisionModels[p]->rtrees(), b.collisionModels[p]->rtrees()) ||
        !sameWide(*a.collisionModels[p], *b.collisionModels[p]))
      return false;
  return std::equal(x.nodes().begin(), x.nodes().end(), y.nodes().begin(), y.nodes().end(), sameNode) &&
         a.source == b.source && a.warnings == b.warnings;
}

}  // namespace fitup::test
