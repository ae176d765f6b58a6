// Tests model files with forged hierarchies and right checksums, as they may come from elsewhere.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/io/model_file.h>
#include <fitup/io/read_assembly.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>

#include "forged_model_file.h"
#include "support/placements.h"
#include "support/sample_model.h"
#include "support/sealed_model_file.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace forged_model_file_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::BlockKind;

namespace {

WideChild childOf(const WideBvh& tree, std::uint32_t node, std::uint32_t k) {
  return tree.layout == WideLayout::fast ? tree.nodes[node].child[k] : tree.compactNodes[node].child[k];
}
const WideNodeHead& headOf(const WideBvh& tree, std::uint32_t node) {
  return tree.layout == WideLayout::fast ? tree.nodes[node].head : tree.compactNodes[node].head;
}

void collectTriangles(const WideBvh& tree, WideChild child, std::vector<TriangleId>& all) {
  if (child.isLeaf()) {
    for (std::uint32_t k = 0; k < child.count(); ++k)
      all.push_back(fitup::detail::triangleInLeaf(tree, child, k));
    return;
  }
  for (std::uint32_t k = 0; k < headOf(tree, child.node()).childCount; ++k)
    collectTriangles(tree, childOf(tree, child.node(), k), all);
}

/// Returns the largest distance of corners outside of the boxes and cylinders above them, computed
/// independently of the check.
double overshoot(const WideBvh& tree, const TriangleMesh& mesh) {
  double worst = 0;
  for (std::uint32_t n = 0; n < tree.nodeCount(); ++n) {
    const WideNodeHead& head = headOf(tree, n);
    const WideFrame& frame = tree.frames[head.frame];
    fitup::detail::openWideNode(
        tree, n, [&](const auto&, const auto& centre, const auto& half, const auto&, std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k) {
            std::vector<TriangleId> below;
            collectTriangles(tree, childOf(tree, n, k), below);
            Vec3 middle, axis;
            for (int i = 0; i < 3; ++i) middle[i] = centre[static_cast<std::size_t>(i)][k];
            for (const TriangleId id : below)
              for (const Vec3& p : mesh.triangle(id).v) {
                const Vec3 q = fitup::detail::intoAxes(frame, p);
                for (int i = 0; i < 3; ++i) {
                  const auto a = static_cast<std::size_t>(i);
                  worst = std::max({worst, std::abs(q[i] - middle[i]) - half[a][k],
                                    std::abs(q[i] - head.centre[a]) - head.half[a]});
                }
                if (tree.layout != WideLayout::fast) continue;
                const WideCylinders& c = tree.cylinders[n];
                axis = {c.axis[0][k], c.axis[1][k], c.axis[2][k]};
                const Vec3 d = q - middle - axis * double(c.shift[k]);
                const double along = dot(axis, d);
                worst = std::max({worst, std::abs(along) - c.half[k], norm(d - axis * along) - c.radius[k]});
              }
          }
        });
  }
  return worst;
}

/// Of each node.
std::vector<std::uint32_t> levelsOf(const WideBvh& tree) {
  std::vector<std::uint32_t> levels(tree.nodeCount());
  for (std::uint32_t n = 0; n < tree.nodeCount(); ++n)
    for (std::uint32_t k = 0; k < headOf(tree, n).childCount; ++k)
      if (const WideChild child = childOf(tree, n, k); !child.isLeaf()) levels[child.node()] = levels[n] + 1;
  return levels;
}

/// A node, or a child of it.
struct Place {
  std::uint32_t node, lane;
};

/// A change of a wide tree.
struct Forgery {
  const char* name;
  BlockKind block;
  /// Makes the change for a place and a random number; returns false if there is nothing to change.
  std::function<bool(std::string&, const WideBvh&, Place, Random&)> change;
};

template <typename T, typename Change>
auto elementwise(const Change& change) {
  return [change](std::string& bytes, const WideBvh& tree, Place place, Random& random) {
    bool done = false;
    onElements<T>([&](std::span<T> values) { done = change(values, tree, place, random); })(bytes);
    return done;
  };
}

