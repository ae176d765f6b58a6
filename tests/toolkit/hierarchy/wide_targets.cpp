// The vector code of each instruction set that this processor has, not only of the one that is chosen,
// against the plain code.
#include <hwy/targets.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/query/detail/boxes_apart.h>
#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <models/placements.h>
#include <models/torus.h>

using namespace fitup;

namespace {

class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { set(target); }
  ~OnlyTarget() { set(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void set(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

std::shared_ptr<const CollisionModel> torus(WideLayout layout) {
  models::TorusOptions options = models::smallTorus();
  options.patchesAround = 10;
  options.patchesAcross = 5;
  BuildOptions build;
  build.wide->layout = layout;
  build.triangleTrees = false;
  return CollisionModel::build(std::make_shared<const TriangleMesh>(models::makeTorus(options)), build);
}

}  // namespace

TEST_CASE("every instruction set of this processor gives the plain code's answers", "[wide]") {
  const auto fast = torus(WideLayout::fast), compact = torus(WideLayout::compact);
  const std::vector<Transform> placements = models::randomPlacements(40, 3.8, 11);
  std::size_t sets = 0, pairs = 0, apart = 0;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    ++sets;
    for (const Transform& placement : placements)
      for (const auto& second : {fast, compact}) {
        const PosedModel a{*fast, {}}, b{*second, placement};
        IntersectionRequest request, plainly;
        plainly.vectorUse = VectorUse::scalar;
        for (const QueryMode mode :
             {QueryMode::allTrianglePairs, QueryMode::allSurfacePairs, QueryMode::firstSurfacePair}) {
          request.mode = plainly.mode = mode;
          const IntersectionReport report = intersect(a, b, request), plain = intersect(a, b, plainly);
          if (mode == QueryMode::firstSurfacePair)
            REQUIRE(report.intersects() == plain.intersects());
          else
            REQUIRE(report.surfacePairs == plain.surfacePairs);
          if (mode == QueryMode::allTrianglePairs) REQUIRE(report.trianglePairs == plain.trianglePairs);
          pairs += plain.trianglePairs.size();
        }
        DistanceRequest nearest, plainNearest;
        plainNearest.vectorUse = VectorUse::scalar;
        const double distance = fitup::distance(a, b, nearest).distance();
        // Of pairs equally near up to rounding either may be found.
        REQUIRE(distance == Approx(fitup::distance(a, b, plainNearest).distance()).epsilon(0).margin(1e-13));
        apart += distance > 0;
      }
  }
  CHECK(sets > 0);
  CHECK(pairs > 1000);
  CHECK(apart > 10);
}

TEST_CASE("every instruction set finds a hull's farthest corner", "[wide]") {
  const auto model = torus(WideLayout::fast);
  const PartHull& hull = model->hull();
  REQUIRE(hull.size() > 100);
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    // Along a corner, each is farthest once, those of the last vector and of either chain too.
    for (std::uint32_t i = 0; i < hull.size(); ++i) {
      const Vec3 way = normalized(hull.corner(i));
      const std::array<float, 3> d{static_cast<float>(way.x), static_cast<float>(way.y),
                                   static_cast<float>(way.z)};
      const PartHull::Farthest farthest = hull.farthest(d), plain = hull.farthest(d, VectorUse::scalar);
      REQUIRE(std::abs(farthest.reach - plain.reach) <= hull.slack());
      REQUIRE(dot(hull.corner(farthest.corner), way) >= double{plain.reach} - hull.slack());
    }
  }
}

TEST_CASE("every instruction set tells parts apart along a direction", "[wide]") {
  const auto model = torus(WideLayout::fast);
  const Vec3 half = model->mesh().bounds().halfExtent();
  const std::vector<Transform> placements = models::randomPlacements(400, 9, 5);
  const Transform ofFirst = placements.back();
  std::size_t told = 0, asked = 0;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    for (const Transform& ofSecond : placements) {
      const auto reach = [&](const Transform& f, const Vec3& d) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) {
          const auto k = static_cast<std::size_t>(j);
          sum += std::abs(f.m[0][k] * d.x + f.m[1][k] * d.y + f.m[2][k] * d.z) * half[j];
        }
        return sum;
      };
      const Vec3 between = ofSecond.apply(model->box().centre) - ofFirst.apply(model->box().centre);
      if (norm(between) == 0) continue;
      const Vec3 d = normalized(between);
      const double gap = std::abs(dot(between, d)) - reach(ofFirst, d) - reach(ofSecond, d);
      if (std::abs(gap) < 1e-4) continue;
      ++asked;
      told += gap > 0;
      for (const Vec3& way : {d, -d})
        REQUIRE(detail::apartAlong({*model, ofFirst}, {*model, ofSecond}, way) == (gap > 0));
      Transform sheared = ofSecond;
      sheared.m[1][0] += 1e-3;
      REQUIRE_FALSE(detail::apartAlong({*model, ofFirst}, {*model, sheared}, d));
      REQUIRE_FALSE(detail::apartAlong({*model, sheared}, {*model, ofFirst}, d));
    }
  }
  CHECK(told > asked / 10);
  CHECK(told < asked * 9 / 10);
}
