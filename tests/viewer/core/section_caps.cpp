// Tests caps of several parts: overlaps, other planes, picks, what an update cuts again, and styles.
#include <viewer/core/section_caps.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <models/process_plant.h>
#include <viewer/core/cap_styles.h>

#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace section_caps_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

/// Parts in their placements, and the caps of planes through them.
class Parts {
 public:
  NodeId add(const MeshPtr& mesh, const Transform& placement) {
    const PartId part = assembly_.addPart(mesh);
    return assembly_.addNode("part" + std::to_string(assembly_.nodes().size()), placement, {}, part);
  }
  bool update(const std::vector<SectionPlane>& planes) {
    if (!scene_) scene_.emplace(assembly_);
    return caps.update({*scene_, poses, planes, hidden, tolerance, [this](PartId) { return examined; }});
  }
  double areaOf(NodeId instance, std::size_t face = 0) const {
    const SectionCap* cap = find(instance, face);
    return cap == nullptr ? 0 : area(cap->area);
  }
  const SectionCap* find(NodeId instance, std::size_t face = 0) const {
    for (const auto& cap : caps.faces().at(face).caps)
      if (cap->instance == instance) return cap.get();
    return nullptr;
  }
  double overlapArea() const {
    double sum = 0;
    for (const auto& overlap : caps.faces().at(0).overlaps) sum += area(overlap->area);
    return sum;
  }

  SectionCaps caps;
  Poses poses;
  std::set<NodeId> hidden;
  std::optional<double> tolerance;
  bool examined = true;

 private:
  Assembly assembly_{"parts"};
  std::optional<Scene> scene_;
};

const SectionPlane level{{0, 0, 1}, 0.25, true};

}  // namespace

TEST_CASE("two boxes overlap in a section by the area that follows by hand", "[viewer][section]") {
  Parts parts;
  const NodeId a = parts.add(box(10, 10, 10), {}), b = parts.add(box(10, 10, 10), at(7, 6, 0));
  CHECK(parts.update({level}));
  CHECK(parts.areaOf(a) == Approx(100));
  CHECK(parts.areaOf(b) == Approx(100));
  REQUIRE(parts.caps.faces()[0].overlaps.size() == 1);
  CHECK(parts.caps.faces()[0].overlaps[0]->a == a);
  CHECK(parts.caps.faces()[0].overlaps[0]->b == b);
  CHECK(parts.overlapArea() == Approx(3 * 4));
  // Parts that touch share no area, wherever the plane is.
  for (const double x : {10.0, 10.001, 40.0}) {
    parts.poses.set(b, at(x, 6, 0));
    parts.update({level});
    CHECK(parts.overlapArea() == 0);
    parts.update({{normalized(Vec3{1, 2, 3}), 0, true}});
    CHECK(parts.overlapArea() == 0);
  }
  // A part inside another one.
  parts.poses.set(b, Transform::scaling(0.5, 0.5, 0.5));
  parts.update({level});
  CHECK(parts.overlapArea() == Approx(25));
  parts.hidden = {b};
  parts.update({level});
  CHECK(parts.overlapArea() == 0);
  CHECK(parts.find(b) == nullptr);
}

TEST_CASE("an overlap up to the tolerance is contact", "[viewer][section]") {
  Parts parts;
  parts.add(box(10, 10, 10), {});
  parts.add(box(10, 10, 10), at(9.95, 0, 0));
  parts.update({level});
  CHECK(parts.overlapArea() == Approx(0.5));
  parts.tolerance = 0.1;
  CHECK(parts.update({level}));
  CHECK(parts.overlapArea() == 0);
  parts.tolerance = 0.01;
  parts.update({level});
  CHECK(parts.overlapArea() == Approx(0.5));
}

TEST_CASE("chord errors of mating round faces are contact", "[viewer][section]") {
  // A pin of 24 corners in a bore of 31; each has the deflection of its tessellation.
  const auto round = [](std::uint32_t corners, double from, double to) {
    return withDeflection(tube(to, from, 10, corners), sagitta(to, corners));
  };
  Parts parts;
  parts.add(round(24, 2, 10), {});
  const NodeId sleeve = parts.add(round(31, 10, 15), {});
  parts.update({level});
  CHECK(parts.areaOf(sleeve) > 350);
  CHECK(parts.overlapArea() == 0);
  parts.tolerance = 0;
  parts.update({level});
  CHECK(parts.overlapArea() > 0.1);  // without that, there are slivers
}

TEST_CASE("caps end at the other planes", "[viewer][section]") {
  Parts parts;
  const NodeId a = parts.add(box(10, 10, 10), {});
  const SectionPlane right{{1, 0, 0}, 1, true}, back{normalized(Vec3{0, 1, 1}), 0, true};
  parts.update({level, right});
  CHECK(parts.areaOf(a, 0) == Approx(60));
  CHECK(parts.areaOf(a, 1) == Approx(10 * 5.25));
  SectionPlane off = right;
  off.enabled = false;
  CHECK(parts.update({level, off}));
  REQUIRE(parts.caps.faces().size() == 1);
  CHECK(parts.areaOf(a) == Approx(100));
  parts.update({level, right, back});
  CHECK(parts.areaOf(a, 0) == Approx(6 * (5 - 0.25)));
  // A plane beyond a parallel one has no cap.
  parts.update({level, {{0, 0, 1}, 2, true}});
  CHECK(parts.areaOf(a, 0) == Approx(100));
  CHECK(parts.caps.faces()[1].caps.empty());
  parts.update({level, {{0, 0, -1}, 2, true}});  // between two planes
  CHECK(parts.areaOf(a, 0) == Approx(100));
  CHECK(parts.areaOf(a, 1) == Approx(100));
}

