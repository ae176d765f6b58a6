#include <catch2/catch.hpp>

#include <array>
#include <bitset>
#include <cmath>
#include <stop_token>

#include <fitup/query/verdict.h>
#include <fitup/query/verify.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace coincidence_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

MeshPtr speck(const Vec3& at) { return fromTriangle({{at, at, at}}); }

std::vector<Transform> placements() {
  return {{}, shift(900, -500, 70) * Transform::rotation({1, 2, 3}, 1), Transform::scaling(-1, 1, 1)};
}

/// Returns the verdict of a pair in both orders, wherever both are placed together; checks it with the
/// oracle.
Verdict judge(const MeshPtr& a, const MeshPtr& b, double tolerance, const Transform& bAt = {}) {
  const BodyPtr bodyA = bodyOf(a), bodyB = bodyOf(b);
  const VerdictRequest request{.tolerance = tolerance};
  std::optional<Verdict> verdictOfAll;
  for (const Transform& both : placements()) {
    const PosedSolid first{bodyA, both}, second{bodyB, both * bAt};
    const VerdictReport there = verdict(first, second, request), back = verdict(second, first, request);
    CHECK(there.status == ReportStatus::complete);
    CHECK(there.verdict == back.verdict);
    CHECK(there.depth == back.depth);
    CHECK(there.depthErrorBound == back.depthErrorBound);
    if (there.verdict == Verdict::clash) {
      CHECK(there.point == back.point);
      CHECK(there.direction == back.direction);
      CHECK(there.regions.front().coincident == back.regions.front().coincident);
    }
    const VerdictCheck check = verifyVerdict(first, second, request, there);
    CHECK_FALSE(check.discrepancy);
    CHECK(there.verdict == verdictOfAll.value_or(there.verdict));
    verdictOfAll = there.verdict;
  }
  return *verdictOfAll;
}

}  // namespace

TEST_CASE("solids that stand twice in one place clash, whatever else their parts consist of",
          "[query][verdict][coincidence]") {
  const double t = 0.01;
  const MeshPtr cube = boxBetween({0, 0, 0}, {10, 10, 10}), elsewhere = boxBetween({20, 0, 0}, {21, 1, 1});
  CHECK(judge(cube, cube, t) == Verdict::clash);
  CHECK(judge(cube, joined({cube, elsewhere}), t) == Verdict::clash);
  CHECK(judge(cube, joined({cube, speck({20, 0, 0})}), t) == Verdict::clash);
  CHECK(judge(cube, joined({cube, transformed(flatSheet(1, 1), shift(20, 0, 0))}), t) == Verdict::clash);
  // Each has a piece of its own.
  CHECK(judge(joined({cube, boxBetween({0, 0, 30}, {1, 1, 31})}), joined({cube, elsewhere}), t) ==
        Verdict::clash);
  CHECK(judge(joined({boxBetween({-90, 0, 0}, {-80, 9, 9}), icosphere(5, 3)}),
              joined({transformed(icosphere(3, 2), shift(40, 0, 0)), icosphere(5, 3)}), t) == Verdict::clash);
  // One half of a part whose two halves make up the other part.
  const MeshPtr left = boxBetween({0, 0, 0}, {5, 10, 10}), right = boxBetween({5, 0, 0}, {10, 10, 10});
  CHECK(judge(left, joined({left, right}), t) == Verdict::clash);
  CHECK(judge(joined({left, elsewhere}), joined({right, left}), t) == Verdict::clash);
  // Displaced by less than the tolerance.
  for (const Vec3& off : {Vec3{0.005, 0, 0}, Vec3{-0.003, 0.005, 0.002}, Vec3{0, 0, -0.0095}})
    for (const MeshPtr& twice : {joined({cube, elsewhere}), joined({cube, speck({20, 0, 0})})}) {
      CHECK(judge(cube, twice, t, Transform::translation(off)) == Verdict::clash);
      CHECK(judge(cube, twice, t,
                  Transform::translation(off) * Transform::rigid(axisAngle({1, 1, 1}, 0.0002), {})) ==
            Verdict::clash);
    }
  // Another tessellation.
  CHECK(judge(sixSidedBox(10, 10, 10, 3), joined({sixSidedBox(10, 10, 10, 4), speck({20, 0, 0})}), t) ==
        Verdict::clash);
  // Hollow.
  const MeshPtr hollow = joined({cube, insideOut(boxBetween({3, 3, 3}, {7, 7, 7}))});
  CHECK(judge(hollow, joined({hollow, elsewhere}), t) == Verdict::clash);
}

