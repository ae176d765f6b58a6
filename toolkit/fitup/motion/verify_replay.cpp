#include <fitup/motion/verify_replay.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <utility>

#include <fitup/base/error.h>

namespace fitup {
namespace {

/// The pose of a moved path on the way from a step to the next one, from the definition of ways.
Transform poseBetween(const Track& track, std::size_t step, std::size_t g, const Vec3& boxCentre, double s) {
  const StepWay way = track.wayTo(step + 1, g);
  if (way.turn) {
    const Vec3 axis = normalized(way.turn->direction);
    return Transform::translation(way.turn->point + axis * (way.turn->advance * s)) *
           Transform::rotation(axis, way.turn->degrees * s * (std::numbers::pi / 180)) *
           Transform::translation(-way.turn->point) * track.steps[step][g].transform();
  }
  return interpolate(track.steps[step][g], track.steps[step + 1][g], way.pivot.value_or(boxCentre), s)
      .transform();
}

/// True if both groups have the same poses at the steps, and at five places between any two of them the same
/// up to rounding. The places are uneven, so that no number of turns fits them all.
bool moveTogetherBySamples(const Track& track, const std::vector<Box>& boxes, std::size_t g, std::size_t h) {
  for (const auto& step : track.steps)
    if (!(step[g] == step[h])) return false;
  if (g == h) return true;
  Box both = boxes[g];
  both.extend(boxes[h]);
  if (both.empty()) return true;
  const auto centreOf = [&](std::size_t i) { return boxes[i].empty() ? Vec3{} : boxes[i].centre(); };
  for (std::size_t k = 0; k + 1 < track.steps.size(); ++k)
    for (const double s : {0.0917, 0.3141, 0.5772, 0.7071, 0.9387}) {
      const Transform a = poseBetween(track, k, g, centreOf(g), s);
      const Transform b = poseBetween(track, k, h, centreOf(h), s);
      for (const Vec3& p : {both.min, both.max, both.centre(), Vec3{both.min.x, both.max.y, both.min.z}}) {
        const Vec3 at = a.apply(p);
        if (norm(at - b.apply(p)) > 1e-12 * (norm(p) + norm(at) + norm(a.t))) return false;
      }
    }
  return true;
}

}  // namespace

VerificationReport verifyReplay(const Scene& scene, const Poses& poses, const Track& track,
                                const ReplayOptions& asked, const ReplayReport& answer,
                                const VerifyOptions& options, const Progress& progress) {
  scene.requireInstances(poses);
  const std::vector<MovedGroup> groups = resolve(track, scene.assembly(), asked.force);
  std::map<NodeId, std::size_t> groupOf;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const NodeId node : groups[g].instances) groupOf[node] = g;
  std::vector<Box> boxes(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const NodeId node : groups[g].instances) boxes[g].extend(scene.assembly().worldBounds(node));
  std::map<std::pair<std::size_t, std::size_t>, bool> alike;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t h = 0; h < groups.size(); ++h) alike[{g, h}] = moveTogetherBySamples(track, boxes, g, h);

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
