#include <fitup/scene/detail/sweep_and_prune.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include <fitup/scene/detail/instance_sweep.h>

#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace sweep_and_prune_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs bruteForcePairs(const std::vector<Box>& boxes) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < boxes.size(); ++i)
    for (std::uint32_t j = i + 1; j < boxes.size(); ++j)
      if (!boxes[i].empty() && !boxes[j].empty() && boxes[i].overlaps(boxes[j])) pairs.emplace_back(i, j);
  return pairs;
}

Pairs pairsOf(const SweepAndPrune& sweep) {
  Pairs pairs;
  std::size_t partners = 0;
  for (std::uint32_t i = 0; i < sweep.size(); ++i)
    for (const std::uint32_t j : sweep.partners(i)) {
      ++partners;
      if (i < j) pairs.emplace_back(i, j);
    }
  REQUIRE(partners == 2 * pairs.size());
  REQUIRE(sweep.pairCount() == pairs.size());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// With whole numbers, ends coincide and boxes touch; some are flat or points.
Box randomBox(Random& random, bool whole, double reach, double size) {
  Vec3 at = random.inCube(reach), half = random.inCube(size);
  Box box;
  if (whole) {
    at = {std::nearbyint(at.x), std::nearbyint(at.y), std::nearbyint(at.z)};
    half = {std::nearbyint(half.x), std::nearbyint(half.y), std::nearbyint(half.z)};
  }
  box.extend(at - half);
  box.extend(at + half);
  return box;
}

}  // namespace

TEST_CASE("sweep and prune keeps the pairs that brute force finds", "[scene][broad]") {
  std::size_t kept = 0, pairs = 0;
  for (const bool whole : {false, true})
    for (const std::uint32_t count : {0U, 1U, 2U, 12U, 60U, 150U}) {
      Random random(count + (whole ? 1000 : 0));
      const double reach = whole ? 6 : 10, size = whole ? 2 : 1.5;
      std::vector<Box> boxes(count);
      for (Box& box : boxes)
        if (random.below(8) != 0) box = randomBox(random, whole, reach, size);
      SweepAndPrune sweep(boxes);
      REQUIRE(pairsOf(sweep) == bruteForcePairs(boxes));
      for (int step = 0; step < 150; ++step) {
        // One box, some, or all; a little, far, growing, shrinking, removed, back, and new ones.
        const std::uint32_t kind = random.below(5);
        std::vector<SweepAndPrune::Moved> moved;
        for (std::uint32_t id = 0; id < boxes.size(); ++id) {
          if (kind <= 1 && random.below(static_cast<std::uint32_t>(boxes.size())) != 0) continue;
          if (kind == 2 && random.below(4) != 0) continue;
          Box box = boxes[id];
          const std::uint32_t change = random.below(step % 3 == 0 ? 12 : 5);
          if (box.empty() || change == 10) {
            box = randomBox(random, whole, reach, size);
          } else if (change == 11) {
            box = Box();
          } else {
            const Vec3 low = random.inCube(1), high = change < 4 ? low : random.inCube(1);
            for (int i = 0; i < 3; ++i) {
              box.min[i] += whole ? std::nearbyint(low[i]) : low[i];
              box.max[i] = std::max(box.min[i], box.max[i] + (whole ? std::nearbyint(high[i]) : high[i]));
            }
          }
          moved.push_back({id, box});
          boxes[id] = box;
        }
        if (random.below(10) == 0) {
          boxes.push_back(randomBox(random, whole, reach, size));
          moved.push_back({static_cast<std::uint32_t>(boxes.size() - 1), boxes.back()});
        }
        const SweepAndPrune::Counts counts = sweep.move(moved);
        kept += counts.anew ? 0 : 1;
        INFO("boxes " << count << ", step " << step << ", kind " << kind);
        const Pairs expected = bruteForcePairs(boxes);
        pairs += expected.size();
        REQUIRE(pairsOf(sweep) == expected);
      }
    }
  CHECK(kept > 500);
  CHECK(pairs > 10'000);
}

TEST_CASE("boxes that all jump are sorted anew, boxes that stay cost nothing", "[scene][broad]") {
  Random random(3);
  std::vector<Box> boxes(2000);
  for (Box& box : boxes) box = randomBox(random, false, 100, 5);
  SweepAndPrune sweep(boxes);
  std::vector<SweepAndPrune::Moved> moved;
  for (std::uint32_t id = 0; id < boxes.size(); ++id) moved.push_back({id, boxes[id]});
  CHECK(sweep.move(moved).swaps == 0);
  // All together, however far: no ends change places.
  for (SweepAndPrune::Moved& m : moved) m.box = {m.box.min + Vec3{512, 0, 0}, m.box.max + Vec3{512, 0, 0}};
  const SweepAndPrune::Counts together = sweep.move(moved);
  CHECK_FALSE(together.anew);
  CHECK(together.swaps < 100);  // where sums have the same rounding
  for (SweepAndPrune::Moved& m : moved) boxes[m.id] = m.box = randomBox(random, false, 100, 5);
  CHECK(sweep.move(moved).anew);
  CHECK(pairsOf(sweep) == bruteForcePairs(boxes));
  // One box passes as many ends as lie on its way.
  CHECK(sweep.move(std::vector<SweepAndPrune::Moved>{{7, boxes[7]}}).swaps == 0);
  boxes[7] = {boxes[7].min + Vec3{1, 0, 0}, boxes[7].max + Vec3{1, 0, 0}};
  const SweepAndPrune::Counts one = sweep.move(std::vector<SweepAndPrune::Moved>{{7, boxes[7]}});
  CHECK_FALSE(one.anew);
  CHECK(one.swaps < 200);
  CHECK(pairsOf(sweep) == bruteForcePairs(boxes));
}

TEST_CASE("a sweep of instances holds every pair that may meet", "[scene][broad]") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Assembly assembly = randomAssembly(seed, 50);
    Random random(seed + 10);
    std::vector<PlacedInstance> placed;
    for (const NodeId node : assembly.instances())
      placed.push_back(placedInstance(assembly, node, assembly.worldFromNode(node)));
    InstanceSweep sweep(placed);
    std::size_t meeting = 0;
    for (int step = 0; step < 60; ++step) {
      std::size_t candidates = 0;
      for (std::uint32_t i = 0; i < placed.size(); ++i) {
        const auto partners = sweep.partners(i);
        for (std::uint32_t j = 0; j < placed.size(); ++j) {
          if (j == i || !mayMeet(placed[i], placed[j])) continue;
          ++meeting;
          REQUIRE(std::find(partners.begin(), partners.end(), j) != partners.end());
        }
        candidates += partners.size();
      }
      REQUIRE(candidates == 2 * sweep.pairCount());
      std::vector<std::uint32_t> positions;
      for (std::uint32_t i = 0; i < placed.size(); ++i) {
        if (random.below(step % 2 == 0 ? 40 : 2) != 0) continue;
        // Sometimes so far away that all boxes have to grow.
        const double reach = random.below(200) == 0 ? 1e9 : 2.0;
        const auto kind = allPlacementClasses[random.below(allPlacementClasses.size())];
        placed[i] = placedInstance(assembly, placed[i].node, randomPlacement(kind, random, reach));
        positions.push_back(i);
      }
      sweep.move(positions, placed);
    }
    CHECK(meeting > 1000);
  }
}

}  // namespace sweep_and_prune_tests