TEST_CASE("a solid that stands twice is small, or many", "[query][verdict][coincidence]") {
  const MeshPtr small = boxBetween({30, 30, 30}, {31, 31, 31});
  CHECK(judge(joined({icosphere(20, 2), small}),
              joined({small, transformed(icosphere(20, 2), shift(90, 0, 0))}), 0.01) == Verdict::clash);
  std::vector<MeshPtr> some, others;
  for (int i = 0; i < 60; ++i) {
    const MeshPtr ball = transformed(icosphere(1, 0), shift(3 * i, 0, 0));
    if (i % 2 == 0 || i == 31) some.push_back(ball);
    if (i % 2 == 1) others.push_back(ball);
  }
  CHECK(judge(joined(some), joined(others), 0.01) == Verdict::clash);
  some.erase(some.begin() + 16);
  CHECK(judge(joined(some), joined(others), 0.01) != Verdict::clash);
  // Three rods through one place, where no triangle has its middle.
  CHECK(judge(joined({boxBetween({0, 4, 4}, {12, 5, 5}), boxBetween({4, 0, 4}, {5, 12, 5})}),
              boxBetween({4, 4, 0}, {5, 5, 12}), 0.01) == Verdict::clash);
}

TEST_CASE("what shares a face or fills a cavity and no volume is in contact",
          "[query][verdict][coincidence]") {
  const double t = 0.01;
  const MeshPtr left = boxBetween({0, 0, 0}, {5, 10, 10}), right = boxBetween({5, 0, 0}, {10, 10, 10}),
                elsewhere = boxBetween({20, 0, 0}, {21, 1, 1}), core = boxBetween({3, 3, 3}, {7, 7, 7});
  CHECK(judge(left, joined({right, elsewhere}), t) == Verdict::contact);
  CHECK(judge(joined({left, elsewhere}), joined({right, boxBetween({21, 0, 0}, {22, 1, 1})}), t) ==
        Verdict::contact);
  for (const Vec3& off : {Vec3{0.005, 0, 0}, Vec3{-0.005, 0.002, 0}})
    CHECK(judge(left, joined({right, elsewhere}), t, Transform::translation(off)) == Verdict::contact);
  const MeshPtr hollow = joined({boxBetween({0, 0, 0}, {10, 10, 10}), insideOut(core)});
  CHECK(judge(hollow, core, t) == Verdict::contact);
  CHECK(judge(hollow, joined({core, elsewhere}), t, shift(0.004, 0, -0.003)) == Verdict::contact);
  // A pile: each lies in the box of the others.
  CHECK(judge(joined({boxBetween({0, 0, 0}, {9, 9, 1}), boxBetween({0, 0, 2}, {9, 9, 3})}),
              joined({boxBetween({0, 0, 1}, {9, 9, 2}), boxBetween({0, 0, 3}, {9, 9, 4})}),
              t) == Verdict::contact);
  // No point of a plate is deeper than half its thickness; beyond that, each encloses the middle of the
  // other.
  const MeshPtr plate = boxBetween({0, 0, 0}, {10, 10, 0.15});
  for (const double tolerance : {0.06, 0.075, 0.1, 1.0})
    CHECK(judge(plate, joined({plate, elsewhere}), tolerance) == Verdict::clash);
  // A cube has deep points only in its middle, not below the middles of its triangles.
  CHECK(judge(boxBetween({0, 0, 0}, {1, 1, 1}), joined({boxBetween({0, 0, 0}, {1, 1, 1}), elsewhere}),
              0.42) == Verdict::clash);
}

