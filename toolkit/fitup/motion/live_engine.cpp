#include <fitup/motion/live_engine.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/scene/clash_depths.h>
#include <fitup/scene/live_interference.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

const std::vector<NodeId>& groupOf(const LiveQuestion& question) {
  return question.drag ? question.drag->dragged : question.measured;
}

const PairSelection& selectionOf(const LiveQuestion& question) {
  return question.scene->selection.all() ? question.options->selection : question.scene->selection;
}

/// The id that each instance of a scene, by position, had in the scene before. Each former instance is
/// assigned once: otherwise the pairs of a second one would count as checked and be lost.
std::vector<std::optional<NodeId>> formerNodes(const LiveScene& now, const LiveScene& before) {
  std::map<std::uint64_t, NodeId> former;
  for (std::size_t i = 0; i < before.identities.size(); ++i)
    former[before.identities[i]] = before.scene.instances()[i];
  std::vector<std::optional<NodeId>> nodes(now.scene.instances().size());
  for (std::size_t i = 0; i < now.identities.size(); ++i)
    if (const auto found = former.extract(now.identities[i])) nodes[i] = found.mapped();
  return nodes;
}

}  // namespace

struct LiveEngine::State {
  void answer(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    if (scene != question.scene) {
      const std::size_t given = question.scene->identities.size(),
                        instances = question.scene->scene.instances().size();
      if (given != 0 && given != instances)
        throw InputError("live question", "identities",
                         std::to_string(given) + " for " + std::to_string(instances) + " instances");
      resetGuards();
      nearest.reset();
      drag = 0;
      scene = question.scene;
    }
    if (question.drag)
      follow(question, progress, answer);
    else
      rest(question);
    if (!question.drag || question.drag->mode != DragMode::off) check(question, progress, answer);
  }

  /// Distances of the group. Made once for a drag, because rules are matched against the paths of all pairs.
  const NearestOther& nearestOther(const LiveQuestion& question) {
    const std::vector<NodeId>& group = groupOf(question);
    if (!nearest || group != nearestOf || question.options != nearestBy) {
      nearest.emplace(scene->scene, std::span(&group, 1), question.options->rules);
      nearestOf = group;
      nearestBy = question.options;
    }
    return *nearest;
  }

  void rest(const LiveQuestion& question) {
    resetGuards();
    drag = 0;
    now = question.poses;
  }

  void resetGuards() {
    guard.reset();
    slide.reset();
  }
  [[nodiscard]] static DragOptions dragOptions(const LiveQuestion& question) {
    DragOptions options;
    options.rules = question.options->rules;
    options.limits.timeBudget = question.drag->budget;
    options.tolerance = question.drag->tolerance;
    if (!options.tolerance && question.options->verdict)
      options.tolerance = question.options->verdict->tolerance;
    return options;
  }

  void follow(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    const DragGoal& goal = *question.drag;
    const bool isNew = goal.drag != drag || drag == 0;
    if (isNew) {
      resetGuards();
      dragStart = now = question.poses;
      drag = goal.drag;
      const DragOptions options = dragOptions(question);
      if (goal.mode == DragMode::stopAtContact)
        guard.emplace(scene->scene, dragStart, goal.dragged, RigidMotion{}, options, progress);
      if (goal.mode == DragMode::slide)
        slide.emplace(scene->scene, dragStart, goal.dragged, RigidMotion{},
                      SlideOptions{goal.freedom, options}, progress);
    }
    RigidMotion pose = goal.wanted;
    std::optional<DragStop> stop;
    bool isBehind = false;
    if (guard) {
      std::vector<RigidMotion> way = goal.passed;
      way.push_back(goal.wanted);
      DragUpdate update = guard->update(way, progress);
      pose = update.pose;
      stop = std::move(update.stop);
      isBehind = update.status != ReportStatus::complete;
    }
    std::vector<SlideHold> holding;
    if (slide) {
      SlideUpdate update = slide->update(goal.wanted, progress);
      pose = update.pose;
      holding = std::move(update.holding);
      isBehind = update.status != ReportStatus::complete;
    }
    // A guard that is only half made would block the part for good.
    if ((guard || slide) && isNew && progress.cancelled()) {
      resetGuards();
      drag = 0;
    }
    answer.drag = DragState{goal.drag, goal.mode, pose, std::move(stop), isBehind, std::move(holding)};
    for (const NodeId node : goal.dragged)
      now.set(node, pose.transform() * scene->scene.worldFromPart(node, dragStart));
  }

  void check(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    if (question.options != options) live.reset();
    if (!live || checked != scene) depths.clear();
    if (!live) {
      options = question.options;
      InterferenceOptions selected = *options;
      selected.selection = selectionOf(question);
      live = std::make_unique<LiveInterference>(scene->scene, now, selected, progress,
                                                JudgeExactShapes::onCatchUp);
    } else if (checked != scene) {
      live = std::make_unique<LiveInterference>(*live, scene->scene, now, formerNodes(*scene, *checked),
                                                selectionOf(question), progress);
    } else {
      live->moveTo(now, progress);
    }
    checked = scene;
    answer.options = options;
    report(answer);
    if (question.measureDistance && !groupOf(question).empty())
      answer.nearest = nearestOther(question).at(now, progress);
  }

