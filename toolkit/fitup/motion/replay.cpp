#include <fitup/motion/replay.h>

#include <algorithm>
#include <atomic>

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

  std::vector<PlacedInstance> design;
  std::vector<std::uint32_t> groupOf;
  std::vector<std::string> paths;
  for (NodeId node : assembly.instances()) {
    design.push_back(placedInstance(assembly, node, assembly.worldFromNode(node)));
    if (!options.interference.rules.rules.empty()) paths.push_back(assembly.path(node));
    groupOf.push_back(resting);
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      if (assembly.isAtOrBelow(node, groups[g].node)) groupOf.back() = g;
  }

  std::vector<CandidatePair> candidates;
  for (std::uint32_t i = 0; i < design.size(); ++i)
    for (std::uint32_t j = i + 1; j < design.size(); ++j) {
      if (groupOf[i] == groupOf[j]) continue;  // both rest, or one rigid group
      if (groupOf[i] != resting && groupOf[j] != resting && moveAlike(track, groupOf[i], groupOf[j]))
        continue;
      candidates.emplace_back(i, j);
    }

  ReplayReport result;
  result.steps.resize(track.steps.size());
  // Steps are independent, so they are what threads share; within a step pairs go one after the other.
  InterferenceOptions stepOptions = options.interference;
  stepOptions.threads = 1;
  std::atomic<std::size_t> done{0};
  parallelFor(track.steps.size(), options.interference.threads, [&](std::size_t k, unsigned) {
    result.steps[k].step = k;
    if (progress.cancelled()) {
      result.steps[k].interference.status = ReportStatus::cancelled;
      return;
    }
    std::vector<Transform> motion;
    for (const RigidMotion& m : track.steps[k]) motion.push_back(m.transform());
    std::vector<PlacedInstance> placed = design;
    for (std::uint32_t i = 0; i < placed.size(); ++i)
      if (groupOf[i] != resting)
        placed[i] = placedInstance(assembly, placed[i].node, motion[groupOf[i]] * design[i].worldFromPart);
    // The handle carries only the cancel here: progress is counted in steps.
    result.steps[k].interference =
        checkPairs(assembly, models, placed, candidates, paths, stepOptions, Progress(progress.stopToken()));
    progress.report("replaying", static_cast<double>(++done) / static_cast<double>(track.steps.size()));
  });
  for (const ReplayStep& step : result.steps)
    if (step.interference.status != ReportStatus::complete && result.status != ReportStatus::cancelled)
      result.status = step.interference.status;
  return result;
}

}  // namespace fitup
