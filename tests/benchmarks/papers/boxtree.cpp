#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <fitup_field/trees/aabb_tree.h>
#include <fitup_field/trees/box_tree.h>
#include <fitup_field/trees/dop_tree.h>
#include <fitup_field/trees/obb_tree.h>
#include <models/placements.h>
#include <models/substitutes.h>
#include <models/torus.h>
#include <models/wrinkled.h>

#include "experiment.h"
#include "trial.h"

// G. Zachmann, Minimal Hierarchical Collision Detection, 2002.

namespace fitup::bench {
namespace {

using MeshPtr = std::shared_ptr<const TriangleMesh>;
MeshPtr shared(TriangleMesh mesh) { return std::make_shared<const TriangleMesh>(std::move(mesh)); }

/// Scales the mesh to fit into a cube of side 2 about the origin.
MeshPtr inCube(const TriangleMesh& mesh) {
  const Box box = mesh.boundsInPart();
  const Vec3 size = box.max - box.min, centre = box.centre();
  const double scale = 2 / std::max({size.x, size.y, size.z});
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    points.push_back((mesh.pointInPart(i) - centre) * scale);
  return shared(withPoints(mesh, points));
}

Experiment memory() {
  Experiment e;
  e.title = "Table 1: bytes a node";
  e.columns = {"hierarchy", "bytes a node", "paper", "operations a pair of nodes in the paper"};
  e.rows = {
      {"box_tree, aligned / SAT lite / full", fmt::format("{}", sizeof(BoxTreeNode)), "9", "12 / 24 / 82"},
      {"aabb_tree", fmt::format("{}", sizeof(AabbNode)), "28", "90"},
      {"obb_tree", fmt::format("{}", sizeof(ObbNode)), "64", "243"},
      {"dop_tree, 24", "100", "100", "168"}};
  e.remark =
      "Operations are the paper's count for one worst pair; ours are of the same tests (axes 3, 6 and 15) "
      "and were not counted one by one. The boxtree's spare cuts are nodes of 8 bytes too: see the last "
      "table "
      "for bytes a triangle.";
  return e;
}

/// Measures how much of a parent's box a child leaves empty on each side, except the one that was split.
Experiment emptySpace(const std::vector<std::pair<std::string, MeshPtr>>& meshes) {
  Experiment e;
  e.title = "Figure 1: empty space between nodes of an AABB tree and their parents";
  e.columns = {"object", "nodes with at most 5 % empty", "10 %", "20 %", "50 %"};
  Picture picture;
  picture.name = "boxtree-figure-1";
  picture.title = "Empty space between a box and its parent's, without the side that was split";
  picture.x = "empty part of the parent's volume, %";
  picture.y = "nodes with at most so much, %";
  for (const auto& [name, mesh] : meshes) {
    const auto model = CollisionModel::build(mesh, System::of(field::aabb).build);
    const auto& nodes = static_cast<const AabbTree&>(model->tree(field::aabb)).nodes();
    std::vector<double> empty;
    for (const AabbNode& parent : nodes) {
      if (parent.link.isTriangle()) continue;
      for (std::uint32_t c = 0; c < 2; ++c) {
        const AabbNode& child = nodes[parent.link.node() + c];
        // There are six gaps; the largest, relative to the side, is the one that the split made.
        double gaps[3][2], largest = -1;
        std::size_t axis = 0, end = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double side = 2 * double(parent.half[k]);
          for (std::size_t i = 0; i < 2; ++i) {
            const double sign = i == 0 ? -1 : 1;
            const double gap = sign * ((parent.centre[k] + sign * parent.half[k]) -
                                       (child.centre[k] + sign * child.half[k]));
            gaps[k][i] = side > 0 ? std::clamp(gap / side, 0.0, 1.0) : 0;
            if (gaps[k][i] > largest) {
              largest = gaps[k][i];
              axis = k;
              end = i;
            }
          }
        }
        // On the split side, the child is compared with a parent that ends with it.
        double filled = 1;
        for (std::size_t k = 0; k < 3; ++k) {
          const double other =
              k == axis ? gaps[k][1 - end] / std::max(1e-12, 1 - gaps[k][end]) : gaps[k][0] + gaps[k][1];
          filled *= 1 - std::clamp(other, 0.0, 1.0);
        }
        empty.push_back(1 - filled);
      }
    }
    std::sort(empty.begin(), empty.end());
    const auto share = [&](double limit) {
      return 100.0 *
             static_cast<double>(std::upper_bound(empty.begin(), empty.end(), limit) - empty.begin()) /
             static_cast<double>(empty.size());
    };
    Series& series = picture.series.emplace_back();
    series.name = name;
    for (int i = 0; i <= 50; ++i) series.points.emplace_back(2.0 * i, share(0.02 * i));
    e.rows.push_back({name, fmt::format("{:.0f} %", share(0.05)), fmt::format("{:.0f} %", share(0.1)),
                      fmt::format("{:.0f} %", share(0.2)), fmt::format("{:.0f} %", share(0.5))});
  }
  e.remark =
      "Paper: for about half of all nodes the empty space is only about 10 %. The side that the split made "
      "is left out, as there.";
  e.pictures.push_back(std::move(picture));
  return e;
}

MeshPtr torusOf(int n, bool wrinkled = false) {
  models::TorusOptions options = wrinkled ? models::wrinkledTorus() : models::smallTorus();
  options.around = options.across = n;
  return inCube(models::makeTorus(options));
}

Experiment building(bool quick) {
  Experiment e;
  e.title = "Figure 6: build time over size";
  e.columns = {"triangles", "torus, ms", "wrinkled torus, ms", "longest axis only (torus), ms",
               "us a triangle (torus)"};
  Picture picture;
  picture.name = "boxtree-figure-6";
  picture.title = e.title;
  picture.x = "triangles / 1000";
  picture.y = "ms";
  picture.series = {{"torus", {}}, {"wrinkled torus", {}}, {"torus, longest axis only", {}}};
  for (const int n : quick ? std::vector<int>{10, 20} : std::vector<int>{50, 100, 150, 200, 245}) {
    const MeshPtr smooth = torusOf(n), wrinkled = torusOf(n, true);
    const System longest = System::of(field::box, "", {.longestAxisOnly = true});
    const System usual = System::of(field::box);
    const double ms[3] = {run(usual, {smooth, smooth}, {}, QueryMode::firstSurfacePair).buildMilliseconds,
                          run(usual, {wrinkled, wrinkled}, {}, QueryMode::firstSurfacePair).buildMilliseconds,
                          run(longest, {smooth, smooth}, {}, QueryMode::firstSurfacePair).buildMilliseconds};
    const auto count = static_cast<double>(smooth->triangleCount());
    for (std::size_t k = 0; k < 3; ++k) picture.series[k].points.emplace_back(count / 1000, ms[k]);
    e.rows.push_back({grouped(smooth->triangleCount()), fmt::format("{:.1f}", ms[0]),
                      fmt::format("{:.1f}", ms[1]), fmt::format("{:.1f}", ms[2]),
                      fmt::format("{:.2f}", 1e3 * ms[0] / count)});
  }
  e.remark = "Paper: linear. Ours with the surface R-tree that every model carries.";
  e.pictures.push_back(std::move(picture));
  return e;
}

/// Makes a full turn about z and x in small steps at a distance of the boxes' centres.
std::vector<Transform> tumbling(double distance, int steps) {
  std::vector<Transform> poses;
  for (int i = 0; i < steps; ++i) {
    const double angle = 2 * std::numbers::pi * i / steps;
    poses.push_back(Transform::translation({distance, 0, 0}) * Transform::rotation({0, 0, 1}, angle) *
                    Transform::rotation({1, 0, 0}, angle));
  }
  return poses;
}

/// Means of a query over the distances that occur in practice, at which some of the poses hit and some do
/// not.
struct Means {
  double us = 0, boxTests = 0, triangleTests = 0, bytesPerTriangle = 0;
};

std::vector<Means> meansOverDistances(std::span<const System> systems, const MeshPtr& mesh, int steps) {
  constexpr int rounds = 5;
  std::vector<Means> means(systems.size());
  double queries = 0;
  for (double distance = 2.4; distance > 0.8; distance -= 0.2) {
    const auto poses = tumbling(distance, steps);
    const Trial first =
        run(System::of(HierarchyKind::wide), {mesh, mesh}, poses, QueryMode::firstSurfacePair);
    if (first.hits == 0 || first.hits == poses.size()) continue;
    const auto trials = runInTurn(systems, {mesh, mesh}, poses, QueryMode::firstSurfacePair, rounds);
    for (std::size_t k = 0; k < systems.size(); ++k) {
      means[k].us += 1e3 * trials[k].milliseconds;
      means[k].boxTests += static_cast<double>(trials[k].stats.boxTests);
      means[k].triangleTests += static_cast<double>(trials[k].stats.triangleTests);
      means[k].bytesPerTriangle = trials[k].bytesPerTriangle;
    }
    queries += steps;
  }
  for (Means& m : means)
    for (double* sum : {&m.us, &m.boxTests, &m.triangleTests}) *sum /= std::max(1.0, queries);
  return means;
}

struct NamedMesh {
  std::string name;
  MeshPtr mesh;
};

/// The objects that are tumbled.
std::vector<NamedMesh> tumbledObjects(bool quick) {
  std::vector<NamedMesh> objects;
  for (const int n : quick ? std::vector<int>{10} : std::vector<int>{50, 100, 150, 200})
    objects.push_back({"torus", torusOf(n)});
  for (const int n : quick ? std::vector<int>{10} : std::vector<int>{100, 200})
    objects.push_back({"wrinkled torus", torusOf(n, true)});
  objects.push_back({"craft", inCube(models::makeCraft())});
  objects.push_back({"pot", inCube(models::makePot())});
  return objects;
}

Experiment boxTests(bool quick) {
  Experiment e;
  e.title = "Figure 9: tests of box pairs in the boxtree";
  e.columns = {"distance", "aligned, us", "SAT lite, us", "full, us", "box tests aligned", "lite", "full"};
  Picture picture;
  picture.name = "boxtree-figure-9";
  picture.title = "Tests of box pairs in the boxtree, craft";
  picture.x = "distance of the centres";
  picture.y = "us a query";
  picture.series = {{"axis alignment", {}}, {"SAT lite", {}}, {"full", {}}};
  const MeshPtr craft = inCube(models::makeCraft());
  const int steps = quick ? 20 : 5000;
  for (double distance = 2.4; distance > (quick ? 2.1 : 0.7); distance -= 0.2) {
    const System systems[] = {System::of(field::box, "", {.boxTest = BoxTest::aligned}),
                              System::of(field::box, "", {.boxTest = BoxTest::lite}),
                              System::of(field::box, "", {.boxTest = BoxTest::full})};
    const auto trials =
        runInTurn(systems, {craft, craft}, tumbling(distance, steps), QueryMode::firstSurfacePair, 3);
    std::vector<std::string> row{fmt::format("{:.1f}", distance)};
    for (std::size_t k = 0; k < 3; ++k) {
      const double us = 1e3 * trials[k].milliseconds / steps;
      picture.series[k].points.emplace_back(distance, us);
      row.push_back(fmt::format("{:.2f}", us));
    }
    for (const Trial& t : trials)
      row.push_back(grouped(t.stats.boxTests / static_cast<std::uint64_t>(steps)));
    e.rows.push_back(std::move(row));
  }
  e.remark = "Paper: SAT lite is the fastest of the three.";
  e.pictures.push_back(std::move(picture));
  return e;
}

Experiment againstDops(std::span<const NamedMesh> objects, int steps) {
  Experiment e;
  e.title = "Figure 10: restricted boxtree against DOP tree";
  e.columns = {"object",
               "triangles",
               "boxtree, us",
               "DOP tree (24), us",
               "aabb_tree, us",
               "wide_bvh, us",
               "boxtree / DOP tree",
               "box tests boxtree",
               "DOP tree",
               "aabb_tree",
               "triangle tests boxtree",
               "DOP tree"};
  Picture picture;
  picture.name = "boxtree-figure-10";
  picture.title = "Mean time of a query over practical distances, torus";
  picture.x = "triangles / 1000";
  picture.y = "us a query";
  picture.series = {{"boxtree", {}}, {"DOP tree", {}}, {"aabb_tree", {}}, {"wide_bvh", {}}};
  const System systems[] = {System::of(field::box), System::of(field::dop), System::of(field::aabb),
                            System::of(HierarchyKind::wide)};
  for (const auto& [name, mesh] : objects) {
    const std::vector<Means> means = meansOverDistances(systems, mesh, steps);
    std::vector<std::string> row{name, grouped(mesh->triangleCount())};
    for (std::size_t k = 0; k < means.size(); ++k) {
      row.push_back(fmt::format("{:.2f}", means[k].us));
      if (name == "torus")
        picture.series[k].points.emplace_back(static_cast<double>(mesh->triangleCount()) / 1000, means[k].us);
    }
    row.push_back(fmt::format("{:.2f}", means[1].us > 0 ? means[0].us / means[1].us : 0));
    for (std::size_t k = 0; k < 3; ++k) row.push_back(fmt::format("{:.0f}", means[k].boxTests));
    for (std::size_t k = 0; k < 2; ++k) row.push_back(fmt::format("{:.0f}", means[k].triangleTests));
    e.rows.push_back(std::move(row));
  }
  e.remark = fmt::format(
      "Paper: boxtrees need about as long as DOP trees. {} steps a distance. The systems take turns; times "
      "are "
      "medians of five rounds, counts are means of a query.",
      steps);
  e.pictures.push_back(std::move(picture));
  return e;
}

/// Shows what spare cuts are worth, which the paper does not have, for the largest object of each name.
Experiment spareCuts(std::span<const NamedMesh> objects, int steps) {
  Experiment e;
  e.title = "Spare cuts: cuts in addition to one a node";
  e.columns = {"object",    "triangles",      "spare cuts a triangle", "bytes a triangle",
               "box tests", "triangle tests", "time / DOP tree"};
  std::vector<System> systems{System::of(field::dop)};
  constexpr float spares[] = {0, 0.125F, 0.25F, 0.5F, 1.75F};
  for (const float spare : spares)
    systems.push_back(System::of(field::box, fmt::format("{}", spare), {.spareCuts = spare}));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto& [name, mesh] = objects[i];
    if (i + 1 < objects.size() && objects[i + 1].name == name) continue;
    const std::vector<Means> means = meansOverDistances(systems, mesh, steps);
    for (std::size_t k = 0; k < means.size(); ++k)
      e.rows.push_back({name, grouped(mesh->triangleCount()), k == 0 ? "DOP tree" : systems[k].name,
                        fmt::format("{:.1f}", means[k].bytesPerTriangle),
                        fmt::format("{:.0f}", means[k].boxTests),
                        fmt::format("{:.0f}", means[k].triangleTests),
                        fmt::format("{:.2f}", means[0].us > 0 ? means[k].us / means[0].us : 0)});
  }
  e.remark =
      "A node of the paper cuts its parent's box once. Here a node may have an only child, which cuts again. "
      "A "
      "quarter of a cut a triangle is the default: with 8 bytes a node it takes the memory of the paper's "
      "2 n - 1 nodes of 9 bytes. With 1.75, every cut that makes a box smaller is made.";
  return e;
}

}  // namespace

Paper boxtreePaper() {
  Paper paper;
  paper.name = "boxtree";
  paper.reference = "G. Zachmann, Minimal Hierarchical Collision Detection, 2002";
  paper.substitutes =
      "tori by formula; *craft* and *pot* stand in for the car body, headlight and lock, which are not "
      "public. First contact, tumbling protocol";
  paper.run = [](bool quick) {
    const std::vector<std::pair<std::string, MeshPtr>> meshes{
        {"torus", torusOf(quick ? 10 : 200)},
        {"wrinkled torus", torusOf(quick ? 10 : 200, true)},
        {"craft", inCube(models::makeCraft())}};
    const std::vector<NamedMesh> objects = tumbledObjects(quick);
    const int steps = quick ? 10 : 1000;
    return std::vector<Experiment>{memory(),        emptySpace(meshes),          building(quick),
                                   boxTests(quick), againstDops(objects, steps), spareCuts(objects, steps)};
  };
  return paper;
}

}  // namespace fitup::bench