TEST_CASE("lines of open parts end at the other planes", "[viewer][section]") {
  Parts parts;
  const NodeId sheet = parts.add(flatSheet(4, 4), {});
  const SectionPlane across{{0, 1, 0}, 1.5, true};
  const auto length = [&] {
    double sum = 0;
    for (const FlatLine& line : parts.find(sheet)->lines)
      sum += std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
    return sum;
  };
  parts.update({across});
  REQUIRE(parts.find(sheet) != nullptr);
  CHECK_FALSE(parts.find(sheet)->isFilled);
  CHECK(parts.areaOf(sheet) == 0);
  CHECK(length() == Approx(4));
  parts.update({across, {{1, 0, 0}, 2.3, true}, {{-1, 0, 0}, -0.4, true}});
  CHECK(length() == Approx(1.9));
}

TEST_CASE("an update cuts only what changed", "[viewer][section]") {
  Parts parts;
  const NodeId a = parts.add(box(10, 10, 10), {}), b = parts.add(box(10, 10, 10), at(30, 0, 0)),
               c = parts.add(box(10, 10, 10), at(34, 0, 0));
  CHECK(parts.update({level}));
  CHECK_FALSE(parts.update({level}));
  const auto* ofA = parts.find(a);
  const auto* ofB = parts.find(b);
  const auto* ofC = parts.find(c);
  parts.poses.set(b, at(36, 1, 0));
  CHECK(parts.update({level}));
  CHECK(parts.find(a) == ofA);
  CHECK(parts.find(c) == ofC);
  CHECK(parts.find(b) != ofB);
  CHECK(parts.overlapArea() == Approx(8 * 9));
  SectionPlane higher = level;
  higher.offset = 4;
  CHECK(parts.update({higher}));
  CHECK(parts.areaOf(a) == Approx(100));
  higher.offset = 6;
  CHECK(parts.update({higher}));
  CHECK(parts.caps.faces()[0].caps.empty());
}

TEST_CASE("a part that is not examined has lines until it is", "[viewer][section]") {
  Parts parts;
  const NodeId a = parts.add(box(10, 10, 10), {});
  parts.examined = false;
  parts.update({level});
  REQUIRE(parts.find(a) != nullptr);
  CHECK_FALSE(parts.find(a)->isFilled);
  CHECK(parts.find(a)->lines.size() == 8);
  CHECK(parts.caps.waitingParts().size() == 1);
  parts.examined = true;
  CHECK(parts.update({level}));
  CHECK(parts.caps.waitingParts().empty());
  CHECK(parts.areaOf(a) == Approx(100));
}

TEST_CASE("a ray picks the nearest cap and no hole", "[viewer][section]") {
  Parts parts;
  const NodeId a = parts.add(box(10, 10, 10), {}), b = parts.add(box(10, 10, 10), at(30, 0, 0));
  parts.update({level, {{1, 0, 0}, 31, true}});
  const auto hit = parts.caps.pick({{1, 2, 100}, {0, 0, -1}});
  REQUIRE(hit);
  CHECK(hit->instance == a);
  CHECK(hit->distance == Approx(99.75));
  CHECK(norm(hit->point - Vec3{1, 2, 0.25}) < 1e-9);
  CHECK_FALSE(parts.caps.pick({{15, 0, 100}, {0, 0, -1}}));  // between the parts
  CHECK_FALSE(parts.caps.pick({{33, 0, 100}, {0, 0, -1}}));  // cut away by the other plane
  CHECK_FALSE(parts.caps.pick({{1, 2, 100}, {0, 0, 1}}));    // behind the eye
  const auto side = parts.caps.pick({{100, 1, -2}, {-1, 0, 0}});
  REQUIRE(side);
  CHECK(side->instance == b);
  CHECK(side->point.x == Approx(31));
}

TEST_CASE("neighbours differ in hatching and colour, and no cap looks like an overlap", "[viewer][section]") {
  const Assembly plant = models::makeProcessPlant();
  const Scene scene(plant);
  const auto styles = capStyles(scene);
  const std::vector<NodeId> instances = plant.instances();
  REQUIRE(styles.size() == instances.size());
  std::size_t neighbours = 0, alike = 0;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const CapStyle& a = styles.at(instances[i]);
    CHECK_FALSE((a.fill.red > 0.8F && a.fill.green < 0.5F && a.fill.blue < 0.5F));
    for (std::size_t k = 0; k < i; ++k) {
      if (!scene.worldBounds(instances[i], {}).overlaps(scene.worldBounds(instances[k], {}))) continue;
      const CapStyle& b = styles.at(instances[k]);
      ++neighbours;
      alike +=
          a.hatchDegrees == b.hatchDegrees && a.hatchSpacing == b.hatchSpacing &&
          std::hypot(a.fill.red - b.fill.red, a.fill.green - b.fill.green, a.fill.blue - b.fill.blue) < 0.1F;
    }
  }
  CHECK(neighbours > 10);
  CHECK(alike == 0);
  // The first part has no earlier neighbours, so its cap has its colour, here one that a user chose.
  const Colour chosen = capStyles(scene, {{instances[0], {0x0000ffU, 0}}}).at(instances[0]).fill;
  CHECK(chosen.blue == Approx(1));
  CHECK(chosen.red == Approx(0.3));
  CHECK(chosen.green == Approx(0.3));
}

}  // namespace section_caps_tests
