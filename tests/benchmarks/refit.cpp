#include "refit.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/query/intersect.h>
#include <models/deformations.h>
#include <models/placements.h>
#include <models/torus.h>
#include <models/wrinkled.h>

#include "stopwatch.h"

namespace fitup::bench {
namespace {

using ModelPtr = std::shared_ptr<const CollisionModel>;

ModelPtr built(TriangleMesh mesh) {
  BuildOptions options;
  options.add(HierarchyKind::scd);
  return CollisionModel::build(std::make_shared<const TriangleMesh>(std::move(mesh)), options);
}

/// Returns the number of triangle pairs of the deformed part with the other one at all poses.
std::size_t ask(const CollisionModel& deformed, const CollisionModel& other,
                const std::vector<Transform>& poses, HierarchyKind kind, QueryContext& context) {
  IntersectionRequest request;
  request.hierarchy = kind;
  std::size_t pairs = 0;
  for (const Transform& pose : poses)
    pairs +=
        intersect({borrowed(deformed), {}}, {borrowed(other), pose}, request, context).trianglePairs.size();
  return pairs;
}

RefitRow measure(const std::string& scene, const ModelPtr& model, const std::string& name,
                 const models::Deformation& deformation, int rounds, std::size_t poseCount) {
  RefitRow row;
  row.scene = scene;
  row.deformation = name;
  const TriangleMesh& mesh = model->mesh();
  row.triangles = mesh.triangleCount();
  const std::vector<Vec3> points = models::deformedPoints(mesh, deformation);
  const std::vector<Transform> poses = models::randomPlacements(poseCount, 3.8, 7);
  QueryContext context;
  std::vector<double> build, refit, ratio, queries[2];
  for (int round = -1; round < rounds; ++round) {  // the first round warms up
    ModelPtr refitted, fresh;
    const double refitTime = processorMilliseconds([&] { refitted = model->refit(points); });
    const double buildTime = processorMilliseconds([&] { fresh = built(withPoints(mesh, points)); });
    double queryRatio[2];
    for (const HierarchyKind kind : {HierarchyKind::wide, HierarchyKind::scd}) {
      std::size_t found[2] = {};
      double onRefitted = 0, onFresh = 0;
      // In turn; the untimed passes fill the caches, which takes more than one.
      for (int pass = -2; pass < 6; ++pass) {
        const double first =
            processorMilliseconds([&] { found[0] = ask(*refitted, *model, poses, kind, context); });
        const double second =
            processorMilliseconds([&] { found[1] = ask(*fresh, *model, poses, kind, context); });
        if (pass < 0) continue;
        onRefitted += first;
        onFresh += second;
      }
      if (found[0] != found[1]) throw Error("a refitted model gives other answers");
      queryRatio[kind == HierarchyKind::scd] = onRefitted / onFresh;
    }
    if (round < 0) {
      RefitCounts counts;
      (void)model->rtrees().refitted(refitted->mesh(), counts);
      row.comparisons = static_cast<double>(counts.comparisons()) / static_cast<double>(row.triangles);
      row.wideGrowth = refitted->costGrowth(HierarchyKind::wide);
      row.scdGrowth = refitted->costGrowth(HierarchyKind::scd);
      continue;
    }
    build.push_back(buildTime);
    refit.push_back(refitTime);
    ratio.push_back(buildTime / refitTime);
    for (int k = 0; k < 2; ++k) queries[k].push_back(queryRatio[k]);
  }
  row.build = medianInterval(build);
  row.refit = medianInterval(refit);
  row.ratio = medianInterval(ratio);
  row.wideQueries = medianInterval(queries[0]);
  row.scdQueries = medianInterval(queries[1]);
  return row;
}

}  // namespace

std::vector<RefitRow> runRefit(int rounds, bool quick) {
  std::vector<RefitRow> rows;
  for (const auto& [scene, whole] : {std::pair{"torus-5k", models::smallTorus()},
                                     {"torus-100k", models::largeTorus()},
                                     {"wrinkled", models::wrinkledTorus()}}) {
    models::TorusOptions options = whole;
    if (quick) options.around = options.across = 30;
    options.patchesAround = 10;
    options.patchesAcross = 5;
    const ModelPtr model = built(models::makeTorus(options));
    const Box box = model->mesh().boundsInPart();
    const std::size_t poses = quick ? 3 : 20;
    const auto add = [&](const char* name, const models::Deformation& deformation) {
      rows.push_back(measure(scene, model, name, deformation, rounds, poses));
    };
    add("none", [](const Vec3& p) { return p; });
    add("wave", models::wave(box, 0.2, 2, 0.5));
    add("twist, quarter turn", models::twist(box, 1.57));
    add("twist, two turns", models::twist(box, 12.57));
    add("blow-up, 5 times", models::blowUp({1, 0, 0}, 1, 5));
    add("folded through", models::foldThrough(box));
  }
  return rows;
}

void print(const std::vector<RefitRow>& rows) {
  fmt::print(
      "Refit against build; queries: time on the refitted model / on one built anew (all pairs of "
      "triangles)\n");
  fmt::print("{:<11}{:<20}{:>9}  {:<20}{:<20}{:<20}{:>6}{:>7}{:>7}  {:<20}{}\n", "scene", "deformation",
             "triangles", "build ms", "refit ms", "build / refit", "cmp", "wide", "scd", "wide queries",
             "scd queries");
  for (const RefitRow& r : rows)
    fmt::print("{:<11}{:<20}{:>9}  {:<20}{:<20}{:<20}{:>6.1f}{:>7.2f}{:>7.2f}  {:<20}{}\n", r.scene,
               r.deformation, r.triangles, text(r.build), text(r.refit), text(r.ratio), r.comparisons,
               r.wideGrowth, r.scdGrowth, text(r.wideQueries), text(r.scdQueries));
  fmt::print(
      "cmp: comparisons a triangle of the R-trees' refit; wide, scd: growth of the area cost since the "
      "build\n");
}

}  // namespace fitup::bench
