#include <viewer/core/motion_check.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include <fitup/scene/nearest_other.h>
#include <viewer/core/findings.h>

namespace fitup::viewer {
namespace {

std::set<NodeId> movedBy(const std::vector<MovedGroup>& groups) {
  std::set<NodeId> moved;
  for (const MovedGroup& group : groups) moved.insert(group.instances.begin(), group.instances.end());
  return moved;
}

std::vector<std::vector<NodeId>> instancesOf(const std::vector<MovedGroup>& groups) {
  std::vector<std::vector<NodeId>> instances;
  for (const MovedGroup& group : groups) instances.push_back(group.instances);
  return instances;
}

class MotionDistance {
 public:
  MotionDistance(const Scene& model, const MotionScene& scene)
      : model_(model),
        scene_(scene),
        nearest_(model, instancesOf(resolve(*scene.track, model.assembly())), scene.rules) {}

  std::optional<double> at(std::size_t step, const Progress& progress) {
    Poses poses = scene_.rest;
    for (const auto& [node, motion] : motionsAt(*scene_.track, model_.assembly(), step))
      poses.set(node, motion.transform() * model_.designPlacement(node));
    const auto nearest = nearest_.at(poses, progress);
    return nearest ? std::optional(nearest->nearest.distance) : std::nullopt;
  }

 private:
  const Scene& model_;
  const MotionScene& scene_;
  NearestOther nearest_;
};

}  // namespace

std::map<NodeId, RigidMotion> motionsAt(const Track& track, const Assembly& assembly, std::size_t step) {
  std::map<NodeId, RigidMotion> motions;
  const std::vector<MovedGroup> groups = resolve(track, assembly);
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const NodeId node : groups[i].instances) motions[node] = track.steps.at(step).at(i);
  return motions;
}

Poses restOf(const Session& session, const Track& track) {
  Poses rest = session.poses();
  for (const NodeId node : movedBy(resolve(track, session.assembly()))) rest.reset(node);
  return rest;
}

MotionScene sceneOf(const Session& session, std::shared_ptr<const Track> track) {
  Poses rest = restOf(session, *track);
  return {std::move(track), std::move(rest), session.rules()};
}

std::vector<CheckedStep> checkMotion(const Scene& model, const MotionScene& scene,
                                     const InterferenceOptions& options, const Progress& progress) {
  const Track& track = *scene.track;
  ReplayOptions replayOptions;
  replayOptions.interference = options;
  replayOptions.interference.rules = scene.rules;
  if (options.verdict) replayOptions.interference.verdict->regions = false;
  replayOptions.interference.request.mode = QueryMode::allSurfacePairs;
  const ReplayReport report = replay(model, scene.rest, track, replayOptions, progress);
  MotionDistance distance(model, scene);
  std::vector<CheckedStep> steps;
  for (const ReplayStep& replayed : report.steps) {
    if (progress.cancelled()) break;
    progress.report("distances",
                    static_cast<double>(replayed.step) / static_cast<double>(track.steps.size()));
    CheckedStep& step = steps.emplace_back();
    step.milliseconds = replayed.interference.milliseconds;
    std::vector<const PairInterference*> found;
    for (const PairInterference& pair : replayed.interference.pairs) {
      if (pair.needsAction()) {
        step.findings += std::max<std::size_t>(1, pair.report.surfacePairs.size());
        found.push_back(&pair);
      } else if (pair.is(Verdict::undecided) || pair.report.status != ReportStatus::complete) {
        ++step.open;
      } else if (pair.is(Verdict::contact)) {
        ++step.contacts;
      }
    }
    std::ranges::stable_sort(found, std::greater(), [](const PairInterference* pair) {
      const double depth = pair->verdict ? pair->verdict->depth.value_or(0) : 0;
      return std::tuple(rankOf(pair->severity()) == 0, depth, pair->report.surfacePairs.size());
    });
    for (const PairInterference* pair : found) step.pairs.push_back({pair->a, pair->b, pair->severity()});
    step.distance =
        replayed.interference.intersects() ? std::optional(0.0) : distance.at(replayed.step, progress);
  }
  return steps;
}

CertifyReport certifyMotion(const Scene& model, const MotionScene& scene, const InterferenceOptions& options,
                            const Progress& progress) {
  constexpr std::chrono::seconds longest{30};
  CertifyOptions certified;
  if (options.verdict) certified.tolerance = options.verdict->tolerance;
  certified.rules = scene.rules;
  certified.limits.timeBudget = longest;
  return certify(model, scene.rest, *scene.track, certified, progress);
}

ContactMap mapContacts(const Scene& model, const MotionScene& scene, const Progress& progress) {
  ContactMapOptions options;
  options.rules = scene.rules;
  options.threads = 0;
  return contactMap(model, scene.rest, *scene.track, options, progress);
}

const SurfaceContact* contactOf(const ContactMap& map, NodeId instance, SurfaceId surface) {
  const auto key = std::pair(instance, surface);
  const auto keyOf = [](const SurfaceContact& contact) {
    return std::pair(contact.instance, contact.surface);
  };
  const auto found = std::ranges::lower_bound(map.surfaces, key, {}, keyOf);
  return found != map.surfaces.end() && keyOf(*found) == key ? &*found : nullptr;
}

std::size_t stepOf(const SurfaceContact& contact) {
  return contact.first ? contact.first->step : contact.least.step;
}

}  // namespace fitup::viewer
