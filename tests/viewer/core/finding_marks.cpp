#include <viewer/core/finding_marks.h>

#include <catch2/catch.hpp>

#include "support/tiny_meshes.h"

namespace finding_marks_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

struct Two {
  Assembly assembly{"two"};
  NodeId a{}, b{};
  Two(const MeshPtr& first, const MeshPtr& second, const Transform& at) {
    a = assembly.addNode("a", {}, {}, assembly.addPart(first));
    b = assembly.addNode("b", at, {}, assembly.addPart(second));
  }
  [[nodiscard]] IntersectionMarks marks() const { return marksOf(Scene(assembly), {}, a, b); }
};

double areaOf(const IntersectionRegion& region) {
  double area = 0;
  for (const Triangle& t : region.pieces) area += 0.5 * norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
  return area;
}

}  // namespace

TEST_CASE("the region of a finding is what lies inside the other part", "[viewer][marks]") {
  // The second box reaches by 0.5 into the first one, through one of its faces.
  const Two boxes(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), Transform::translation({2, 0, 0}));
  const IntersectionMarks marks = boxes.marks();
  CHECK_FALSE(marks.isCut());
  CHECK_FALSE(marks.lines.empty());
  CHECK(areaOf(marks.regions[0]) == Approx(1).epsilon(0.05));
  CHECK(areaOf(marks.regions[1]) == Approx(1 + 4 * 0.5).epsilon(0.05));
  for (const Triangle& t : marks.regions[1].pieces)
    for (const Vec3& p : t.v) CHECK(p.x <= 2.03);
}

TEST_CASE("a part inside another one is a region as a whole, one beside it has none", "[viewer][marks]") {
  const IntersectionMarks inside =
      Two(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), Transform::translation({0.5, 0, 0})).marks();
  CHECK(inside.lines.empty());
  CHECK(inside.regions[0].pieces.empty());
  CHECK(areaOf(inside.regions[1]) == Approx(6));
  const IntersectionMarks beside =
      Two(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), Transform::translation({2.5, 0, 0})).marks();
  CHECK_FALSE(beside.lines.empty());  // they touch
  CHECK(areaOf(beside.regions[0]) + areaOf(beside.regions[1]) < 1e-9);
  const IntersectionMarks apart =
      Two(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), Transform::translation({9, 0, 0})).marks();
  CHECK(apart.lines.empty());
}

TEST_CASE("nothing is inside an open part, and pieces are limited", "[viewer][marks]") {
  const Vec3 corners[] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
  const TriangleIndices halves[] = {{0, 1, 2}, {0, 2, 3}};
  const auto open = std::make_shared<const TriangleMesh>(TriangleMesh::from(corners, halves));
  const IntersectionMarks marks = Two(open, sixSidedBox(1, 1, 1), {}).marks();
  CHECK(marks.regions[1].pieces.empty());
  CHECK(areaOf(marks.regions[0]) == Approx(1).epsilon(0.1));
  const Two boxes(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), Transform::translation({2, 0.1, 0.2}));
  const IntersectionMarks few = marksOf(Scene(boxes.assembly), {}, boxes.a, boxes.b, {}, 20);
  CHECK(few.isCut());
  CHECK(few.regions[0].pieces.size() + few.regions[1].pieces.size() <= 40);
}

TEST_CASE("pairs that need action are marked, unless nothing of them is seen or there are too many",
          "[viewer][marks]") {
  InterferenceReport report;
  const auto add = [&](std::uint32_t a, std::uint32_t b, Verdict verdict) {
    PairInterference pair;
    pair.a = NodeId{a};
    pair.b = NodeId{b};
    pair.report.surfacePairs.emplace_back();
    pair.verdict.emplace();
    pair.verdict->verdict = verdict;
    pair.verdict->depth = 1;
    pair.verdict->hasRegions = true;
    report.pairs.push_back(pair);
  };
  add(1, 2, Verdict::clash);
  add(2, 3, Verdict::contact);
  add(3, 4, Verdict::clash);
  report.pairs.push_back(report.pairs.front());
  report.pairs.back().report.surfacePairs.clear();  // one part inside the other
  CHECK(pairsToMark(report, {}) == std::vector<InstancePair>{{NodeId{1}, NodeId{2}}, {NodeId{3}, NodeId{4}}});
  CHECK(pairsToMark(report, {NodeId{1}}).size() == 2);
  CHECK(pairsToMark(report, {NodeId{1}, NodeId{2}}) == std::vector<InstancePair>{{NodeId{3}, NodeId{4}}});
  CHECK(pairsToMark(report, {}, 2).size() == 2);
  CHECK(pairsToMark(report, {}, 1).empty());
  report.pairs.front().verdict->hasRegions = false;  // its depth is open
  CHECK(pairsToMark(report, {}).size() == 1);
}

}  // namespace finding_marks_tests
