#include <fitup/motion/motion_clearance.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <string>
#include <utility>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/detail/search_budget.h>
#include <fitup/motion/detail/track_scene.h>
#include <fitup/query/distance_error.h>
#include <fitup/scene/naming_instances.h>

namespace fitup {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// One search. Instances are meant by position in `TrackScene::design`; the first one of a pair moves.
class ClearanceSearch {
 public:
  ClearanceSearch(const Scene& model, const Poses& poses, const Track& track,
                  const MotionClearanceOptions& options, const Progress& progress)
      : model_(model),
        track_(track),
        options_(options),
        progress_(progress),
        scene_(model, poses, track, options.force, WorkMeter(progress)),
        placed_(scene_.design),
        placedAt_(placed_.size(), std::numeric_limits<double>::quiet_NaN()),
        best_(placed_.size()) {
    const auto require = [](const char* what, const std::optional<double>& length) {
      if (length && (!(*length >= 0) || !std::isfinite(*length)))
        throw InputError("clearance along the motion", what,
                         std::to_string(*length) + " is not a valid length");
    };
    require("range", options.range);
    require("resolution", options.resolution);
    (void)model.collisionModels(progress);  // makes the missing ones
    for (const PlacedInstance& p : scene_.design)
      corners_.push_back(cornersInWorld(model_.modelOf(p.node).mesh(), p.worldFromPart));
    const detail::MotionAccuracy accuracy =
        detail::motionAccuracy(model_.assembly(), scene_, track_, corners_);
    rounding_ = accuracy.rounding;
    Box moved;
    for (const std::uint32_t i : scene_.moved) moved.extend(scene_.design[i].worldBox);
    report_.range = options.range;
    report_.resolution = std::max(
        options.resolution.value_or(moved.empty() ? 0.0 : 0x1p-9 * norm(moved.halfExtent())), accuracy.least);
    findPairs();
  }

  MotionClearanceReport run() {
    const std::size_t last = std::max<std::size_t>(track_.steps.size(), 1) - 1;
    bool resume = !track_.steps.empty();
    // A track of one step has no motion, but its pose is still examined.
    for (step_ = 0; resume && (step_ < last || (last == 0 && step_ == 0)); ++step_) {
      resume = searchStep();
      progress_.report("looking for the least clearance",
                       static_cast<double>(step_ + 1) / static_cast<double>(last + 1));
    }
    for (const std::uint32_t i : scene_.moved) {
      LeastClearance& part = best_[i].part;
      if (!(part.pair.nearest.distance <= options_.range.value_or(unbounded)) || !best_[i].isFound) continue;
      const bool isComplete = report_.status == ReportStatus::complete;
      // Pruned intervals hold nothing below `atLeast`; what was measured holds nothing below the least
      // distance.
      part.atLeast = isComplete
                         ? std::max(0.0, std::min(best_[i].atLeast, part.pair.nearest.distance) - rounding_)
                         : 0.0;
      report_.parts.push_back(part);
      addError(report_.parts.back());
    }
    std::ranges::sort(report_.parts, {}, [](const LeastClearance& part) { return part.pair.a; });
    report_.milliseconds = budget_.milliseconds();
    return std::move(report_);
  }

 private:
  struct Best {
    LeastClearance part;
    bool isFound = false;
    double atLeast = unbounded;  ///< of all intervals that were not divided further
  };

  /// Adds the error of the distance, at the pose of that time.
  void addError(LeastClearance& part) {
    const double whole = std::floor(part.time);
    const std::vector<RigidPath> paths = scene_.pathsFrom(track_, static_cast<std::size_t>(whole));
    const auto posed = [&](NodeId node) {
      const std::size_t i = model_.positionOf(node);
      const Transform& design = scene_.design[i].worldFromPart;
      const std::uint32_t group = scene_.groupOf[i];
      return PosedModel{borrowed(model_.modelOf(node)),
                        group == detail::TrackScene::resting
                            ? design
                            : paths[group].at(part.time - whole).transform() * design};
    };
    QueryLimits limits;
    limits.cancel = budget_.remaining().cancel;
    QueryContext context;
    const DistanceError error =
        distanceError(posed(part.pair.a), posed(part.pair.b), part.pair.nearest.distance, limits, context);
    if (report_.status == ReportStatus::complete) part.pair.chordError = error.chordError;
    part.pair.rounding = error.rounding + rounding_;
  }

