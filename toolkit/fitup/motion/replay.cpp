#include <fitup/motion/replay.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/base/parallel.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/track_scene.h>
#include <fitup/query/verdict.h>

namespace fitup {

std::vector<MovedGroup> resolve(const Track& track, const Assembly& assembly, bool force) {
  const std::string source = "track '" + track.name + "'";
  if (!force && track.modelHash && *track.modelHash != assembly.contentHash())
    throw InputError(source, "model hash",
                     "recorded on another model (" + hashText(*track.modelHash) + ", this one is " +
                         hashText(assembly.contentHash()) + "); force to use it anyway");
  if (track.unit != assembly.unit())
    throw InputError(source, "unit", "'" + track.unit + "', the model's is '" + assembly.unit() + "'");
  if (track.moved.empty()) throw InputError(source, "moved", "names no instance");

  std::vector<MovedGroup> groups;
  for (const std::string& path : track.moved) {
    const NodeId node = assembly.at(path);
    for (const MovedGroup& other : groups)
      if (assembly.isAtOrBelow(node, other.node) || assembly.isAtOrBelow(other.node, node))
        throw InputError(source, "moved '" + path + "'", "is part of another moved path");
    groups.push_back({node, assembly.instancesBelow(node)});
  }
  for (std::size_t k = 0; k < track.steps.size(); ++k) {
    if (track.steps[k].size() != track.moved.size())
      throw InputError(source, "step " + std::to_string(k),
                       std::to_string(track.steps[k].size()) + " poses for " +
                           std::to_string(track.moved.size()) + " moved paths");
    for (std::size_t i = 0; i < track.moved.size(); ++i) {
      if (!track.steps[k][i].isRigid())
        throw InputError(source, "step " + std::to_string(k) + ", '" + track.moved[i] + "'",
                         "is not a rigid motion (its quaternion is not of unit length, or it is not finite)");
    }
  }
  requireWays(track, source);
  return groups;
}

namespace {

/// Throws CancelledError before the first step.
ReplayReport replaySteps(const Scene& model, const Poses& poses, const Track& track,
                         const ReplayOptions& options, const Progress& progress) {
  const WorkMeter meter(progress);
  if (!options.interference.selection.all()) throw InputError("replay", "selection", "does not apply here");
  const detail::TrackScene scene(model, poses, track, options.force, meter);
  const Assembly& assembly = model.assembly();
  const std::vector<std::uint32_t>&moved = scene.moved, &rest = scene.rest;
  const std::vector<CandidatePair>& movedPairs = scene.movedPairs;
  InterferenceOptions stepOptions = options.interference;
  const bool keepsLimits = options.initialContacts == InitialContacts::keepLimits;
  if (keepsLimits && !stepOptions.verdict)
    throw InputError("replay", "initial contacts", "can only be told from clashes with verdicts");
  if (stepOptions.verdict) {
    stepOptions.verdict->tolerancesOfFaces = false;  // limits are those of the start
    std::vector<PartId> parts;
    for (const PlacedInstance& p : scene.design) parts.push_back(assembly.partOf(p.node));
    model.prepareSolids(parts, progress, stepOptions.threads);
  }
  std::vector<PlacedInstance> design;
  for (const PlacedInstance& p : scene.design) {
    meter.poll();
    design.push_back(placedForCheck(assembly, p.node, p.worldFromPart, options.interference));
  }
  const std::vector<std::string> paths =
      options.interference.rules.empty() ? std::vector<std::string>{} : model.paths();
  std::size_t consideredPairs = movedPairs.size() + moved.size() * rest.size();
  if (const Rules& rules = options.interference.rules; rules.check) {
    SelectedPairs ofMoved(rules), ofRest(rules);
    for (std::uint32_t i : moved) ofMoved.add(paths[i]);
    for (std::uint32_t i : rest) ofRest.add(paths[i]);
    consideredPairs =
        ofMoved.with(ofRest) + static_cast<std::size_t>(std::count_if(
                                   movedPairs.begin(), movedPairs.end(), [&](const CandidatePair& p) {
                                     return rules.selects(paths[p.first], paths[p.second]);
                                   }));
  }
  const InstanceTree restTree(design, rest, meter);
  const auto placeAt = [&](std::uint32_t i, const RigidMotion& motion) {
    return placedForCheck(assembly, design[i].node, motion.transform() * design[i].worldFromPart,
                          options.interference);
  };

  ReplayReport result;
  result.steps.resize(track.steps.size());
  if (keepsLimits && !track.steps.empty()) {
    std::map<std::pair<NodeId, NodeId>, double> limits;
    QueryContext context;
    const auto add = [&](const PlacedInstance& a, const PlacedInstance& b, std::uint32_t i, std::uint32_t j) {
      meter.poll();
      const detail::MovingPair pair{{borrowed(model.solidOf(a.node)), a.worldFromPart},
                                    {borrowed(model.solidOf(b.node)), b.worldFromPart}};
      const Rule* rule = paths.empty() ? nullptr : options.interference.rules.find(paths[i], paths[j]);
      const double tolerance =
          effectiveTolerance(toleranceByRule(stepOptions.verdict->tolerance, rule, pair.first, pair.second),
                             pair.first, pair.second);
      const double limit = detail::PairLimit::atReference(pair, tolerance, {}, context).depth;
      if (limit > tolerance) limits[std::minmax(a.node, b.node)] = limit;
    };
    std::vector<PlacedInstance> placed = design;
    for (const std::uint32_t i : moved) placed[i] = placeAt(i, track.steps.front()[scene.groupOf[i]]);
    std::vector<std::uint32_t> near;
    for (const std::uint32_t i : moved) {
      near.clear();
      restTree.candidates(placed[i], near);
      for (const std::uint32_t j : near) add(placed[i], placed[j], i, j);
    }
    for (const auto& [i, j] : movedPairs)
      if (kindOfPair(placed[i], placed[j], {}, {}, {}) == PairKind::narrow) add(placed[i], placed[j], i, j);
    if (!limits.empty())
      result.depthLimits =
          std::make_shared<const std::map<std::pair<NodeId, NodeId>, double>>(std::move(limits));
    stepOptions.verdict->depthLimits = result.depthLimits;
  }
  // Steps are independent, so threads share the steps. Within a step, pairs are checked one after the other.
  stepOptions.threads = 1;
  const unsigned workers = workerCount(options.interference.threads, track.steps.size());
  std::vector<std::vector<PlacedInstance>> placedOf(workers, design);
  std::vector<CheckContexts> contextsOf(workers);
  std::atomic<std::size_t> done{0};
  parallelFor(track.steps.size(), workers, [&](std::size_t k, unsigned worker) {
    result.steps[k].step = k;
    if (progress.cancelled()) {
      result.steps[k].interference.status = ReportStatus::cancelled;
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<PlacedInstance>& placed = placedOf[worker];
    std::vector<CandidatePair> candidates = movedPairs;
    std::vector<std::uint32_t> near;
    for (std::uint32_t i : moved) {
      if (progress.cancelled()) {
        result.steps[k].interference.status = ReportStatus::cancelled;
        return;
      }
      placed[i] = placeAt(i, track.steps[k][scene.groupOf[i]]);
      near.clear();
      restTree.candidates(placed[i], near);
      if (near.size() > mostCandidatePairs - std::min(mostCandidatePairs, candidates.size()))
        throwTooManyPairs(mostCandidatePairs);
      for (std::uint32_t j : near) candidates.emplace_back(i, j);
    }
    // This handle carries only the cancel; progress is counted in steps.
    InterferenceReport& report = result.steps[k].interference;
    report = checkPairs(model, placed, candidates, stepOptions, contextsOf[worker],
                        Progress(progress.stopToken()));
    report.consideredPairs = consideredPairs;
    report.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    progress.report("replaying", static_cast<double>(++done) / static_cast<double>(track.steps.size()));
  });
  for (const ReplayStep& step : result.steps)
    if (step.interference.status != ReportStatus::complete && result.status != ReportStatus::cancelled)
      result.status = step.interference.status;
  return result;
}

}  // namespace

ReplayReport replay(const Scene& scene, const Poses& poses, const Track& track, const ReplayOptions& options,
                    const Progress& progress) {
  try {
    return replaySteps(scene, poses, track, options, progress);
  } catch (const CancelledError&) {
    ReplayReport result;
    result.status = ReportStatus::cancelled;
    result.steps.resize(track.steps.size());
    for (std::size_t k = 0; k < result.steps.size(); ++k) {
      result.steps[k].step = k;
      result.steps[k].interference.status = ReportStatus::cancelled;
    }
    return result;
  }
}

}  // namespace fitup