TEST_CASE("open bodies in one place clash where they clearly enclose a point",
          "[query][verdict][coincidence]") {
  const MeshPtr cube = boxBetween({0, 0, 0}, {10, 10, 10});
  std::vector<Triangle> sides;
  for (std::uint32_t i = 0; i + 2 < cube->triangleCount(); ++i) {
    Triangle t = cube->triangle(TriangleId{i});
    for (Vec3& v : t.v) v = v + cube->origin();
    sides.push_back(t);
  }
  const MeshPtr cup = fromTriangles("cup", sides);
  const BodyPtr open = bodyOf(cup), both = bodyOf(joined({cup, boxBetween({20, 0, 0}, {30, 9, 9})})),
                beside = bodyOf(boxBetween({20, 0, 0}, {30, 9, 9})), closed = bodyOf(cube);
  const VerdictRequest request{.tolerance = 0.01};
  for (const BodyPtr& other : {open, both, closed}) {
    const VerdictReport report = verdict({open, {}}, {other, {}}, request);
    CHECK(report.verdict == Verdict::clash);
    CHECK(report.depthIsLowerBound);
  }
  const VerdictReport report = verdict({both, {}}, {beside, {}}, request);
  CHECK(report.verdict == Verdict::clash);
  CHECK(report.depthIsLowerBound);
  CHECK_FALSE(verifyVerdict({both, {}}, {beside, {}}, request, report).discrepancy);
}

TEST_CASE("open bodies in one place are undecided where they may enclose a point",
          "[query][verdict][coincidence]") {
  // Without two faces, a box surrounds the points in its middle by two thirds; those near its sides it
  // encloses.
  const MeshPtr cube = boxBetween({0, 0, 0}, {10, 10, 10});
  std::vector<Triangle> sides;
  for (std::uint32_t i = 0; i < cube->triangleCount(); ++i) {
    Triangle t = cube->triangle(TriangleId{i});
    for (Vec3& v : t.v) v = v + cube->origin();
    const double z = t.v[0].z;
    if (t.v[1].z != z || t.v[2].z != z) sides.push_back(t);
  }
  REQUIRE(sides.size() == 8);
  const MeshPtr sleeve = fromTriangles("sleeve", sides);
  const BodyPtr open = bodyOf(sleeve), both = bodyOf(joined({sleeve, boxBetween({20, 0, 0}, {30, 9, 9})})),
                closed = bodyOf(cube), beside = bodyOf(boxBetween({10, 0, 0}, {20, 10, 10}));
  const VerdictRequest request{.tolerance = 4};
  for (const BodyPtr& other : {open, both, closed}) {
    const VerdictReport report = verdict({open, {}}, {other, {}}, request);
    CHECK(report.verdict == Verdict::undecided);
    CHECK(report.undecidedBecause.find("'sleeve'") != std::string::npos);
  }
  CHECK(verdict({open, {}}, {beside, {}}, request).verdict == Verdict::contact);
  CHECK(verdict({open, {}}, {both, {}}, {.tolerance = 0.01}).verdict == Verdict::clash);
}

TEST_CASE("bodies are scaled and sheared together", "[query][verdict][coincidence]") {
  const MeshPtr cube = boxBetween({0, 0, 0}, {10, 10, 10});
  const BodyPtr a = bodyOf(cube), b = bodyOf(joined({cube, boxBetween({20, 0, 0}, {21, 1, 1})}));
  const VerdictRequest request{.tolerance = 0.01};
  for (const Transform& both : {Transform::scaling(2, 2, 2), Transform::scaling(-2, 1, 3)}) {
    const VerdictReport there = verdict({a, both}, {b, both}, request),
                        back = verdict({b, both}, {a, both}, request);
    CHECK(there.verdict == Verdict::clash);
    CHECK(there.depth == back.depth);
    CHECK(there.point == back.point);
    CHECK_FALSE(verifyVerdict({a, both}, {b, both}, request, there).discrepancy);
  }
}

TEST_CASE("a search for solids in one place ends when it is asked to", "[query][verdict][coincidence]") {
  // Of many triangles, so that a look at all of them takes a while, and thin.
  const MeshPtr plate = sixSidedBox(100, 100, 0.15, 60);
  const BodyPtr a = bodyOf(plate);
  VerdictRequest request{.tolerance = 0.1};
  std::stop_source cancel;
  request.limits.cancel = cancel.get_token();
  cancel.request_stop();
  CHECK(verdict({a, {}}, {a, {}}, request).status == ReportStatus::cancelled);
  request = {.tolerance = 0.1};
  const VerdictReport whole = verdict({a, {}}, {a, {}}, request);
  CHECK(whole.status == ReportStatus::complete);
  CHECK(whole.verdict == Verdict::clash);
}

