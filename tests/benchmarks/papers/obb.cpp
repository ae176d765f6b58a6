#include <cmath>

#include <fmt/format.h>

#include <models/placements.h>
#include <models/sphere.h>
#include <models/substitutes.h>

#include "experiment.h"
#include "trial.h"

// S. Gottschalk, M. C. Lin, D. Manocha, OBBTree: A Hierarchical Structure for Rapid Interference Detection,
// 1996, sections 6 and 7.

namespace fitup::bench {
namespace {

std::vector<System> bothTrees() {
  return {System::of(field::obb, "AABB (this builder, identity axes)", {.axes = ObbAxes::identity}),
          System::of(field::obb, "OBB")};
}

/// The points where the curve is not saturated: the gaps that the paper fits.
std::vector<std::pair<double, double>> between(const Series& series, double low, double high) {
  std::vector<std::pair<double, double>> points;
  for (const auto& p : series.points)
    if (p.first >= low * 0.999 && p.first <= high * 1.001) points.push_back(p);
  return points;
}

Experiment proximity(bool quick, bool concentric) {
  Experiment e;
  e.title = concentric ? "Figure 5: concentric spheres (parallel close proximity)"
                       : "Figure 6: two spheres side by side (point close proximity)";
  e.columns = {"gap", "AABB box tests", "OBB box tests", "AABB / OBB"};
  models::SphereOptions sphere;
  if (quick) sphere.frequency = 8;
  const auto inner = std::make_shared<const TriangleMesh>(models::makeSphere(sphere));
  Picture picture;
  picture.name = concentric ? "obb-figure-5" : "obb-figure-6";
  picture.title = e.title;
  picture.x = "gap";
  picture.y = "box tests";
  picture.logX = picture.logY = true;
  const std::vector<System> systems = bothTrees();
  for (const System& s : systems) picture.series.push_back({s.name, {}});
  const std::vector<double> gaps =
      quick ? std::vector<double>{0.3, 0.1}
            : std::vector<double>{0.5,  0.3,   0.2,   0.15,  0.1,   0.07, 0.05, 0.03, 0.02,
                                  0.01, 0.005, 0.003, 0.002, 0.001, 5e-4, 2e-4, 1e-4};
  for (const double gap : gaps) {
    models::SphereOptions larger = sphere;
    larger.radius = 1 + gap;
    const TrialPair pair{
        inner, concentric ? std::make_shared<const TriangleMesh>(models::makeSphere(larger)) : inner};
    // Beside each other the spheres have one orientation; the direction meets no vertex.
    const Vec3 direction = normalized(Vec3{0.3, 0.5, 0.8});
    const Transform pose = concentric ? Transform{} : Transform::translation(direction * (2 + gap));
    const auto trials = runAll(systems, pair, std::vector{pose}, QueryMode::allTrianglePairs);
    for (std::size_t k = 0; k < 2; ++k)
      picture.series[k].points.emplace_back(gap, static_cast<double>(trials[k].stats.boxTests));
    e.rows.push_back({fmt::format("{}", gap), grouped(trials[0].stats.boxTests),
                      grouped(trials[1].stats.boxTests),
                      fmt::format("{:.2f}", static_cast<double>(trials[0].stats.boxTests) /
                                                static_cast<double>(trials[1].stats.boxTests))});
  }
  if (concentric && !quick)
    e.remark = fmt::format(
        "Slopes over the part that is not saturated: AABB {:.2f} from 0.03 to 0.3 (paper: about -2), OBB "
        "{:.2f} from 5e-4 to 0.1 (about -1). "
        "Below, the AABB curve levels off, as in the paper.",
        slope(between(picture.series[0], 0.03, 0.3)), slope(between(picture.series[1], 5e-4, 0.1)));
  e.pictures.push_back(std::move(picture));
  return e;
}

Experiment simulations(bool quick) {
  Experiment e;
  e.title = "Table 3: two simulations";
  e.columns = {"scenario",       "",          "triangles",    "steps", "contacts", "box tests",
               "triangle tests", "ms a step", "us a box test"};
  const auto scenario = [&](const std::string& name, const TrialPair& pair, std::vector<Transform> track,
                            std::vector<std::string> paper) {
    if (quick) {  // ten steps spread over the whole
      for (std::size_t k = 0; k < 10; ++k) track[k] = track[k * track.size() / 10];
      track.resize(10);
    }
    // Oriented boxes around hulls take seconds to build for these.
    const std::vector<HierarchyKind> kinds = quick
                                                 ? std::vector{field::aabb, HierarchyKind::wide}
                                                 : std::vector{field::obb, field::aabb, HierarchyKind::wide};
    for (const HierarchyKind kind : kinds) {
      const Trial t = run(System::of(kind), pair, track, QueryMode::allTrianglePairs);
      const double steps = static_cast<double>(track.size());
      e.rows.push_back(
          {name, std::string(fitup::name(kind)),
           grouped(pair.a->triangleCount()) + " + " + grouped(pair.b->triangleCount()), grouped(track.size()),
           grouped(t.pairs), grouped(t.stats.boxTests), grouped(t.stats.triangleTests),
           fmt::format("{:.3f}", t.milliseconds / steps),
           fmt::format("{:.4f}", 1e3 * t.milliseconds /
                                     static_cast<double>(std::max<std::uint64_t>(1, t.stats.boxTests)))});
    }
    e.rows.push_back(std::move(paper));
  };
  scenario(
      "pipes",
      {std::make_shared<const TriangleMesh>(models::makePipes()),
       std::make_shared<const TriangleMesh>(models::makePipes(1 / 15.0))},
      models::pipesTrack(),
      {"pipes", "paper, RAPID", "143,690 + 143,690", "4,008", "23,905", "1,704,187", "71,589", "4.2", "7.9"});
  scenario("wrinkled torus",
           {std::make_shared<const TriangleMesh>(models::makeLandscape()),
            std::make_shared<const TriangleMesh>(models::makeRing())},
           models::ringTrack(),
           {"wrinkled torus", "paper, RAPID", "98,000 + 20,000", "1,298", "2,266", "1,055,559", "7,069",
            "6.9", "7.3"});
  e.remark =
      "The paper's models and the motions of its dynamics engine are not public: ours have as many triangles "
      "and steps and go where they like, "
      "so contacts and tests differ by what is touched and how deep. A contact is a pair of triangles.";
  return e;
}

}  // namespace

Paper obbPaper() {
  Paper paper;
  paper.name = "obb";
  paper.reference =
      "S. Gottschalk, M. C. Lin, D. Manocha, OBBTree: A Hierarchical Structure for Rapid Interference "
      "Detection, 1996";
  paper.substitutes =
      "spheres of 32,000 triangles as in the paper; pipes, landscape and wrinkled torus are seeded "
      "substitutes of the same size";
  paper.run = [](bool quick) {
    return std::vector<Experiment>{proximity(quick, true), proximity(quick, false), simulations(quick)};
  };
  return paper;
}

}  // namespace fitup::bench