  /// A pair from s to t in the current step, with lower bounds of its distances there.
  struct Interval {
    double atLeast;  ///< lower bound of the distance all along
    std::size_t pair;
    double s, t, atS, atT;
    bool isKnownAtS = false, isKnownAtT = false;  ///< measured, or far enough
    bool operator>(const Interval& other) const { return atLeast > other.atLeast; }
  };

  void findPairs() {
    const Rules& rules = options_.rules;
    const std::vector<std::string> paths = rules.empty() ? std::vector<std::string>{} : model_.paths();
    const WorkMeter meter(progress_);
    CandidateList pairs(meter);
    const auto add = [&](std::uint32_t i, std::uint32_t j) {
      const bool isAsked = !scene_.design[i].worldBox.empty() && !scene_.design[j].worldBox.empty() &&
                           (rules.empty() || rules.asksFor(paths[i], paths[j]));
      isAsked ? pairs.add({i, j}) : pairs.look();
    };
    for (const auto& [i, j] : scene_.movedPairs) add(i, j);
    for (const std::uint32_t i : scene_.moved)
      for (const std::uint32_t j : scene_.rest) add(i, j);
    pairs_ = pairs.take();
    report_.consideredPairs = pairs_.size();
  }

  /// The distance that an interval of the pair must possibly go below to matter to one of its parts.
  [[nodiscard]] double wanted(const CandidatePair& pair) const {
    const auto of = [&](std::uint32_t i) {
      if (scene_.groupOf[i] == detail::TrackScene::resting) return -unbounded;
      const double least =
          best_[i].isFound ? best_[i].part.pair.nearest.distance - report_.resolution : unbounded;
      return std::min(least, options_.range.value_or(unbounded));
    };
    return std::max(of(pair.first), of(pair.second));
  }

  const PlacedInstance& placedAt(std::uint32_t i, double s) {
    if (scene_.groupOf[i] == detail::TrackScene::resting || placedAt_[i] == s) return placed_[i];
    placedAt_[i] = s;
    return placed_[i] =
               placedInstance(model_.assembly(), placed_[i].node,
                              paths_[scene_.groupOf[i]].at(s).transform() * scene_.design[i].worldFromPart);
  }

  bool searchStep() {
    paths_ = scene_.pathsFrom(track_, step_);
    std::vector<double> speed(scene_.design.size(), 0.0);
    for (const std::uint32_t i : scene_.moved) speed[i] = paths_[scene_.groupOf[i]].speedBound(corners_[i]);
    std::ranges::fill(placedAt_, std::numeric_limits<double>::quiet_NaN());
    const auto speedOf = [&](std::size_t k) { return speed[pairs_[k].first] + speed[pairs_[k].second]; };
    const auto bound = [&](Interval interval) {
      interval.atLeast = std::max(
          0.0, (interval.atS + interval.atT - speedOf(interval.pair) * (interval.t - interval.s)) / 2);
      return interval;
    };

    std::vector<Interval> all(pairs_.size());
    const WorkMeter meter(progress_);
    for (std::size_t k = 0; k < pairs_.size(); ++k) all[k] = {0, k, 0, 1, 0, 0};
    for (const double s : {0.0, 1.0})
      for (Interval& interval : all) {
        meter.poll();
        const auto& [i, j] = pairs_[interval.pair];
        (s == 0 ? interval.atS : interval.atT) = boxDistance(placedAt(i, s), placedAt(j, s));
      }
    for (Interval& interval : all) interval = bound(interval);
    std::priority_queue<Interval, std::vector<Interval>, std::greater<>> queue(std::greater<>{},
                                                                               std::move(all));
    while (!queue.empty()) {
      Interval next = queue.top();
      queue.pop();
      if (stopped()) return false;
      const CandidatePair pair = pairs_[next.pair];
      const double want = wanted(pair);
      if (next.atLeast >= want) {
        for (const std::uint32_t i : {pair.first, pair.second})
          best_[i].atLeast = std::min(best_[i].atLeast, next.atLeast);
        continue;
      }
      // From this distance on, the interval holds nothing that is wanted, whatever the other end is.
      const double way = speedOf(next.pair) * (next.t - next.s);
      if (!next.isKnownAtS || !next.isKnownAtT) {
        const bool first = !next.isKnownAtS;
        const std::optional<double> found =
            distanceAt(pair, first ? next.s : next.t, 2 * want + way - (first ? next.atT : next.atS));
        if (!found) return false;
        (first ? next.atS : next.atT) = std::max(*found, first ? next.atS : next.atT);
        (first ? next.isKnownAtS : next.isKnownAtT) = true;
        queue.push(bound(next));
        continue;
      }
      const double middle = (next.s + next.t) / 2;
      const std::optional<double> found =
          distanceAt(pair, middle, 2 * want + way / 2 - std::min(next.atS, next.atT));
      if (!found) return false;
      queue.push(bound({0, next.pair, next.s, middle, next.atS, *found, true, true}));
      queue.push(bound({0, next.pair, middle, next.t, *found, next.atT, true, true}));
    }
    return true;
  }