std::size_t longest(const std::array<std::array<float, 8>, 3>& half, std::uint32_t lane) {
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (half[k][lane] > half[axis][lane]) axis = k;
  return axis;
}

std::vector<Forgery> forgeriesOfBoxes(WideLayout layout) {
  using Nodes = std::span<WideNode>;
  using Compact = std::span<CompactWideNode>;
  using Cylinders = std::span<WideCylinders>;
  const auto ofHead = [](WideNodeHead& head, Random& random) {
    const std::size_t axis = head.half[0] > head.half[1] ? 0 : 1;
    if (random.unit() < 0.5)
      head.half[axis] *= 0.7F;
    else
      head.centre[axis] += 0.5F * head.half[axis];
    return true;
  };
  const auto otherFrame = [](WideNodeHead& head, const WideBvh& tree, Random& random) {
    if (tree.frames.size() == 1) return false;
    head.frame = (head.frame + 1 + random.below(static_cast<std::uint32_t>(tree.frames.size()) - 1)) %
                 static_cast<std::uint32_t>(tree.frames.size());
    return true;
  };
  std::vector<Forgery> all{
      {"turned frame", BlockKind::wideFrames,
       elementwise<WideFrame>([](std::span<WideFrame> f, const WideBvh&, Place, Random& random) {
         if (f.size() == 1) return false;
         WideFrame& frame = f[1 + random.below(static_cast<std::uint32_t>(f.size()) - 1)];
         const double angle = random.between(0.1, 1);
         const auto cosine = static_cast<float>(std::cos(angle)), sine = static_cast<float>(std::sin(angle));
         // Rows, so that columns stay orthonormal.
         for (auto& column : frame.columns) {
           const float x = column[0], y = column[1];
           column[0] = cosine * x - sine * y;
           column[1] = sine * x + cosine * y;
         }
         return true;
       })}};
  if (layout == WideLayout::compact) {
    all.push_back({"shrunk box", BlockKind::wideNodes,
                   elementwise<CompactWideNode>([](Compact nodes, const WideBvh&, Place p, Random& random) {
                     CompactWideNode& n = nodes[p.node];
                     const auto extentOn = [&](std::size_t axis) {
                       return n.high[axis][p.lane] - n.low[axis][p.lane];
                     };
                     std::size_t axis = 0;
                     for (std::size_t k = 1; k < 3; ++k)
                       if (n.head.half[k] * static_cast<float>(extentOn(k)) >
                           n.head.half[axis] * static_cast<float>(extentOn(axis)))
                         axis = k;
                     const int extent = extentOn(axis);
                     if (extent < 9) return false;
                     if (random.unit() < 0.5)
                       n.low[axis][p.lane] = static_cast<std::uint8_t>(n.low[axis][p.lane] + extent / 3);
                     else
                       n.high[axis][p.lane] = static_cast<std::uint8_t>(n.high[axis][p.lane] - extent / 3);
                     return true;
                   })});
    all.push_back({"shrunk node", BlockKind::wideNodes,
                   elementwise<CompactWideNode>([=](Compact nodes, const WideBvh&, Place p, Random& random) {
                     return ofHead(nodes[p.node].head, random);
                   })});
    all.push_back(
        {"other frame", BlockKind::wideNodes,
         elementwise<CompactWideNode>([=](Compact nodes, const WideBvh& tree, Place p, Random& random) {
           return otherFrame(nodes[p.node].head, tree, random);
         })});
    return all;
  }
  const auto onNode = [&](const char* name, auto change) {
    all.push_back({name, BlockKind::wideNodes, elementwise<WideNode>(change)});
  };
  const auto onCylinder = [&](const char* name, auto change) {
    all.push_back({name, BlockKind::wideCylinders, elementwise<WideCylinders>(change)});
  };
  onNode("shrunk box", [](Nodes nodes, const WideBvh&, Place p, Random& random) {
    auto& half = nodes[p.node].half;
    half[longest(half, p.lane)][p.lane] *= static_cast<float>(random.between(0, 0.95));
    return true;
  });
  onNode("moved box", [](Nodes nodes, const WideBvh&, Place p, Random& random) {
    WideNode& n = nodes[p.node];
    const std::size_t axis = longest(n.half, p.lane);
    n.centre[axis][p.lane] += static_cast<float>(random.between(0.1, 3)) * n.half[axis][p.lane];
    return true;
  });
  onNode("box that is no number", [](Nodes nodes, const WideBvh&, Place p, Random& random) {
    nodes[p.node].half[random.below(3)][p.lane] = std::nanf("");
    return true;
  });
  onNode("shrunk node", [=](Nodes nodes, const WideBvh&, Place p, Random& random) {
    return ofHead(nodes[p.node].head, random);
  });
  onNode("other frame", [=](Nodes nodes, const WideBvh& tree, Place p, Random& random) {
    return otherFrame(nodes[p.node].head, tree, random);
  });
  onCylinder("lower cylinder", [](Cylinders c, const WideBvh&, Place p, Random& random) {
    c[p.node].half[p.lane] *= static_cast<float>(random.between(0, 0.8));
    return true;
  });
  onCylinder("narrower cylinder", [](Cylinders c, const WideBvh&, Place p, Random& random) {
    c[p.node].radius[p.lane] *= static_cast<float>(random.between(0, 0.95));
    return true;
  });
  onCylinder("moved cylinder", [](Cylinders c, const WideBvh&, Place p, Random& random) {
    c[p.node].shift[p.lane] += static_cast<float>(random.between(0.5, 2)) * c[p.node].half[p.lane];
    return true;
  });
  onCylinder("turned cylinder", [](Cylinders c, const WideBvh&, Place p, Random&) {
    auto& axis = c[p.node].axis;
    const float x = axis[0][p.lane];
    axis[0][p.lane] = axis[1][p.lane];
    axis[1][p.lane] = axis[2][p.lane];
    axis[2][p.lane] = x;
    return true;
  });
  onCylinder("longer axis", [](Cylinders c, const WideBvh&, Place p, Random&) {
    for (auto& axis : c[p.node].axis) axis[p.lane] *= 0.5F;
    return true;
  });
  return all;
}

}  // namespace

