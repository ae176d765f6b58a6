#include <fitup/motion/contact_map.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/motion/detail/track_scene.h>
#include <fitup/query/distance.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;
using Surfaces = std::map<std::pair<NodeId, SurfaceId>, SurfaceContact>;

/// Total orders, so that the map does not depend on the order of threads.
bool isLess(const SurfaceApproach& p, const SurfaceApproach& q) {
  return std::tuple(p.distance, p.step, p.other, p.otherSurface) <
         std::tuple(q.distance, q.step, q.other, q.otherSurface);
}
bool isEarlier(const SurfaceApproach& p, const SurfaceApproach& q) {
  return std::tuple(p.step, p.distance, p.other, p.otherSurface) <
         std::tuple(q.step, q.distance, q.other, q.otherSurface);
}

void add(Surfaces& surfaces, const SurfaceContact& found) {
  const auto [place, fresh] = surfaces.try_emplace({found.instance, found.surface}, found);
  if (fresh) return;
  SurfaceContact& known = place->second;
  if (isLess(found.least, known.least)) known.least = found.least;
  if (found.first && (!known.first || isEarlier(*found.first, *known.first))) known.first = found.first;
}

double rangeOf(const ContactMapOptions& options, const detail::TrackScene& scene) {
  const auto require = [](const char* what, double length) {
    if (!(length >= 0) || !std::isfinite(length))
      throw InputError("contact map", what, std::to_string(length) + " is not a valid length");
  };
  require("contact", options.contactAt);
  if (options.range) require("range", *options.range);
  Box moved;
  for (std::uint32_t i : scene.moved) moved.extend(scene.design[i].worldBox);
  const double range = options.range.value_or(moved.empty() ? 0.0 : norm(moved.halfExtent()) / 25);
  if (options.contactAt > range) throw InputError("contact map", "contact", "exceeds the range");
  return range;
}

}  // namespace

ContactMap contactMap(const Scene& model, const Poses& poses, const Track& track,
                      const ContactMapOptions& options, const Progress& progress) {
  const auto begin = Clock::now();
  ContactMap result;
  result.contactAt = options.contactAt;
  result.steps = track.steps.size();
  const WorkMeter meter(progress);
  std::optional<detail::TrackScene> made;
  std::vector<CandidatePair> pairs;
  try {
    const detail::TrackScene& scene = made.emplace(model, poses, track, options.force, meter);
    (void)model.collisionModels(progress, options.threads);  // makes the missing ones
    result.range = rangeOf(options, scene);
    const Rules& rules = options.rules;
    const std::vector<std::string> paths = rules.empty() ? std::vector<std::string>{} : model.paths();
    CandidateList list(meter);
    const auto add = [&](std::uint32_t i, std::uint32_t j) {
      if (rules.empty() || rules.asksFor(paths[i], paths[j]))
        list.add({i, j});
      else
        list.look();
    };
    for (const auto& [i, j] : scene.movedPairs) add(i, j);
    for (std::uint32_t i : scene.moved)
      for (std::uint32_t j : scene.rest) add(i, j);
    pairs = list.take();
  } catch (const CancelledError&) {
    result.status = ReportStatus::cancelled;
    return result;
  }
  const detail::TrackScene& scene = *made;

  const std::stop_token cancel =
      options.limits.cancel.stop_possible() ? options.limits.cancel : progress.stopToken();
  const unsigned workers = workerCount(options.threads, track.steps.size());
  std::vector<std::vector<PlacedInstance>> placedOf(workers, scene.design);
  std::vector<QueryContext> contexts(workers);
  std::vector<Surfaces> surfacesOf(workers);
  std::vector<ReportStatus> statusOf(track.steps.size(), ReportStatus::cancelled);
  std::atomic<std::size_t> done{0};
  parallelFor(track.steps.size(), workers, [&](std::size_t k, unsigned worker) {
    std::vector<PlacedInstance>& placed = placedOf[worker];
    std::vector<SurfaceContact> found;
    for (std::uint32_t i : scene.moved)
      placed[i] =
          placedInstance(model.assembly(), placed[i].node,
                         track.steps[k][scene.groupOf[i]].transform() * scene.design[i].worldFromPart);
    for (const auto& [i, j] : pairs) {
      if (cancel.stop_requested()) return;
      const PlacedInstance &a = placed[i], &b = placed[j];
      if (!(boxDistance(a, b) <= result.range)) continue;
      DistanceRequest request;
      request.vectorUse = options.vectorUse;
      request.limits.cancel = cancel;
      if (options.limits.timeBudget)
        request.limits.timeBudget =
            std::max(std::chrono::nanoseconds{0}, *options.limits.timeBudget - (Clock::now() - begin));
      const PosedModel posedA{borrowed(model.modelOf(a.node)), a.worldFromPart},
          posedB{borrowed(model.modelOf(b.node)), b.worldFromPart};
      const SurfaceDistanceReport near =
          surfacePairsWithin(posedA, posedB, result.range, request, contexts[worker]);
      if (near.status != ReportStatus::complete) {
        statusOf[k] = near.status;
        return;
      }
      for (const NearestPair& p : near.pairs) {
        const bool contact = p.distance <= options.contactAt;
        const DistanceError error = distanceError(posedA, posedB, p.surfaces);
        const SurfaceApproach ofA{k, p.distance, b.node, p.surfaces.b, p.pointA, p.pointB, error};
        const SurfaceApproach ofB{k, p.distance, a.node, p.surfaces.a, p.pointB, p.pointA, error};
        found.push_back({a.node, p.surfaces.a, true, ofA, contact ? std::optional(ofA) : std::nullopt});
        found.push_back({b.node, p.surfaces.b, scene.groupOf[j] != detail::TrackScene::resting, ofB,
                         contact ? std::optional(ofB) : std::nullopt});
      }
    }
    // Only complete steps count.
    for (const SurfaceContact& surface : found) add(surfacesOf[worker], surface);
    statusOf[k] = ReportStatus::complete;
    progress.report("mapping contacts",
                    static_cast<double>(++done) / static_cast<double>(track.steps.size()));
  });

  Surfaces all;
  for (const Surfaces& surfaces : surfacesOf)
    for (const auto& [key, surface] : surfaces) add(all, surface);
  for (auto& [key, surface] : all) result.surfaces.push_back(surface);
  for (const ReportStatus status : statusOf) {
    result.status = std::max(result.status, status);
    result.answeredSteps += status == ReportStatus::complete;
  }
  result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  return result;
}

}  // namespace fitup