  void catchUp(LiveAnswer& answer, const Progress& progress,
               const std::optional<std::chrono::nanoseconds>& within) {
    if (!live || live->pairsOfTriangles() == 0) return;
    live->catchUp(progress, within);
    report(answer);
  }

  /// Puts the present state into the answer.
  void report(LiveAnswer& answer) {
    const auto report = spare ? std::move(spare) : std::make_shared<InterferenceReport>();
    *report = live->report();
    depths.recall(scene->scene, now, *report);
    answer.openPairs = live->openPairs();
    answer.pairsOfTriangles = live->pairsOfTriangles();
    answer.report = report;
  }

  /// Makes the memory of the answer's report, if nobody else shares it, that of the next one.
  void takeMemory(LiveAnswer& answer) {
    // `report` made it as a non-const object.
    spare = answer.report.use_count() == 1
                ? std::const_pointer_cast<InterferenceReport>(std::move(answer.report))
                : nullptr;
  }

  /// Forgets all kept results, because they may be incomplete.
  void forget() {
    live.reset();
    resetGuards();
    drag = 0;
  }

  std::shared_ptr<const LiveScene> scene;
  Poses now, dragStart;  ///< the guard uses `dragStart`
  std::uint64_t drag = 0;
  std::optional<DragGuard> guard;
  std::optional<SlideGuard> slide;
  std::optional<NearestOther> nearest;  ///< for `nearestOf`, with the rules of `nearestBy`
  std::vector<NodeId> nearestOf;
  std::shared_ptr<const InterferenceOptions> nearestBy;
  std::shared_ptr<const LiveScene> checked;  ///< the scene of `live`, with `options`
  std::shared_ptr<const InterferenceOptions> options;
  std::unique_ptr<LiveInterference> live;
  ClashDepths depths;                         ///< also of `live`
  std::shared_ptr<InterferenceReport> spare;  ///< the next report reuses its memory
};

LiveEngine::LiveEngine() : state_(std::make_unique<State>()) {}
LiveEngine::~LiveEngine() = default;

void LiveEngine::answer(const LiveQuestion& question, LiveAnswer& answer, const Progress& progress) {
  const auto begin = Clock::now();
  state_->takeMemory(answer);
  answer = {};
  try {
    state_->answer(question, progress, answer);
  } catch (const std::exception& error) {
    state_->forget();
    answer = {};
    answer.error = error.what();
  }
  answer.scene = question.scene;
  answer.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

namespace {

/// Around a large part there may be thousands of others, whose faces would all be recognised.
void keepNearest(std::vector<NodeId>& others, const Scene& scene, const Poses& poses, const Box& moved) {
  constexpr std::size_t most = 100;
  if (others.size() <= most) return;
  const auto distanceTo = [&](NodeId node) {
    const Box box = scene.worldBounds(node, poses);
    Vec3 gap;
    for (int i = 0; i < 3; ++i)
      gap[i] = std::max({0.0, box.min[i] - moved.max[i], moved.min[i] - box.max[i]});
    return norm(gap);
  };
  std::vector<std::pair<double, NodeId>> byDistance;
  for (const NodeId node : others) byDistance.emplace_back(distanceTo(node), node);
  std::sort(byDistance.begin(), byDistance.end());
  others.clear();
  for (std::size_t i = 0; i < most; ++i) others.push_back(byDistance[i].second);
}

}  // namespace

std::vector<MateSuggestion> LiveEngine::mates(const LiveQuestion& question, const Progress& progress) {
  const std::vector<NodeId>& group = groupOf(question);
  if (group.empty()) return {};
  const Scene& scene = question.scene->scene;
  const Poses& now = state_->now;
  Box moved;
  for (const NodeId node : group) moved.extend(scene.worldBounds(node, now));
  Box near = moved;
  const double size = norm(near.halfExtent());
  const double distance = searchDistance(*question.mates, 2 * size);
  for (int i = 0; i < 3; ++i) {
    near.min[i] -= distance;
    near.max[i] += distance;
  }
  std::vector<NodeId> others = state_->nearestOther(question).others();
  std::erase_if(others, [&](NodeId node) { return !near.overlaps(scene.worldBounds(node, now)); });
  keepNearest(others, scene, now, moved);
  if (others.empty()) return {};
  MateReport found = suggestMates(scene, now, group, others, *question.mates, progress);
  if (found.status != ReportStatus::complete) return {};
  const double least = 1e-6 * size;
  std::erase_if(found.suggestions, [&](const MateSuggestion& s) {
    return s.deviation < std::max(least, s.lengthError) && s.angle < std::max(1e-6, s.angleError);
  });
  return std::move(found.suggestions);
}

void LiveEngine::catchUp(LiveAnswer& answer, const Progress& progress,
                         const std::optional<std::chrono::nanoseconds>& within) {
  try {
    state_->catchUp(answer, progress, within);
  } catch (const std::exception& error) {
    state_->forget();
    const LiveAnswer failed = std::exchange(answer, {});
    answer.ticket = failed.ticket;
    answer.scene = failed.scene;
    answer.error = error.what();
  }
}

void LiveEngine::measureDepths(InterferenceReport& report, const Progress& progress,
                               const std::function<void()>& onDepth) {
  state_->depths.measure(state_->scene->scene, state_->now, report, *state_->options->verdict, progress,
                         onDepth);
}

}  // namespace fitup
