// Tests model files with forged R-trees and right checksums, as they may come from elsewhere.
#include <catch2/catch.hpp>

#include <cmath>
#include <utility>

#include <fitup/base/error.h>

#include "forged_model_file.h"
#include "support/sealed_model_file.h"
#include "support/temporary_folder.h"

namespace forged_rtrees_tests {

using namespace fitup;
using namespace fitup::test;
using namespace forged_model_file_tests;
using fitup::detail::BlockKind;

TEST_CASE("forged R-trees are refused", "[io][forged]") {
  const TemporaryFolder folder;
  const auto good = folder / "good.fitup", bad = folder / "bad.fitup";
  Random random(17);
  for (const RTreeBuild build : {RTreeBuild::packed, RTreeBuild::guttman})
    for (const MeshPtr& mesh : someParts()) {
      writeModelFile(good, modelOfPart(mesh, {.rtree = {.build = build, .fanOut = 4}}));
      const Model original = readModelFile(good);
      const ScdTrees& trees = original.collisionModels[0]->rtrees();
      REQUIRE_FALSE(trees.triangleTrees.empty());
      const std::string refusal =
          bad.string() + ": block R-trees of mesh 0: part '" + mesh->name() + "': they do not fit the mesh";
      const auto message = [&](BlockKind kind, const std::function<void(std::string&)>& change) {
        rewriteModelFile(good, bad, kind, change);
        return messageOf<InputError>([&] { (void)readModelFile(bad); });
      };
      using Entries = std::span<RTreeEntry>;
      const auto onEntry = [&](const std::function<void(RTreeEntry&)>& change) {
        const std::uint32_t at = random.below(static_cast<std::uint32_t>(trees.entries.size()));
        return message(BlockKind::treeEntries,
                       onElements<RTreeEntry>([&](Entries entries) { change(entries[at]); }));
      };
      for (int round = 0; round < 30; ++round) {
        // Every box is the smallest one, so any smaller box is too small; at every level, as entries are
        // stored.
        CHECK(onEntry([&](RTreeEntry& e) {
                const Vec3 extent = e.box().halfExtent();
                if (extent.x >= extent.y && extent.x >= extent.z)
                  e.max.x -= static_cast<float>(extent.x * random.between(0.01, 2));
                else if (extent.y >= extent.z)
                  e.min.y += static_cast<float>(extent.y * random.between(0.01, 2));
                else
                  e.max.z -= static_cast<float>(extent.z * random.between(0.01, 2));
              }) == refusal);
        // Another triangle or surface, other children, no box.
        CHECK(message(BlockKind::treeEntries, onElements<RTreeEntry>([&](Entries entries) {
                        std::uint32_t at = 0;
                        do at = random.below(static_cast<std::uint32_t>(entries.size()));
                        while (!entries[at].isLeaf());
                        entries[at].first ^= 1U << random.below(6);
                      })) == refusal);
        CHECK(onEntry([&](RTreeEntry& e) { e.count = e.count == 0 ? 1 : e.count - 1; }) == refusal);
        CHECK(onEntry([&](RTreeEntry& e) { e.min.x = std::nanf(""); }) == refusal);
      }
      // An entry in place of another one.
      for (int round = 0; round < 30; ++round) {
        const auto size = static_cast<std::uint32_t>(trees.entries.size());
        const std::uint32_t i = random.below(size), j = (i + 1 + random.below(size - 1)) % size;
        if (std::memcmp(&trees.entries[i], &trees.entries[j], sizeof(RTreeEntry)) == 0) continue;
        CHECK(message(BlockKind::treeEntries,
                      onElements<RTreeEntry>([&](Entries entries) { entries[i] = entries[j]; })) == refusal);
      }
      // Roots: a smaller box, a child less, the tree of another surface.
      using Roots = std::span<RTreeRoot>;
      for (int round = 0; round < 10; ++round) {
        const auto size = static_cast<std::uint32_t>(trees.triangleTrees.size());
        const std::uint32_t i = random.below(size);
        const auto onRoot = [&](const std::function<void(RTreeRoot&)>& change) {
          return message(BlockKind::treeRoots, onElements<RTreeRoot>([&](Roots roots) { change(roots[i]); }));
        };
        CHECK(onRoot([](RTreeRoot& r) {
                r.box.max.x -= 0.25F * (r.box.max.x - r.box.min.x);
                r.box.max.y -= 0.25F * (r.box.max.y - r.box.min.y);
              }) == refusal);
        CHECK(onRoot([](RTreeRoot& r) { r.count -= 1; }) == refusal);
        if (size > 1)
          CHECK(message(BlockKind::treeRoots, onElements<RTreeRoot>([&](Roots roots) {
                          std::swap(roots[i], roots[(i + 1) % size]);
                        })) == refusal);
      }
    }
}

}  // namespace forged_rtrees_tests
