#include <fitup/hierarchy/level_boxes.h>

#include <algorithm>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup_field/field_kinds.h>
#include <support/tiny_meshes.h>

namespace level_boxes_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

bool holds(const LevelBox& box, const Transform& boxFromPart, const Vec3& point, double tolerance) {
  const Vec3 p = boxFromPart.apply(point);
  for (int k = 0; k < 3; ++k)
    if (std::abs(p[k]) > box.half[k] + tolerance) return false;
  return true;
}

/// Returns the number of triangles that no box of the list contains.
std::size_t outside(const TriangleMesh& mesh, const std::vector<LevelBox>& boxes, double tolerance) {
  std::vector<Transform> inverses;
  for (const LevelBox& box : boxes) inverses.push_back(box.partFromBox.inverse());
  std::size_t count = 0;
  for (const TriangleIndices& corners : mesh.triangles()) {
    bool held = false;
    for (std::size_t i = 0; !held && i < boxes.size(); ++i)
      held = std::all_of(corners.begin(), corners.end(), [&](std::uint32_t c) {
        return holds(boxes[i], inverses[i], mesh.pointInPart(c), tolerance);
      });
    count += held ? 0 : 1;
  }
  return count;
}

/// Checks that each level contains the part. Returns the number of boxes in the last one.
std::size_t checkedLevels(const CollisionModel& model, HierarchyKind kind) {
  const std::size_t levels = levelCount(model, kind);
  REQUIRE(levels > 1);
  CHECK(levelBoxes(model, kind, 0).size() == 1);
  std::size_t before = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    const auto boxes = levelBoxes(model, kind, level);
    CHECK(boxes.size() >= before);
    CHECK(outside(model.mesh(), boxes, 1e-5) == 0);
    before = boxes.size();
  }
  CHECK(levelBoxes(model, kind, levels + 3).size() == before);
  return before;
}

/// Whether boxes of the last level are no larger than necessary.
bool isTight(const CollisionModel& model, HierarchyKind kind) {
  auto smaller = levelBoxes(model, kind, levelCount(model, kind));
  for (LevelBox& box : smaller) box.half = box.half * 0.9;
  return outside(model.mesh(), smaller, 0) > model.mesh().triangleCount() / 4;
}

}  // namespace

TEST_CASE("each level of a hierarchy holds the part, and the last is the finest") {
  BuildOptions compact;
  compact.wide = WideBvhOptions{.layout = WideLayout::compact};
  for (const MeshPtr& mesh : {sixSidedBox(2, 3, 4, 5), uvSphere(7, 24, 12, 6), soup(200, 3, 0.3, 4),
                              transformed(icosphere(1, 2), Transform::translation({1e6, -2e6, 5}))}) {
    for (const auto& [model, kind] :
         {std::pair(modelOf(mesh), HierarchyKind::scd), std::pair(modelOf(mesh), HierarchyKind::wide),
          std::pair(modelOf(mesh, compact), HierarchyKind::wide)}) {
      const std::size_t before = checkedLevels(*model, kind);
      if (kind == HierarchyKind::scd)
        CHECK(before == mesh->triangles().size());
      else
        CHECK(before >= mesh->triangles().size() / 8);
      CHECK(isTight(*model, kind));
    }
  }
}

TEST_CASE("levels of the field's hierarchies hold the part too") {
  const auto everyKind = [](const ResearchOptions& options) {
    BuildOptions build;
    for (const HierarchyKind kind : field::allHierarchyKinds()) field::add(build, kind, options);
    return build;
  };
  const BuildOptions all = everyKind({.k = DopKind::dop18});
  for (const MeshPtr& mesh : {sixSidedBox(2, 3, 4, 5), soup(200, 3, 0.3, 4),
                              transformed(icosphere(1, 2), Transform::translation({1e6, -2e6, 5}))}) {
    const std::size_t triangles = mesh->triangles().size();
    for (const bool withLeaves : {false, true}) {
      const ModelPtr model = modelOf(mesh, withLeaves ? everyKind({.withLeaves = true}) : all);
      for (const HierarchyKind kind : field::allHierarchyKinds()) {
        if (kind == HierarchyKind::wide || kind == HierarchyKind::scd) continue;
        CAPTURE(name(kind), withLeaves, triangles);
        const std::size_t before = checkedLevels(*model, kind);
        const bool leafless = !withLeaves && (kind == field::opcode || kind == field::opcodeQuantized);
        // Leaves of oriented boxes may hold several triangles.
        CHECK(before <= triangles);
        CHECK(before > triangles / 3);
        if (leafless) CHECK(before < triangles);
        if (!leafless && kind != field::obb) CHECK(before == triangles);
        // The restricted boxtree and 16-bit steps need not be tight, because they are loose by design.
        if (kind == field::box || kind == field::opcodeQuantized) continue;
        CHECK(isTight(*model, kind));
      }
    }
  }
  // A tree without leaves has no box around a single triangle.
  const ModelPtr single = modelOf(soup(1, 3, 0.3, 4), all);
  CHECK(levelBoxes(*single, field::opcode, 0).size() == 1);
  CHECK(outside(single->mesh(), levelBoxes(*single, field::opcode, 0), 1e-6) == 0);
  CHECK(levelCount(*single, field::opcode) == 1);
}

TEST_CASE("levels of hierarchies that do not exist") {
  const BuildOptions lean{.rtree = {}, .wide = std::nullopt};
  const ModelPtr model = modelOf(sixSidedBox(1, 1, 1, 2), lean);
  CHECK_THROWS_AS(levelBoxes(*model, HierarchyKind::wide, 0), NotBuiltError);
  CHECK_THROWS_AS(levelBoxes(*model, field::obb, 0), NotBuiltError);
  CHECK_THROWS_AS(levelBoxes(*model, HierarchyKind::scd, 0), NotBuiltError);
  CHECK(levelCount(*modelOf(emptyMesh()), HierarchyKind::wide) == 0);
  CHECK(levelBoxes(*modelOf(emptyMesh()), HierarchyKind::scd, 0).empty());
}

}  // namespace level_boxes_tests
