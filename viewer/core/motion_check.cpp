#include <viewer/core/motion_check.h>

#include <algorithm>
#include <set>
#include <utility>

#include <viewer/core/nearest_other.h>

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
  MotionDistance(const Assembly& design, const CollisionModels& models, const MotionScene& scene)
      : design_(design),
        models_(models),
        track_(*scene.track),
        rest_(scene.rest),
        posed_(design),
        nearest_(design, instancesOf(resolve(track_, design)), scene.rules) {}

  std::optional<double> at(std::size_t step, const Progress& progress) {
    PosedAssembly::Placements placements = rest_;
    for (const auto& [node, motion] : motionsAt(track_, design_, step))
      placements[node] = motion.transform() * design_.worldFromNode(node);
    posed_.place(std::move(placements));
    const auto nearest = nearest_.in(posed_.assembly(), models_, progress);
    return nearest ? std::optional(nearest->nearest.distance) : std::nullopt;
  }

 private:
  const Assembly& design_;
  const CollisionModels& models_;
  const Track& track_;
  const PosedAssembly::Placements& rest_;
  PosedAssembly posed_;
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

PosedAssembly::Placements restOf(const Session& session, const Track& track) {
  const std::set<NodeId> moved = movedBy(resolve(track, session.assembly()));
  PosedAssembly::Placements rest;
  for (const InstanceMove& move : session.placements())
    if (!moved.contains(move.instance)) rest[move.instance] = move.worldFromPart;
  return rest;
}

MotionScene sceneOf(const Session& session, std::shared_ptr<const Track> track) {
  PosedAssembly::Placements rest = restOf(session, *track);
  return {std::move(track), std::move(rest), session.state().rules};
}

std::vector<CheckedStep> checkMotion(const Assembly& design, const CollisionModels& models,
                                     const MotionScene& scene, const InterferenceOptions& options,
                                     const Progress& progress) {
  const Track& track = *scene.track;
  resolve(track, design);
  PosedAssembly posed(design);
  posed.place(scene.rest);
  ReplayOptions replayOptions;
  replayOptions.interference = options;
  replayOptions.interference.rules = scene.rules;
  SolidModels bodies;
  if (options.verdict) {
    bodies = buildSolidModels(models, progress, 0);
    if (bodies.empty()) return {};  // cancelled
    replayOptions.interference.verdict->bodies = &bodies;
    replayOptions.interference.verdict->regions = false;
  }
  replayOptions.interference.request.mode = QueryMode::allSurfacePairs;
  replayOptions.force = true;  // the placements of `rest` are not what was recorded; the design is
  const ReplayReport report = replay(posed.assembly(), models, track, replayOptions, progress);
  MotionDistance distance(design, models, scene);
  std::vector<CheckedStep> steps;
  for (const ReplayStep& replayed : report.steps) {
    if (progress.cancelled()) break;
    progress.report("distances",
                    static_cast<double>(replayed.step) / static_cast<double>(track.steps.size()));
    CheckedStep& step = steps.emplace_back();
    step.milliseconds = replayed.interference.milliseconds;
    for (const PairInterference& pair : replayed.interference.pairs) {
      if (pair.needsAction())
        step.findings += std::max<std::size_t>(1, pair.report.surfacePairs.size());
      else if (pair.verdict == Verdict::contact)
        ++step.contacts;
    }
    step.distance =
        replayed.interference.intersects() ? std::optional(0.0) : distance.at(replayed.step, progress);
  }
  return steps;
}

ContactMap mapContacts(const Assembly& design, const CollisionModels& models, const MotionScene& scene,
                       const Progress& progress) {
  resolve(*scene.track, design);
  PosedAssembly posed(design);
  posed.place(scene.rest);
  ContactMapOptions options;
  options.rules = scene.rules;
  options.threads = 0;
  options.force = true;
  return contactMap(posed.assembly(), models, *scene.track, options, progress);
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