TEST_CASE("forged boxes, frames and cylinders of wide trees are refused", "[io][wide][forged]") {
  const TemporaryFolder folder;
  const auto good = folder / "good.fitup", bad = folder / "bad.fitup";
  Random random(7);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    std::map<std::string, std::size_t> allRefused;
    for (const MeshPtr& mesh : someParts()) {
      writeModelFile(good, modelOfPart(mesh, {.rtree = {}, .wide = WideBvhOptions{.layout = layout}}));
      const Model original = readModelFile(good);
      const WideBvh& tree = original.collisionModels[0]->wide();
      const double size = 2 * norm(mesh->bounds().halfExtent());
      // Boxes of the compact layout are rounded when queries open them.
      const double rounding = 1e-6 * (size + norm(mesh->bounds().centre()));
      CHECK(overshoot(tree, *mesh) < rounding);
      const std::vector<std::uint32_t> levels = levelsOf(tree);
      const std::uint32_t deepest = *std::max_element(levels.begin(), levels.end());
      REQUIRE(deepest >= 2);
      for (const Forgery& forgery : forgeriesOfBoxes(layout)) {
        INFO(mesh->name() << ", " << forgery.name);
        std::size_t refused = 0,
                    harmless = 0;  // for example, if the cylinders of a flat part are as low as the rounding
        for (std::uint32_t level = 0; level <= deepest; ++level)
          for (int round = 0; round < 6; ++round) {
            std::vector<std::uint32_t> nodes;
            for (std::uint32_t n = 0; n < tree.nodeCount(); ++n)
              if (levels[n] == level) nodes.push_back(n);
            const std::uint32_t node = nodes[random.below(static_cast<std::uint32_t>(nodes.size()))];
            const Place place{node, random.below(headOf(tree, node).childCount)};
            bool done = false;
            rewriteModelFile(good, bad, forgery.block,
                             [&](std::string& bytes) { done = forgery.change(bytes, tree, place, random); });
            if (!done) continue;
            const std::string message = messageOf<InputError>([&] { (void)readModelFile(bad); });
            const bool isRefused = message.starts_with(bad.string() + ": block wide tree of mesh 0: part '" +
                                                       mesh->name() + "': ");
            if (!isRefused) REQUIRE(message == "nothing thrown");
            // A trusted file is read as it is, which shows how wrong it is.
            double outside = 1;
            try {
              outside =
                  overshoot(readModelFile(bad, {}, Trust::hierarchies).collisionModels[0]->wide(), *mesh);
            } catch (const InputError&) {
              CHECK(isRefused);
            }
            if (!(outside < rounding)) CHECK(isRefused);
            (isRefused ? refused : harmless) += 1;
          }
        allRefused[forgery.name] += refused;
        if (std::string_view(forgery.name) == "shrunk box") CHECK(harmless == 0);
      }
    }
    for (const auto& [name, refused] : allRefused) {
      INFO(name);
      CHECK(refused > 5);
    }
  }
}

