#include "trial.h"

#include <cmath>

#include <fmt/format.h>

#include <fitup/base/error.h>
#include <models/placements.h>

#include "../stopwatch.h"

namespace fitup::bench {

System System::of(HierarchyKind kind, std::string name, const ResearchOptions& options) {
  System system;
  system.name = name.empty() ? std::string(fitup::name(kind)) : std::move(name);
  system.kind = kind;
  system.build.wide.reset();
  field::add(system.build, kind, options);
  return system;
}

Trial run(const System& system, const TrialPair& pair, std::span<const Transform> worldFromB,
          QueryMode mode) {
  Trial trial;
  std::shared_ptr<const CollisionModel> a, b;
  trial.buildMilliseconds = processorMilliseconds([&] { a = CollisionModel::build(pair.a, system.build); });
  b = pair.a == pair.b ? a : CollisionModel::build(pair.b, system.build);
  trial.bytesPerTriangle = static_cast<double>(a->hierarchyBytes(system.kind)) /
                           static_cast<double>(std::max<std::size_t>(1, pair.a->triangleCount()));
  IntersectionRequest request;
  request.mode = mode;
  request.hierarchy = system.kind;
  QueryContext context;
  trial.milliseconds = processorMilliseconds([&] {
    for (const Transform& pose : worldFromB) {
      const IntersectionReport report = intersect({a, {}}, {b, pose}, request, context);
      trial.stats += report.stats;
      trial.hits += report.intersects();
      trial.pairs += report.trianglePairs.size();
    }
  });
  return trial;
}

std::vector<Trial> runAll(std::span<const System> systems, const TrialPair& pair,
                          std::span<const Transform> worldFromB, QueryMode mode) {
  std::vector<Trial> trials;
  for (const System& system : systems) {
    trials.push_back(run(system, pair, worldFromB, mode));
    const Trial &first = trials.front(), &last = trials.back();
    if (last.hits != first.hits || (mode == QueryMode::allTrianglePairs && last.pairs != first.pairs))
      throw Error(fmt::format("{} gives {} hits and {} pairs, {} gives {} and {}", systems.front().name,
                              first.hits, first.pairs, system.name, last.hits, last.pairs));
  }
  return trials;
}

double cubeSideFor(const TrialPair& pair, double share, std::uint64_t seed) {
  const System fast = System::of(HierarchyKind::wide);
  const Box a = pair.a->boundsInPart(), b = pair.b->boundsInPart();
  double low = 0, high = 4 * (norm(a.max - a.min) + norm(b.max - b.min));
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    const auto poses = models::randomPlacements(400, middle, seed);
    const Trial trial = run(fast, pair, poses, QueryMode::firstSurfacePair);
    (static_cast<double>(trial.hits) > share * 400 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double slope(std::span<const std::pair<double, double>> points) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    const double u = std::log(x), v = std::log(y);
    n += 1;
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace fitup::bench