  /// The distance of a pair at a time of the current step, or `enough` if it is at least that. Nothing if the
  /// search must end.
  std::optional<double> distanceAt(const CandidatePair& pair, double s, double enough) {
    const PlacedInstance& a = placedAt(pair.first, s);
    const PlacedInstance& b = placedAt(pair.second, s);
    if (const double byBoxes = boxDistance(a, b); byBoxes >= enough) return byBoxes;
    DistanceRequest request;
    request.vectorUse = options_.vectorUse;
    request.coherence = Coherence::on;
    if (enough < unbounded) request.ignoreBeyond = std::max(0.0, enough);
    request.limits = budget_.remaining();
    ++report_.queries;
    const DistanceReport answer = namingInstances(model_.assembly(), a.node, b.node, [&] {
      return distance({borrowed(model_.modelOf(a.node)), a.worldFromPart},
                      {borrowed(model_.modelOf(b.node)), b.worldFromPart}, request,
                      contexts_[{pair.first, pair.second}]);
    });
    report_.stats += answer.stats;
    if (answer.status != ReportStatus::complete) {
      report_.status = answer.status;
      return std::nullopt;
    }
    if (!answer.nearest) return enough;
    keep(pair.first, a.node, b.node, *answer.nearest, s);
    if (scene_.groupOf[pair.second] != detail::TrackScene::resting)
      keep(pair.second, b.node, a.node, answer.nearest->swapped(), s);
    return answer.nearest->distance;
  }

  void keep(std::uint32_t i, NodeId node, NodeId other, const NearestPair& nearest, double s) {
    Best& best = best_[i];
    if (best.isFound && nearest.distance >= best.part.pair.nearest.distance) return;
    best.isFound = true;
    best.part.time = static_cast<double>(step_) + s;
    best.part.pair = {node, other, nearest};
  }

  bool stopped() {
    report_.status = std::max(report_.status, budget_.statusAfter(report_.queries));
    return report_.status != ReportStatus::complete;
  }

  const Scene& model_;
  const Track& track_;
  MotionClearanceOptions options_;
  const Progress& progress_;
  detail::SearchBudget budget_{options_.limits, options_.maxQueries, progress_};
  detail::TrackScene scene_;
  std::vector<PlacedInstance> placed_;
  std::vector<double> placedAt_;
  std::vector<std::array<Vec3, 8>> corners_;
  std::vector<RigidPath> paths_;  ///< of the current step, by group
  std::vector<CandidatePair> pairs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, QueryContext> contexts_;
  std::vector<Best> best_;
  std::size_t step_ = 0;
  double rounding_ = 0;
  MotionClearanceReport report_;
};

}  // namespace

MotionClearanceReport motionClearance(const Scene& scene, const Poses& poses, const Track& track,
                                      const MotionClearanceOptions& options, const Progress& progress) {
  try {
    return ClearanceSearch(scene, poses, track, options, progress).run();
  } catch (const CancelledError&) {  // before any query
    MotionClearanceReport report;
    report.range = options.range;
    report.status = ReportStatus::cancelled;
    return report;
  }
}

}  // namespace fitup
