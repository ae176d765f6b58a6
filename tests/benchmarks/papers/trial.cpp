#include "trial.h"

#include <algorithm>
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

namespace {

/// The models of a pair, built for one system.
struct Built {
  std::shared_ptr<const CollisionModel> a, b;
  Trial trial;  ///< build time and memory
};

Built built(const System& system, const TrialPair& pair) {
  Built r;
  r.trial.buildMilliseconds =
      processorMilliseconds([&] { r.a = CollisionModel::build(pair.a, system.build); });
  r.b = pair.a == pair.b ? r.a : CollisionModel::build(pair.b, system.build);
  r.trial.bytesPerTriangle = static_cast<double>(r.a->hierarchyBytes(system.kind)) /
                             static_cast<double>(std::max<std::size_t>(1, pair.a->triangleCount()));
  return r;
}

Trial queried(const System& system, const Built& models, std::span<const Transform> worldFromB,
              QueryMode mode) {
  Trial trial = models.trial;
  IntersectionRequest request;
  request.mode = mode;
  request.hierarchy = system.kind;
  QueryContext context;
  trial.milliseconds = processorMilliseconds([&] {
    for (const Transform& pose : worldFromB) {
      const IntersectionReport report = intersect({models.a, {}}, {models.b, pose}, request, context);
      trial.stats += report.stats;
      trial.hits += report.intersects();
      trial.pairs += report.trianglePairs.size();
    }
  });
  return trial;
}

void requireAgreement(const System& system, const Trial& trial, const System& other, const Trial& reference,
                      QueryMode mode) {
  if (trial.hits != reference.hits || (mode == QueryMode::allTrianglePairs && trial.pairs != reference.pairs))
    throw Error(fmt::format("{} gives {} hits and {} pairs, {} gives {} and {}", other.name, reference.hits,
                            reference.pairs, system.name, trial.hits, trial.pairs));
}

}  // namespace

Trial run(const System& system, const TrialPair& pair, std::span<const Transform> worldFromB,
          QueryMode mode) {
  return queried(system, built(system, pair), worldFromB, mode);
}

std::vector<Trial> runAll(std::span<const System> systems, const TrialPair& pair,
                          std::span<const Transform> worldFromB, QueryMode mode) {
  std::vector<Trial> trials;
  for (const System& system : systems) {
    trials.push_back(run(system, pair, worldFromB, mode));
    requireAgreement(system, trials.back(), systems.front(), trials.front(), mode);
  }
  return trials;
}

std::vector<Trial> runInTurn(std::span<const System> systems, const TrialPair& pair,
                             std::span<const Transform> worldFromB, QueryMode mode, int rounds) {
  std::vector<Built> models;
  for (const System& system : systems) models.push_back(built(system, pair));
  std::vector<Trial> trials(systems.size());
  std::vector<std::vector<double>> times(systems.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < systems.size(); ++k) {
      trials[k] = queried(systems[k], models[k], worldFromB, mode);
      times[k].push_back(trials[k].milliseconds);
    }
  for (std::size_t k = 0; k < systems.size(); ++k) {
    requireAgreement(systems[k], trials[k], systems.front(), trials.front(), mode);
    const auto middle = times[k].begin() + static_cast<std::ptrdiff_t>(times[k].size() / 2);
    std::nth_element(times[k].begin(), middle, times[k].end());
    trials[k].milliseconds = *middle;
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