namespace {

/// Boxes between whole numbers, whose common volume is that of grid cells.
class GridPart {
 public:
  static constexpr int cells = 5;

  /// Unless `mayOverlap`, boxes are left out that share cells with earlier ones.
  explicit GridPart(bool mayOverlap) : mayOverlap_(mayOverlap) {}

  void add(const std::array<int, 3>& low, const std::array<int, 3>& high) {
    std::bitset<cells * cells * cells> box;
    for (int x = low[0]; x < high[0]; ++x)
      for (int y = low[1]; y < high[1]; ++y)
        for (int z = low[2]; z < high[2]; ++z) box.set(static_cast<std::size_t>((x * cells + y) * cells + z));
    if (!mayOverlap_ && (material_ & box).any()) return;
    // A box in another one would bound a cavity.
    for (const auto& earlier : solids_)
      if ((earlier & box) == box || (earlier & box) == earlier) return;
    solids_.push_back(box);
    material_ |= box;
    meshes_.push_back(boxBetween({double(low[0]), double(low[1]), double(low[2])},
                                 {double(high[0]), double(high[1]), double(high[2])}));
  }
  void addSome(Random& random, int count) {
    for (int k = 0; k < count; ++k) {
      std::array<int, 3> low{}, high{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = random.integer(0, cells - 1);
        high[axis] = random.integer(low[axis] + 1, std::min(cells, low[axis] + 3));
      }
      add(low, high);
      boxes_.emplace_back(low, high);
    }
  }
  /// Returns one of its boxes, possibly one that was left out.
  [[nodiscard]] const std::pair<std::array<int, 3>, std::array<int, 3>>& some(Random& random) const {
    return boxes_[random.below(static_cast<std::uint32_t>(boxes_.size()))];
  }
  [[nodiscard]] bool overlaps(const GridPart& other) const { return (material_ & other.material_).any(); }
  [[nodiscard]] MeshPtr mesh() const { return joined(meshes_); }

 private:
  bool mayOverlap_;
  std::bitset<cells * cells * cells> material_;
  std::vector<std::bitset<cells * cells * cells>> solids_;
  std::vector<MeshPtr> meshes_;
  std::vector<std::pair<std::array<int, 3>, std::array<int, 3>>> boxes_;
};

}  // namespace

TEST_CASE("parts of boxes that share solids, faces and edges clash where cells of a grid are in both",
          "[query][verdict][coincidence]") {
  Random random(20);
  int clashes = 0, coincident = 0;
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    GridPart a(round % 2 == 1), b(round % 2 == 1);
    a.addSome(random, random.integer(1, 4));
    for (int k = random.integer(0, 2); k > 0; --k) {
      const auto& [low, high] = a.some(random);
      b.add(low, high);
    }
    b.addSome(random, random.integer(1, 3));
    const BodyPtr first = bodyOf(a.mesh()), second = bodyOf(b.mesh());
    const Transform both = placements()[random.below(3)];
    const Transform off = random.below(2) == 0 ? Transform{} : Transform::translation(random.inCube(0.005));
    const VerdictRequest request{.tolerance = 0.01};
    const PosedSolid p{first, both}, q{second, both * off};
    const VerdictReport report = verdict(p, q, request);
    CHECK((report.verdict == Verdict::clash) == a.overlaps(b));
    CHECK_FALSE(verifyVerdict(p, q, request, report, {}, 200).discrepancy);
    if (report.verdict != Verdict::clash) continue;
    ++clashes;
    if (!report.regions.front().coincident) continue;
    ++coincident;
    CHECK(*report.depth > 0.4);
    // The oracle alone sees it, too.
    VerdictReport wrong;
    wrong.verdict = Verdict::contact;
    wrong.tolerance = report.tolerance;
    CHECK(verifyVerdict(p, q, request, wrong).discrepancy);
  }
  // All kinds occur.
  CHECK(clashes > 100);
  CHECK(clashes < 350);
  CHECK(coincident > 20);
}

}  // namespace coincidence_tests
