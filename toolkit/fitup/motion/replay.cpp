#include <fitup/motion/replay.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include <fitup/base/error.h>
#include <fitup/base/hash.h>
#include <fitup/base/parallel.h>

namespace fitup {
namespace {

constexpr std::uint32_t resting = ~0U;

/// True if both groups are moved alike in every step: then their distance never changes and they are one
/// rigid group.
bool moveAlike(const Track& track, std::size_t i, std::size_t j) {
  return std::all_of(track.steps.begin(), track.steps.end(),
                     [&](const auto& step) { return step[i] == step[j]; });
}

}  // namespace

std::vector<MovedGroup> resolve(const Track& track, const Assembly& assembly, bool force) {
  const std::string source = "track '" + track.name + "'";
  if (!force && track.modelHash && *track.modelHash != assembly.contentHash())
    throw InputError(source, "model hash",
                     "recorded on another model (" + hashText(*track.modelHash) + ", this one is " +
                         hashText(assembly.contentHash()) + "); force to use it all the same");
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
      const RigidMotion& m = track.steps[k][i];
      const double squared = m.rotation.x * m.rotation.x + m.rotation.y * m.rotation.y +
                             m.rotation.z * m.rotation.z + m.rotation.w * m.rotation.w;
      // Written so that a NaN fails too.
      if (!isFinite(m.translation) || !(std::abs(squared - 1) < 1e-6))
        throw InputError(source, "step " + std::to_string(k) + ", '" + track.moved[i] + "'",
                         "is no rigid motion (quaternion not of unit length, or not finite)");
    }
  }
  return groups;
}

ReplayReport replay(const Assembly& assembly, const CollisionModels& models, const Track& track,
                    const ReplayOptions& options, const Progress& progress) {
  const std::vector<MovedGroup> groups = resolve(track, assembly, options.force);
  const MatchedModels matched(assembly, models);

  std::vector<PlacedInstance> design;
  std::vector<std::uint32_t> groupOf;
  std::vector<std::string> paths;
  for (NodeId node : assembly.instances()) {
    design.push_back(placedInstance(assembly, node, assembly.worldFromNode(node)));
    if (!options.interference.rules.empty()) paths.push_back(assembly.path(node));
    groupOf.push_back(resting);
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      if (assembly.isAtOrBelow(node, groups[g].node)) groupOf.back() = g;
  }

  std::vector<std::uint32_t> moved, rest;
  for (std::uint32_t i = 0; i < design.size(); ++i) (groupOf[i] == resting ? rest : moved).push_back(i);
  // Moved instances of different groups, unless both groups move alike.
  std::vector<CandidatePair> movedPairs;
  for (std::size_t i = 0; groups.size() > 1 && i < moved.size(); ++i)
    for (std::size_t j = i + 1; j < moved.size(); ++j) {
      const std::uint32_t g = groupOf[moved[i]], h = groupOf[moved[j]];
      if (g != h && !moveAlike(track, g, h)) movedPairs.emplace_back(moved[i], moved[j]);
    }
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
  const InstanceTree restTree(design, rest);

  ReplayReport result;
  result.steps.resize(track.steps.size());
  // Steps are independent, so they are what threads share; within a step pairs go one after the other.
  InterferenceOptions stepOptions = options.interference;
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
    std::vector<Transform> motion;
    for (const RigidMotion& m : track.steps[k]) motion.push_back(m.transform());
    std::vector<PlacedInstance>& placed = placedOf[worker];
    std::vector<CandidatePair> candidates = movedPairs;
    std::vector<std::uint32_t> near;
    for (std::uint32_t i : moved) {
      placed[i] = placedInstance(assembly, placed[i].node, motion[groupOf[i]] * design[i].worldFromPart);
      near.clear();
      restTree.candidates(placed[i], near);
      for (std::uint32_t j : near) candidates.emplace_back(i, j);
    }
    // The handle carries only the cancel here: progress is counted in steps.
    InterferenceReport& report = result.steps[k].interference;
    report = checkPairs(matched, placed, candidates, paths, stepOptions, contextsOf[worker],
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

}  // namespace fitup