TEST_CASE("a forged box hides an interference from who trusts it, and from nobody else",
          "[io][wide][forged]") {
  const TemporaryFolder folder;
  const auto good = folder / "good.fitup", bad = folder / "bad.fitup";
  const MeshPtr mesh = icosphere(1, 3);
  const ModelPtr other = modelOf(transformed(icosphere(0.3, 2), shift(1, 0, 0)));
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    writeModelFile(good, modelOfPart(mesh, {.rtree = {}, .wide = WideBvhOptions{.layout = layout}}));
    const Model whole = readModelFile(good);
    REQUIRE(intersect({whole.collisionModels[0], {}}, {other, {}}).intersects());
    // All boxes of the topmost node become those of a point far away from the other part.
    const std::uint32_t top = childOf(whole.collisionModels[0]->wide(), 0, 0).node();
    rewriteModelFile(good, bad, BlockKind::wideNodes, [&](std::string& bytes) {
      if (layout == WideLayout::fast)
        onElements<WideNode>([&](std::span<WideNode> nodes) {
          nodes[top].centre[0].fill(-1);
          for (auto& half : nodes[top].half) half.fill(0);
        })(bytes);
      else
        onElements<CompactWideNode>([&](std::span<CompactWideNode> nodes) {
          for (auto* sides : {&nodes[top].low, &nodes[top].high})
            for (auto& axis : *sides) axis.fill(0);
        })(bytes);
    });
    const Model trusted = readModelFile(bad, {}, Trust::hierarchies);
    CHECK_FALSE(intersect({trusted.collisionModels[0], {}}, {other, {}}).intersects());
    CHECK_THAT(messageOf<InputError>([&] { (void)readModelFile(bad); }),
               Catch::StartsWith(bad.string() + ": block wide tree of mesh 0: part 'icosphere': node " +
                                 std::to_string(top) + ": a corner lies outside the box of child "));
    ReadOptions trusting;
    trusting.trustModelFiles = true;
    CHECK(readAssembly(bad, trusting).collisionModels.size() == 1);
    CHECK_THROWS_AS(readAssembly(bad), InputError);
    const std::string bytes = readText(bad);
    CHECK_THROWS_AS(readModelBytes(std::as_bytes(std::span(bytes)), "inside"), InputError);
  }
}

