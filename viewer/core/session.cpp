#include <viewer/core/session.h>

#include <algorithm>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/project_model.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/shape_refiner.h>
#include <fitup/motion/replay.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup/scene/rule_attributes.h>

namespace fitup::viewer {

std::string shortName(std::span<const std::filesystem::path> modelFiles) {
  const std::string first = modelFiles.front().filename().string();
  const std::size_t others = modelFiles.size() - 1;
  return others == 0 ? first : first + " and " + std::to_string(others) + " more";
}

void setMotion(SessionState& state, NodeId instance, const RigidMotion& motion) {
  if (motion == RigidMotion{})
    state.motions.erase(instance);
  else
    state.motions[instance] = motion;
}

void setLook(SessionState& state, NodeId instance, const PartLook& look) {
  if (look == PartLook{})
    state.looks.erase(instance);
  else
    state.looks[instance] = look;
}

Session::Session(Model model, std::vector<std::filesystem::path> modelFiles, const ReadOptions& readOptions,
                 const Progress& progress)
    : model_(std::move(model)),
      modelFiles_(std::move(modelFiles)),
      readOptions_(readOptions),
      undo_(SessionState{}) {
  if (model_.collisionModels.empty())
    model_.collisionModels = buildCollisionModels(model_.assembly, readOptions_.build, progress, allCores);
  scene_ = fitup::sceneOf(model_);
  if (hasChordErrors(model_.assembly))
    refinement_ = std::make_shared<Refinement>(std::make_shared<ShapeRefiner>(model_, readOptions_));
}

void Session::startWithTolerance(double tolerance) {
  SessionState first = state();
  first.tolerance = tolerance;
  undo_ = UndoStack<SessionState>(std::move(first));
}

Rules Session::resolved(Rules rules) const {
  return resolveAttributes(std::move(rules), scene_, {}, millimetresPerUnit());
}

double Session::millimetresPerUnit() const { return millimetresPer(assembly().unit()).value_or(1); }

bool adopt(Track& track, const Assembly& assembly) {
  resolve(track, assembly, true);
  const std::uint64_t hash = assembly.contentHash();
  const bool ofAnother = track.modelHash && *track.modelHash != hash;
  track.modelHash = hash;
  return ofAnother;
}

const std::filesystem::path& Session::modelFileOf(NodeId node) const {
  if (modelFiles_.size() == 1) return modelFiles_.front();
  // `readAssemblies` makes a root for each file, in their order, each followed by the nodes below it.
  const auto upTo = assembly().nodes().first(index(node) + std::size_t{1});
  const auto roots = std::count_if(upTo.begin(), upTo.end(), [](const auto& n) { return !n.parent; });
  return modelFiles_.at(static_cast<std::size_t>(roots - 1));
}

void Session::notify(const SessionState& before) {
  if (listener_) listener_(before);
}

void Session::edit(std::string label, const std::function<void(SessionState&)>& change,
                   std::string mergeKey) {
  const SessionState before = state();
  SessionState next = before;
  change(next);
  if (next == before) return;
  for (const auto& [node, motion] : next.motions)
    if (const auto was = before.motions.find(node); was == before.motions.end() || was->second != motion)
      requireNear(node, motion);
  SessionState others = next;
  others.guides = before.guides;
  const bool isSaved = others != before;
  undo_.push(std::move(next), std::move(label), std::move(mergeKey), isSaved);
  notify(before);
}

void Session::undo() {
  if (!undo_.canUndo()) return;
  const SessionState before = state();
  undo_.undo();
  notify(before);
}

void Session::redo() {
  if (!undo_.canRedo()) return;
  const SessionState before = state();
  undo_.redo();
  notify(before);
}

RigidMotion Session::motionOf(NodeId instance) const {
  const auto found = state().motions.find(instance);
  return found == state().motions.end() ? RigidMotion{} : found->second;
}

Transform Session::worldFromPart(NodeId instance) const {
  const Transform& design = scene_.designPlacement(instance);
  const auto found = state().motions.find(instance);
  return found == state().motions.end() ? design : found->second.transform() * design;
}

Poses Session::poses() const {
  Poses poses;
  for (const auto& [node, motion] : state().motions)
    poses.set(node, motion.transform() * scene_.designPlacement(node));
  return poses;
}

Box Session::worldBounds(std::span<const NodeId> instances) const {
  Box all;
  for (const NodeId node : instances)
    all.extend(placedBox(worldFromPart(node), assembly().meshOf(node).boundsInPart()));
  return all;
}

Box Session::visibleBounds() const {
  std::vector<NodeId> shown;
  for (const NodeId node : assembly().instances())
    if (!state().hidden.contains(node)) shown.push_back(node);
  return worldBounds(shown);
}

void Session::requireNear(NodeId instance, const RigidMotion& motion) const {
  (void)movedPlacement(assembly(), instance, motion);
}

void Session::move(std::span<const NodeId> instances, const RigidMotion& by, std::string label,
                   std::string mergeKey) {
  edit(
      std::move(label),
      [&](SessionState& state) {
        for (const NodeId node : instances) {
          (void)assembly().partOf(node);  // throws for a node that is not an instance
          setMotion(state, node, by * state.motions[node]);
        }
      },
      std::move(mergeKey));
}

void Session::reset(std::span<const NodeId> instances) {
  edit("Back to the design placement", [&](SessionState& state) {
    for (const NodeId node : instances) state.motions.erase(node);
  });
}

Project Session::project(const std::optional<Viewpoint>& viewpoint) const {
  Project p;
  p.models = modelFiles_;
  p.modelHash = assembly().contentHash();
  p.importSettings = readOptions_;
  const SessionState& s = state();
  for (const auto& [node, motion] : s.motions) p.moved.push_back({assembly().path(node), motion});
  for (const MovedInstance& moved : s.unresolvedMoves) {
    const std::optional<NodeId> node = assembly().find(moved.path);
    if (!node || !s.motions.contains(*node)) p.moved.push_back(moved);
  }
  p.rules = s.rules;
  p.tolerance = s.tolerance;
  for (const auto& track : s.tracks) p.tracks.push_back(*track);
  p.reviews = s.reviews;
  for (const NodeId node : s.hidden) p.hidden.insert(assembly().path(node));
  for (const NodeId node : s.ghosted) p.ghosted.insert(assembly().path(node));
  p.hidden.insert(s.unresolvedHidden.begin(), s.unresolvedHidden.end());
  p.ghosted.insert(s.unresolvedGhosted.begin(), s.unresolvedGhosted.end());
  p.looks = s.unresolvedLooks;
  for (const auto& [node, look] : s.looks) p.looks[assembly().path(node)] = look;
  p.viewpoint = viewpoint;
  p.namedViews = s.namedViews;
  p.sections = s.sections;
  return p;
}

std::vector<std::string> Session::apply(const Project& project) {
  std::vector<std::string> problems;
  const bool hasChanged = project.modelHash && *project.modelHash != assembly().contentHash();
  if (hasChanged) problems.push_back("the model has changed since the project was saved");
  SessionState next;
  MovesFound moves = findMoves(project.moved, assembly());
  next.motions = std::move(moves.motions);
  next.unresolvedMoves = std::move(moves.lacking);
  problems.insert(problems.end(), moves.problems.begin(), moves.problems.end());
  next.rules = project.rules;
  next.tolerance = project.tolerance;
  for (const Track& track : project.tracks) {
    auto taken = std::make_shared<Track>(track);
    try {
      if (adopt(*taken, assembly()) && !hasChanged)
        problems.push_back("the motion '" + track.name + "' was recorded on another model");
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
    next.tracks.push_back(std::move(taken));
  }
  next.reviews = project.reviews;
  const auto take = [&](const std::set<std::string>& paths, std::set<NodeId>& known,
                        std::set<std::string>& unresolved) {
    for (const std::string& path : paths) {
      const std::vector<NodeId> instances = instancesAt(assembly(), path);
      known.insert(instances.begin(), instances.end());
      if (!instances.empty()) continue;
      problems.push_back("the model has no instance '" + path + "'");
      unresolved.insert(path);
    }
  };
  take(project.hidden, next.hidden, next.unresolvedHidden);
  take(project.ghosted, next.ghosted, next.unresolvedGhosted);
  for (const auto& [path, look] : project.looks) {
    const std::vector<NodeId> instances = instancesAt(assembly(), path);
    for (const NodeId node : instances) setLook(next, node, look);
    if (!instances.empty()) continue;
    problems.push_back("the model has no instance '" + path + "'");
    next.unresolvedLooks.emplace(path, look);
  }
  next.namedViews = project.namedViews;
  next.sections = project.sections;
  if (undo_.canUndo() || undo_.canRedo()) {
    edit("Open project", [&](SessionState& state) { state = next; });
  } else {
    const SessionState before = state();
    undo_ = UndoStack<SessionState>(std::move(next));
    notify(before);
  }
  return problems;
}

}  // namespace fitup::viewer
