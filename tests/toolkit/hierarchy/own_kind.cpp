// Tests a kind of hierarchy unknown to the toolkit, made only by the steps in CONTRIBUTING.md.
#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup/hierarchy/level_boxes.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>
#include <fitup/query/reproduction.h>

#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace own_kind_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

void requestPile(BuildOptions& options);
constexpr TreeKind pileKind{"pile", true, requestPile};
constexpr HierarchyKind pile{pileKind};

/// All triangles in one box.
class PileTree final : public HierarchyTree {
 public:
  explicit PileTree(const TriangleMesh& mesh) : box_(mesh.bounds()) {}

  [[nodiscard]] HierarchyKind kind() const noexcept override { return pile; }
  [[nodiscard]] std::size_t bytes() const noexcept override { return sizeof box_; }
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh) const override {
    if (box_.contains(mesh.bounds())) return std::nullopt;
    return "does not hold the mesh";
  }
  void visitBoxes(std::size_t, const BoxVisit& visit) const override {
    visit(0, true, fitup::detail::alignedBoxBetween(toVec3(box_.min), toVec3(box_.max)));
  }
  [[nodiscard]] std::shared_ptr<const HierarchyTree> refitted(const TriangleMesh& before,
                                                              const TriangleMesh& mesh, const RefitOptions&,
                                                              RefitCounts& counts) const override {
    CHECK_FALSE(problemFor(before));
    counts.corners += 3 * mesh.triangleCount();
    return std::make_shared<const PileTree>(mesh);
  }
  [[nodiscard]] double boxAreas() const noexcept override {
    return fitup::detail::halfArea(box_.max.x - box_.min.x, box_.max.y - box_.min.y, box_.max.z - box_.min.z);
  }
  void traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch&) const override {
    if (!task.placement.transformedToB(box_).overlaps(static_cast<const PileTree&>(treeOfB).box_)) return;
    for (std::uint32_t j = 0; j < task.b.triangleCount(); ++j) {
      TriangleTester tester(task.placement.placed(task.b.triangle(TriangleId{j})), task.touching);
      for (std::uint32_t i = 0; i < task.a.triangleCount(); ++i) {
        ++task.stats.triangleTests;
        if (tester.intersects(task.a.triangle(TriangleId{i})) && task.add(TriangleId{i}, TriangleId{j}))
          return;
      }
    }
  }

 private:
  Aabb box_;
};

void requestPile(BuildOptions& options) {
  if (!options.asksFor(pile))
    options.more.push_back({pile, 1, [](const TriangleMesh& mesh, const WorkMeter& meter) {
                              meter.advance(mesh.triangleCount());
                              return std::make_shared<const PileTree>(mesh);
                            }});
}

}  // namespace

TEST_CASE("a kind from elsewhere is built, asked, refitted and shown like the toolkit's own", "[hierarchy]") {
  const MeshPtr mesh = sixSidedBox(2, 2, 2, 6);
  const std::uint64_t n = mesh->triangleCount();
  BuildOptions options;
  options.add(pile);
  options.add(pile);
  CHECK(options.more.size() == 1);
  const ModelPtr model = modelOf(mesh, options), without = modelOf(mesh);
  CHECK(model->kinds() == std::vector{HierarchyKind::wide, pile});
  CHECK(model->hierarchyBytes(pile) == sizeof(Aabb));
  CHECK(CollisionModel::units(*mesh, options) == CollisionModel::units(*mesh, {}) + n);
  const Transform place = Transform::translation({0.5, 0.25, 0.125});
  const IntersectionRequest request{.hierarchy = pile};
  const IntersectionReport expected = bruteForce({model, {}}, {model, place});
  REQUIRE(expected.intersects());
  const IntersectionReport report = intersect({model, {}}, {model, place}, request);
  CHECK(sameAnswer(report, expected));
  CHECK(report.stats.triangleTests == n * n);  // by this tree and no other
  CHECK_THROWS_WITH(intersect({without, {}}, {model, place}, request), Catch::Contains("'pile'"));
  CHECK(
      sameAnswer(intersect({CollisionModel::with(without, options), {}}, {model, place}, request), expected));
  CHECK(levelBoxes(*model, pile, 5).size() == 1);
  CHECK(levelCount(*model, pile) == 1);

  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh->points().size(); ++i) points.push_back(mesh->pointInPart(i) * 2);
  const ModelPtr twice = model->refit(points);
  CHECK_FALSE(twice->tree(pile).problemFor(twice->mesh()));
  CHECK(model->tree(pile).problemFor(twice->mesh()));
  CHECK(twice->costGrowth(pile) == Approx(1));

  // Functions that rebuild a model request its kinds.
  const Discrepancy invented{"invented", {}};
  const Reproduction made = smallestReproduction(
      {model, {}}, {model, place},
      [&](const PosedModel& first, const PosedModel& second) -> std::optional<Discrepancy> {
        CHECK(first.model->has(pile));
        CHECK(second.model->has(pile));
        return std::nullopt;
      },
      invented, {}, 5);
  CHECK_FALSE(made.comesBack);
}

TEST_CASE("models carry the surface R-tree always, triangle R-trees where they are asked for",
          "[hierarchy]") {
  const MeshPtr mesh = sixSidedBox(1, 2, 3, 4);
  const ModelPtr lean = modelOf(mesh, BuildOptions{}), whole = modelOf(mesh, withScd());
  CHECK(lean->kinds() == std::vector{HierarchyKind::wide});
  CHECK(lean->rtrees().surfaceTree.count == 6);
  CHECK(lean->rtrees().isWellFormedFor(*mesh));
  CHECK(whole->kinds() == std::vector{HierarchyKind::wide, HierarchyKind::scd});
  CHECK(whole->hierarchyBytes() - lean->hierarchyBytes() > 32 * mesh->triangleCount());
  const IntersectionRequest scd{.hierarchy = HierarchyKind::scd};
  CHECK_THROWS_WITH(intersect({lean, {}}, {lean, {}}, scd), Catch::Contains("'scd'"));
  BuildOptions options;
  options.add(HierarchyKind::scd);
  const ModelPtr later = CollisionModel::with(lean, options);
  CHECK(sameAnswer(intersect({later, {}}, {whole, {}}, scd), bruteForce({later, {}}, {whole, {}})));
  CHECK(later->hierarchyBytes() == whole->hierarchyBytes());
  CHECK(&later->wide() == &lean->wide());  // shared, not built again
}

}  // namespace own_kind_tests