TEST_CASE("forged leaves of wide trees are refused", "[io][wide][forged]") {
  const TemporaryFolder folder;
  const auto good = folder / "good.fitup", bad = folder / "bad.fitup";
  Random random(9);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact})
    for (const MeshPtr& mesh : someParts()) {
      const bool fast = layout == WideLayout::fast;
      writeModelFile(good, modelOfPart(mesh, {.rtree = {}, .wide = WideBvhOptions{.layout = layout}}));
      const Model original = readModelFile(good);
      const WideBvh& tree = original.collisionModels[0]->wide();
      const auto n = static_cast<std::uint32_t>(mesh->triangleCount());
      // Leaves by first slot and count.
      std::vector<WideChild> leaves;
      for (std::uint32_t i = 0; i < tree.nodeCount(); ++i)
        for (std::uint32_t k = 0; k < headOf(tree, i).childCount; ++k)
          if (const WideChild child = childOf(tree, i, k); child.isLeaf()) leaves.push_back(child);
      const auto refusal = [&](BlockKind kind, const std::function<void(std::string&)>& change) {
        rewriteModelFile(good, bad, kind, change);
        const std::string message = messageOf<InputError>([&] { (void)readModelFile(bad); });
        // Structure is checked even if the file is trusted.
        CHECK(messageOf<InputError>([&] { (void)readModelFile(bad, {}, Trust::hierarchies); }) == message);
        const std::string start = bad.string() + ": block wide tree of mesh 0: part '" + mesh->name() + "': ";
        return message.starts_with(start) ? message.substr(start.size()) : message;
      };
      const auto anyLeaf = [&] { return leaves[random.below(static_cast<std::uint32_t>(leaves.size()))]; };
      /// Copies the triangle at slot k of leaf b, corners and number, to slot j of leaf a.
      const auto copyTriangle = [&](std::string& bytes, WideChild a, std::uint32_t j, WideChild b,
                                    std::uint32_t k) {
        if (fast)
          onElements<float>([&](std::span<float> words) {
            for (std::size_t row = 0; row < 10; ++row)
              words[std::size_t{a.firstSlot()} * 10 + row * a.count() + j] =
                  tree.packets[std::size_t{b.firstSlot()} * 10 + row * b.count() + k];
          })(bytes);
        else
          onElements<std::uint32_t>([&](std::span<std::uint32_t> at) {
            at[a.firstSlot() + j] = tree.triangleAt[b.firstSlot() + k];
          })(bytes);
      };
      for (int round = 0; round < 15; ++round) {
        const WideChild a = anyLeaf(), b = anyLeaf();
        const std::uint32_t j = random.below(a.count()), k = random.below(b.count());
        if (fast) {
          // A coordinate, by one bit.
          const std::size_t at = std::size_t{a.firstSlot()} * 10 + random.below(9) * a.count() + j;
          CHECK_THAT(refusal(BlockKind::wideLeaves, onElements<float>([&](std::span<float> words) {
                               words[at] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(words[at]) ^
                                                                1U << random.below(32));
                             })),
                     Catch::EndsWith(": points differ from the mesh"));
        }
        // A triangle in place of another one: one is missing, one occurs twice.
        if (a == b && j == k) continue;
        const std::string twice =
            refusal(BlockKind::wideLeaves, [&](std::string& bytes) { copyTriangle(bytes, a, j, b, k); });
        const bool known =
            twice == "does not hold every triangle once" || twice.ends_with(": triangle of another surface");
        INFO(twice);
        CHECK(known);
        // NaN or infinity.
        CHECK_THAT(refusal(BlockKind::wideLeaves,
                           [&](std::string& bytes) {
                             if (fast)
                               onElements<float>([&](std::span<float> words) {
                                 words[std::size_t{a.firstSlot()} * 10 + std::size_t{9} * a.count() + j] =
                                     encodeTriangleId(TriangleId{n});
                               })(bytes);
                             else
                               onElements<std::uint32_t>(
                                   [&](std::span<std::uint32_t> at) { at[a.firstSlot() + j] = n; })(bytes);
                           }),
                   Catch::EndsWith(": triangle out of range"));
      }
      // Triangles of two surfaces change places.
      std::size_t swapped = 0;
      for (int round = 0; round < 200 && swapped < 5; ++round) {
        const WideChild a = anyLeaf(), b = anyLeaf();
        const auto surfaceOf = [&](WideChild leaf) {
          return mesh->surfaceOf(fitup::detail::triangleInLeaf(tree, leaf, 0));
        };
        if (surfaceOf(a) == surfaceOf(b) || (a.count() == 1 && b.count() == 1)) continue;
        ++swapped;
        CHECK_THAT(refusal(BlockKind::wideLeaves,
                           [&](std::string& bytes) {
                             copyTriangle(bytes, a, 0, b, 0);
                             copyTriangle(bytes, b, 0, a, 0);
                           }),
                   Catch::EndsWith(": triangle of another surface"));
      }
      if (mesh->surfaces().size() > 1) CHECK(swapped > 0);
    }
}

