#include <fitup/motion/verify_replay.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fitup/base/error.h>

namespace fitup {

VerificationReport verifyReplay(const Scene& scene, const Poses& poses, const Track& track,
                                const ReplayOptions& asked, const ReplayReport& answer,
                                const VerifyOptions& options, const Progress& progress) {
  scene.requireInstances(poses);
  const std::vector<MovedGroup> groups = resolve(track, scene.assembly(), asked.force);
  std::map<NodeId, std::size_t> groupOf;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const NodeId node : groups[g].instances) groupOf[node] = g;
  const auto together = [&](std::size_t g, std::size_t h) {
    for (const auto& step : track.steps)
      if (!(step[g] == step[h])) return false;
    return true;
  };
  std::map<std::pair<std::size_t, std::size_t>, bool> alike;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t h = 0; h < groups.size(); ++h) alike[{g, h}] = together(g, h);

  const std::span<const NodeId> instances = scene.instances();
  Verifier verifier(scene, options, progress);
  InterferenceOptions limited = asked.interference;
  if (limited.verdict) limited.verdict->depthLimits = answer.depthLimits;
  const WorkMeter meter(progress);
  std::vector<CandidatePair> candidates;
  try {
    CandidateList list(meter);
    for (std::uint32_t i = 0; i < instances.size(); ++i)
      for (std::uint32_t j = i + 1; j < instances.size(); ++j) {
        list.look();
        const auto g = groupOf.find(instances[i]), h = groupOf.find(instances[j]);
        const bool moves = g != groupOf.end(), othersMove = h != groupOf.end();
        if (moves || othersMove)
          if (!(moves && othersMove && alike[{g->second, h->second}])) list.add({i, j});
      }
    candidates = list.take();
  } catch (const CancelledError&) {  // the report says so
    return verifier.finish();
  }

  for (const ReplayStep& step : answer.steps) {
    if (verifier.ended()) break;
    progress.report("verifying", static_cast<double>(step.step) / static_cast<double>(track.steps.size()));
    std::vector<PlacedInstance> placed;
    for (const NodeId node : instances) {
      const auto g = groupOf.find(node);
      placed.push_back(placedInstance(
          scene.assembly(), node,
          g == groupOf.end() ? scene.worldFromPart(node, poses)
                             : track.steps[step.step][g->second].transform() * scene.designPlacement(node)));
    }
    verifier.interference(placed, candidates, limited, step.interference, step.step);
  }
  return verifier.finish();
}

}  // namespace fitup
