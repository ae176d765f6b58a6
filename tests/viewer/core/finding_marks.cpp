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
};

}  // namespace

TEST_CASE("the marks of a finding are those of its parts where they stand", "[viewer][marks]") {
  const Transform at = Transform::translation({2, 0, 0});
  const Two boxes(sixSidedBox(4, 4, 4), sixSidedBox(1, 1, 1), {});
  Poses poses;
  poses.set(boxes.b, at);
  const Scene scene(boxes.assembly);
  const IntersectionMarks marks = marksOf(scene, poses, boxes.a, boxes.b),
                          expected =
                              intersectionMarks({SolidModel::build(modelOf(sixSidedBox(4, 4, 4))), {}},
                                                {SolidModel::build(modelOf(sixSidedBox(1, 1, 1))), at});
  CHECK(marks.lines.size() == expected.lines.size());
  for (const int side : {0, 1}) {
    REQUIRE_FALSE(expected.regions[side].pieces.empty());
    CHECK(marks.regions[side].pieces.size() == expected.regions[side].pieces.size());
  }
  CHECK(marksOf(scene, poses, boxes.a, boxes.b, {}, 20).isCut());
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