TEST_CASE("forged children of wide trees are refused where boxes do not hold", "[io][wide][forged]") {
  const TemporaryFolder folder;
  const auto good = folder / "good.fitup", bad = folder / "bad.fitup";
  Random random(13);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact})
    for (const MeshPtr& mesh : someParts()) {
      writeModelFile(good, modelOfPart(mesh, {.rtree = {}, .wide = WideBvhOptions{.layout = layout}}));
      const Model original = readModelFile(good);
      const WideBvh& tree = original.collisionModels[0]->wide();
      const double rounding = 1e-6 * (2 * norm(mesh->bounds().halfExtent()) + norm(mesh->bounds().centre()));
      std::size_t refused = 0;
      for (int round = 0; round < 40; ++round) {
        // Two children, of one node or of two, change places; boxes stay.
        const auto any = [&] {
          const std::uint32_t node = random.below(static_cast<std::uint32_t>(tree.nodeCount()));
          return Place{node, random.below(headOf(tree, node).childCount)};
        };
        const Place a = any(), b = any();
        if (childOf(tree, a.node, a.lane) == childOf(tree, b.node, b.lane)) continue;
        const auto swapChildren = [&](auto nodes) {
          std::swap(nodes[a.node].child[a.lane], nodes[b.node].child[b.lane]);
        };
        rewriteModelFile(good, bad, BlockKind::wideNodes, [&](std::string& bytes) {
          if (layout == WideLayout::fast)
            onElements<WideNode>(swapChildren)(bytes);
          else
            onElements<CompactWideNode>(swapChildren)(bytes);
        });
        bool isRefused = false;
        try {
          (void)readModelFile(bad);
        } catch (const InputError&) {
          isRefused = true;
        }
        try {
          const Model trusted = readModelFile(bad, {}, Trust::hierarchies);
          if (!(overshoot(trusted.collisionModels[0]->wide(), *mesh) < rounding)) CHECK(isRefused);
        } catch (const InputError&) {
          CHECK(isRefused);
        }
        refused += isRefused;
      }
      CHECK(refused > 0);
    }
}

TEST_CASE("model files of refitted and of unusual parts are believed", "[io][wide][forged]") {
  const TemporaryFolder folder;
  const auto file = folder / "a.fitup";
  Random random(21);
  std::vector<MeshPtr> parts = someParts();
  for (const MeshPtr& mesh :
       {emptyMesh(), degenerateSet(), sliverFan(40, 100, 0.001), latticeSoup(300, 3, 4, 5),
        fromTriangle({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}), transformed(icosphere(1, 3), shift(1e6, -1e5, 3)),
        transformed(icosphere(1, 3), Transform::scaling(0x1p-80, 0x1p-80, 0x1p-80)),
        transformed(icosphere(1, 3), Transform::scaling(0x1p90, 0x1p90, 0x1p90)),
        transformed(icosphere(1, 3), Transform::scaling(0x1p20, 1, 0x1p-20)), icosphere(1, 7)})
    parts.push_back(mesh);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact})
    for (const bool orientNodes : {true, false})
      for (const MeshPtr& mesh : parts) {
        INFO(mesh->name() << ", " << mesh->triangleCount());
        const BuildOptions options{.rtree = {},
                                   .wide = WideBvhOptions{.layout = layout, .orientNodes = orientNodes}};
        Model model = modelOfPart(mesh, options);
        writeModelFile(file, model);
        CHECK(sameModel(readModelFile(file), model));
        // Bent several times, so that boxes enclose boxes.
        std::vector<Vec3> points;
        for (std::uint32_t i = 0; i < mesh->points().size(); ++i) points.push_back(mesh->pointInPart(i));
        const double bend = 0.1 * 2 * norm(mesh->bounds().halfExtent());
        auto& part = model.collisionModels[0];
        for (int round = 0; round < 3; ++round) {
          for (Vec3& p : points) p = p + random.inCube(bend);
          part = part->refit(points);
        }
        model.assembly.replacePart(PartId(0), part->sharedMesh());
        writeModelFile(file, model);
        CHECK(readModelFile(file).collisionModels[0]->mesh().contentHash() == part->mesh().contentHash());
      }
}

}  // namespace forged_model_file_tests
