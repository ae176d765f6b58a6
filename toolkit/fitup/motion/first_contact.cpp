#include <fitup/motion/first_contact.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/exact_contact.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/detail/search_budget.h>
#include <fitup/motion/detail/track_scene.h>
#include <fitup/query/resolved_distance.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/naming_instances.h>

namespace fitup {
namespace {

using detail::Advancement;
using detail::MovingPair;
using detail::PairLimit;
using detail::TrackScene;

/// A pair that may come into contact, by position in `TrackScene::design`; the first one moves.
struct MotionPair {
  std::uint32_t first, second;
  double clearance = 0;
  double chordErrors = 0;            ///< the largest ones of both parts together
  std::optional<PairLimit> limit{};  ///< in contact at the start
  bool isFollowed = true;            ///< false: in contact at the start, and nothing limits that
};

class Search {
 public:
  Search(const Scene& model, const Poses& poses, const Track& track, const FirstContactOptions& options,
         const Progress& progress)
      : model_(model),
        track_(track),
        options_(options),
        progress_(progress),
        budget_(options.limits, options.maxQueries, progress),
        scene_(model, poses, track, options.force, WorkMeter(progress)),
        placed_(scene_.design),
        placedAt_(placed_.size(), std::numeric_limits<double>::quiet_NaN()) {
    const auto require = [](const char* what, double length) {
      if (!(length >= 0) || !std::isfinite(length))
        throw InputError("first contact", what, std::to_string(length) + " is not a valid length");
    };
    require("clearance", options.clearance);
    if (options.tolerance) require("tolerance", *options.tolerance);
    if (options.resolution) require("resolution", *options.resolution);
    (void)model.collisionModels(progress);  // makes the missing ones
    for (const PlacedInstance& p : scene_.design) {
      corners_.push_back(cornersOf(p));
      chordErrors_.push_back(largestChordError(posed(p)));
    }
    findPairs();
    hasChordErrors_ =
        std::ranges::any_of(pairs_, [](const MotionPair& pair) { return pair.chordErrors > 0; });
    report_.clearance = options.clearance;
    chooseResolution();
  }

  FirstContactReport run() {
    const std::size_t last = std::max<std::size_t>(track_.steps.size(), 1) - 1;
    bool resume = !track_.steps.empty() && findInitialContacts();
    // A track of one step has no motion, but its pose is still examined.
    for (step_ = 0; resume && (step_ < last || (last == 0 && step_ == 0)); ++step_) {
      resume = runStep();
      progress_.report("looking for contact", static_cast<double>(step_ + 1) / static_cast<double>(last + 1));
    }
    if (resume) report_.clearUntil = static_cast<double>(last);
    if (hasChordErrors_)
      report_.exactClearUntil = std::min(exactClearUntil_.value_or(report_.clearUntil), report_.clearUntil);
    report_.milliseconds = budget_.milliseconds();
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::array<Vec3, 8> cornersOf(const PlacedInstance& p) const {
    return cornersInWorld(model_.modelOf(p.node).mesh(), p.worldFromPart);
  }

  void findPairs() {
    const Rules& rules = options_.rules;
    const std::vector<std::string> paths = rules.empty() ? std::vector<std::string>{} : model_.paths();
    const WorkMeter meter(progress_);
    PairList<MotionPair> pairs(meter);
    const auto add = [&](std::uint32_t i, std::uint32_t j) {
      pairs.look();
      if (scene_.design[i].worldBox.empty() || scene_.design[j].worldBox.empty()) return;
      MotionPair pair{i, j, options_.clearance, chordErrors_[i] + chordErrors_[j]};
      if (!rules.empty() && !rules.selects(paths[i], paths[j])) return;
      ++report_.consideredPairs;
      if (const Rule* rule = rules.empty() ? nullptr : rules.find(paths[i], paths[j])) {
        if (rule->action == RuleAction::ignore) return;
        if (rule->action == RuleAction::clearance) pair.clearance = std::max(pair.clearance, rule->distance);
      }
      report_.longestClearance = std::max(report_.longestClearance, pair.clearance);
      pairs.add(pair);
    };
    for (const auto& [i, j] : scene_.movedPairs) add(i, j);
    for (std::uint32_t i : scene_.moved)
      for (std::uint32_t j : scene_.rest) add(i, j);
    pairs_ = pairs.take();
  }

  /// The resolution is at least four times the rounding of a distance, so that half of it always remains. It
  /// is also large enough for times to advance by it: 2^-40 of the way of a step.
  void chooseResolution() {
    const detail::MotionAccuracy accuracy =
        detail::motionAccuracy(model_.assembly(), scene_, track_, corners_);
    const double usual = 0x1p-20 * accuracy.size;
    rounding_ = accuracy.rounding;
    report_.resolution = std::max(options_.resolution.value_or(usual), accuracy.least);
    finest_ = std::max(std::min(usual, report_.resolution), accuracy.least);
  }

  /// Speed bounds by position in `TrackScene::design`.
  std::vector<double> speeds(const std::vector<RigidPath>& paths) const {
    std::vector<double> result(scene_.design.size(), 0.0);
    for (std::uint32_t i : scene_.moved) result[i] = paths[scene_.groupOf[i]].speedBound(corners_[i]);
    return result;
  }

  const PlacedInstance& placedAt(std::uint32_t i, const std::vector<RigidPath>& paths, double s) {
    if (scene_.groupOf[i] == TrackScene::resting || placedAt_[i] == s) return placed_[i];
    placedAt_[i] = s;
    return placed_[i] =
               placedInstance(model_.assembly(), placed_[i].node,
                              paths[scene_.groupOf[i]].at(s).transform() * scene_.design[i].worldFromPart);
  }

  /// Gives limits to the pairs that are in contact at the first step. Returns false if it was stopped.
  bool findInitialContacts() {
    if (options_.initialContacts != InitialContacts::keepLimits) return true;
    const std::vector<RigidPath> paths = scene_.pathsFrom(track_, 0);
    for (const std::uint32_t i : scene_.moved) (void)placedAt(i, paths, 0);
    const std::vector<std::string> names =
        options_.rules.empty() ? std::vector<std::string>{} : model_.paths();
    for (MotionPair& pair : pairs_) {
      if (stopped()) return false;
      const PlacedInstance &a = placed_[pair.first], &b = placed_[pair.second];
      const Rule* rule = names.empty() ? nullptr : options_.rules.find(names[pair.first], names[pair.second]);
      if (boxDistance(a, b) > std::max(toleranceBound(a, b, rule), pair.clearance)) continue;
      const double tolerance = toleranceOf(a, b, rule), near = std::max(tolerance, pair.clearance);
      DistanceRequest request = requestWithin(near + 2 * rounding_);
      ++report_.queries;
      QueryContext& context = contexts_[{pair.first, pair.second}];
      const DistanceReport answer = measure(a, b, request, context);
      if (answer.status != ReportStatus::complete) {
        report_.status = answer.status;
        return false;
      }
      if (!answer.nearest || answer.distance() - rounding_ > near) continue;
      report_.initialContacts.emplace_back(a.node, b.node);
      const MovingPair moving = movingPair(a, b);
      if (isClosed(moving.first) && isClosed(moving.second)) {
        pair.limit = PairLimit::atReference(moving, tolerance, options_.resolution, context);
        pair.limit->admit(moving, true, context);
      } else {
        pair.isFollowed = false;
      }
      if (!pair.isFollowed || pair.limit->mayPierceUnseen)
        report_.unknownContacts.emplace_back(a.node, b.node);
    }
    return true;
  }

  static bool isClosed(const PosedSolid& posed) { return posed.solid->watertightness().closed(); }
  [[nodiscard]] MovingPair movingPair(const PlacedInstance& a, const PlacedInstance& b) const {
    return {{borrowed(model_.solidOf(a.node)), a.worldFromPart},
            {borrowed(model_.solidOf(b.node)), b.worldFromPart},
            boxDistance(a, b),
            rounding_};
  }
  /// At least the tolerance of a pair. Unlike that, it needs no solids, which most pairs then never need.
  double toleranceBound(const PlacedInstance& a, const PlacedInstance& b, const Rule* rule) const {
    double bound = std::max(options_.tolerance.value_or(finest_), rule != nullptr ? rule->depth : 0);
    for (const PlacedInstance* p : {&a, &b}) {
      const TriangleMesh& mesh = model_.modelOf(p->node).mesh();
      if (!options_.tolerance && mesh.deflection())
        bound = std::max(bound, 2 * deflectionInWorld(mesh, p->worldFromPart));
      bound += 2 * minimumTolerance(mesh, p->worldFromPart);
    }
    return bound;
  }
  double toleranceOf(const PlacedInstance& a, const PlacedInstance& b, const Rule* rule) const {
    const MovingPair pair = movingPair(a, b);
    std::optional<double> given = options_.tolerance;
    const bool isKnown = pair.first.solid->mesh().deflection() && pair.second.solid->mesh().deflection();
    if (!given && !isKnown) given = finest_;
    return effectiveTolerance(toleranceByRule(given, rule, pair.first, pair.second), pair.first, pair.second);
  }

  bool runStep() {
    const std::vector<RigidPath> paths = scene_.pathsFrom(track_, step_);
    const std::vector<double> speed = speeds(paths);
    std::fill(placedAt_.begin(), placedAt_.end(), std::numeric_limits<double>::quiet_NaN());
    Advancement advancement;
    for (std::size_t k = 0; k < pairs_.size(); ++k) advancement.add(k);
    const double reached = advancement.run(
        [&](std::size_t k, double s) {
          return look(pairs_[k], s, paths, speed[pairs_[k].first] + speed[pairs_[k].second]);
        },
        [&] { return stopped(); });
    if (report_.contact) {
      report_.contact->time = report_.clearUntil = static_cast<double>(step_) + reached;
      if (!report_.contact->error.chordError) addError(paths, reached);
      findExactLatest(paths, reached);
      for (const RigidPath& path : paths) report_.contact->poses.push_back(path.at(reached));
      return false;
    }
    if (report_.status == ReportStatus::complete) return true;
    report_.clearUntil = static_cast<double>(step_) + reached;
    return false;
  }

  void addError(const std::vector<RigidPath>& paths, double s) {
    MotionContact& contact = *report_.contact;
    const PosedModel first = posed(placedAt(model_.positionOf(contact.a), paths, s)),
                     second = posed(placedAt(model_.positionOf(contact.b), paths, s));
    QueryContext context;
    contact.error = distanceError(first, second, contact.nearest.distance, budget_.remaining(), context);
    contact.error.rounding += rounding_;
  }

  /// Returns the time of the next look; nothing at contact or when the work ends.
  std::optional<double> look(MotionPair& pair, double s, const std::vector<RigidPath>& paths, double speed) {
    if (!pair.isFollowed) return Advancement::never;
    if (pair.limit) return lookAtLimit(pair, s, paths, speed);
    const PlacedInstance& a = placedAt(pair.first, paths, s);
    const PlacedInstance& b = placedAt(pair.second, paths, s);
    const auto after = [&](double margin) {
      return margin > speed * (1 - s) ? Advancement::never : s + margin / speed;
    };
    const double left = speed * (1 - s);
    // Until the exact shapes of some pair may be in contact, all pairs are looked at as exact shapes.
    const double chordErrors = exactClearUntil_ && !options_.exact ? 0 : pair.chordErrors;
    // The distance of the boxes suffices while it covers a good part of the way.
    const double byBoxes = boxDistance(a, b) - pair.clearance - chordErrors;
    if (byBoxes > std::max(2 * report_.resolution, left / 4)) return after(byBoxes);
    const DistanceRequest request =
        requestWithin(pair.clearance + chordErrors + std::max(left, 2 * report_.resolution) + 2 * rounding_);
    ++report_.queries;
    const DistanceReport answer = measure(a, b, request, contexts_[{pair.first, pair.second}]);
    report_.stats += answer.stats;
    if (answer.status != ReportStatus::complete) {
      report_.status = answer.status;
      return std::nullopt;
    }
    if (!answer.nearest) return Advancement::never;
    const double margin = answer.distance() - rounding_ - pair.clearance;
    if (options_.exact && pair.chordErrors > 0) {
      if (margin - pair.chordErrors > report_.resolution / 2) return after(margin - pair.chordErrors);
      const std::optional<double> exact = lookAtShapes(a, b, pair);
      if (!exact) return std::nullopt;
      if (*exact > report_.resolution / 2) return after(*exact);
      exactClearUntil_ = static_cast<double>(step_) + s;
      return std::nullopt;
    }
    if (chordErrors > 0) {
      if (margin - chordErrors > report_.resolution / 2) return after(margin - chordErrors);
      const std::optional<double> exact = exactMargin(a, b, pair, request);
      if (!exact) return std::nullopt;
      if (*exact > report_.resolution / 2) return after(*exact);
      exactClearUntil_ = static_cast<double>(step_) + s;
    }
    if (margin > report_.resolution / 2) return after(margin);
    report_.contact = MotionContact{0, a.node, b.node, pair.clearance, *answer.nearest, {}, {}, {}};
    return std::nullopt;
  }

  /// A lower bound of the distance of the exact shapes beyond the clearance, after they were made finer. If
  /// it is not above the resolution, the contact is in the report. Nothing if a limit ended the search.
  std::optional<double> lookAtShapes(const PlacedInstance& a, const PlacedInstance& b,
                                     const MotionPair& pair) {
    ++report_.queries;
    const MovingPair solids = movingPair(a, b);
    const double beyond = pair.chordErrors + report_.resolution;
    const ResolvedDistance found = namingInstances(model_.assembly(), a.node, b.node, [&] {
      return resolvedDistance(
          solids.first, solids.second, options_.exact->accuracy, pair.clearance + beyond,
          finerShapes(model_, a.node, b.node, true, options_.exact->refinement, progress_),
          budget_.remaining(), contexts_[{pair.first, pair.second}]);
    });
    if (found.status != ReportStatus::complete) {
      report_.status = found.status;
      return std::nullopt;
    }
    const double rounding = rounding_ + found.error.rounding;
    if (!found.nearest) return beyond - rounding;
    const double margin = found.nearest->distance - found.error.bound() - pair.clearance - rounding_;
    if (!(margin > report_.resolution / 2)) {
      report_.contact = MotionContact{
          0, a.node, b.node, pair.clearance, *found.nearest, {found.error.chordError, rounding}, {}, {}};
    }
    return margin;
  }

  /// A lower bound of the distance of the exact shapes beyond the clearance of the pair, up to what its
  /// largest chord errors are. Nothing if a limit ended the search.
  std::optional<double> exactMargin(const PlacedInstance& a, const PlacedInstance& b, const MotionPair& pair,
                                    const DistanceRequest& request) {
    ++report_.queries;
    const PosedModel first = posed(a), second = posed(b);
    const double within = pair.clearance + pair.chordErrors + report_.resolution;
    const DistanceRange range = namingInstances(model_.assembly(), a.node, b.node, [&] {
      QueryContext context;
      return exactDistance(first, second, within, request, context);
    });
    if (range.status != ReportStatus::complete) {
      report_.status = range.status;
      return std::nullopt;
    }
    return range.least - pair.clearance - rounding_ - lengthRounding(first, second);
  }

  /// Looks for the time by which the exact shapes of the contact have met: at the contact, in the rest of its
  /// step at distances that double, then at the steps that follow.
  void findExactLatest(const std::vector<RigidPath>& paths, double s) {
    MotionContact& contact = *report_.contact;
    const std::uint32_t first = model_.positionOf(contact.a), second = model_.positionOf(contact.b);
    const double chordErrors = chordErrors_[first] + chordErrors_[second];
    if (contact.event != MotionEvent::contact || !(chordErrors > 0)) return;
    const bool mayMeet = detail::canMeet(movingPair(placedAt(first, paths, s), placedAt(second, paths, s)));
    const auto haveMet = [&](const std::vector<RigidPath>& along, double at) {
      ++report_.queries;
      return detail::haveMet(movingPair(placedAt(first, along, at), placedAt(second, along, at)),
                             contact.clearance, mayMeet, budget_.remaining());
    };
    const auto maySearch = [&] { return budget_.statusAfter(report_.queries) == ReportStatus::complete; };
    if (haveMet(paths, s)) {
      contact.exactLatest = static_cast<double>(step_) + s;
      return;
    }
    const std::vector<double> speed = speeds(paths);
    const double way = speed[first] + speed[second];
    // Before the parts have moved by a fourth of the chord errors, hardly anything is certain.
    double apart = way > 0 ? std::min(1.0, chordErrors / (4 * way)) : 1;
    for (double open = s; open < 1 && maySearch(); apart *= 2) {
      double met = std::min(1.0, s + apart);
      if (!haveMet(paths, met)) {
        open = met;
        continue;
      }
      constexpr int halvings = 4;
      for (int i = 0; i < halvings && maySearch(); ++i) {
        const double middle = (open + met) / 2;
        (haveMet(paths, middle) ? met : open) = middle;
      }
      contact.exactLatest = static_cast<double>(step_) + met;
      return;
    }
    constexpr std::size_t mostSteps = 64;
    for (std::size_t k = step_ + 2; k < std::min(track_.steps.size(), step_ + mostSteps) && maySearch();
         ++k) {
      std::ranges::fill(placedAt_, std::numeric_limits<double>::quiet_NaN());
      if (!haveMet(scene_.pathsFrom(track_, k), 0)) continue;
      contact.exactLatest = static_cast<double>(k);
      return;
    }
  }

  /// The same for a pair that was in contact at the start.
  std::optional<double> lookAtLimit(const MotionPair& pair, double s, const std::vector<RigidPath>& paths,
                                    double speed) {
    const PlacedInstance& a = placedAt(pair.first, paths, s);
    const PlacedInstance& b = placedAt(pair.second, paths, s);
    const PairLimit& limit = *pair.limit;
    const double left = speed * (1 - s), r = limit.resolution;
    if (!limit.keepsApart) {
      const auto corners = [&](const PlacedInstance& p) {
        return cornersInWorld(model_.modelOf(p.node).mesh(), p.worldFromPart);
      };
      const detail::Slab slab =
          detail::thinnestSlab(a.worldFromPart, corners(a), b.worldFromPart, corners(b));
      double along = 0;
      for (const std::uint32_t i : {pair.first, pair.second})
        if (scene_.groupOf[i] != TrackScene::resting)
          along += paths[scene_.groupOf[i]].speedBoundAlong(slab.direction, corners_[i]);
      const double margin = limit.depth - slab.overlap - 2 * rounding_;
      if (margin >= along * (1 - s)) return Advancement::never;
      if (margin >= r && margin * speed >= limit.tolerance * along) return s + margin / along;
    }
    QueryContext& context = contexts_[{pair.first, pair.second}];
    const double margin = limit.margin(movingPair(a, b), std::max(4 * r, left / 4 + 2 * r), context,
                                       report_.queries, budget_.remaining());
    if (margin >= r) return margin > left ? Advancement::never : s + margin / speed;
    if (stopped()) return std::nullopt;
    const DistanceReport answer = measure(a, b, requestWithin({}), context);
    if (answer.status != ReportStatus::complete || !answer.nearest) {
      report_.status = std::max(answer.status, ReportStatus::truncated);
      return std::nullopt;
    }
    const std::optional<bool> isDeep = limit.isTooDeep(movingPair(a, b), context, budget_.remaining());
    if (!isDeep) {
      report_.status = std::max(report_.status, ReportStatus::truncated);
      return std::nullopt;
    }
    report_.contact = MotionContact{0,
                                    a.node,
                                    b.node,
                                    pair.clearance,
                                    *answer.nearest,
                                    {},
                                    {},
                                    {},
                                    *isDeep ? MotionEvent::depth : MotionEvent::piercing,
                                    limit.depth};
    return std::nullopt;
  }

  [[nodiscard]] DistanceRequest requestWithin(std::optional<double> ignoreBeyond) const {
    DistanceRequest request;
    request.vectorUse = options_.vectorUse;
    request.coherence = Coherence::on;
    request.ignoreBeyond = ignoreBeyond;
    request.limits = budget_.remaining();
    return request;
  }

  DistanceReport measure(const PlacedInstance& a, const PlacedInstance& b, const DistanceRequest& request,
                         QueryContext& context) const {
    return namingInstances(model_.assembly(), a.node, b.node,
                           [&] { return distance(posed(a), posed(b), request, context); });
  }
  [[nodiscard]] PosedModel posed(const PlacedInstance& p) const {
    return {borrowed(model_.modelOf(p.node)), p.worldFromPart};
  }

  bool stopped() {
    report_.status = std::max(report_.status, budget_.statusAfter(report_.queries));
    return report_.status != ReportStatus::complete;
  }

  const Scene& model_;
  const Track& track_;
  FirstContactOptions options_;
  const Progress& progress_;
  detail::SearchBudget budget_;
  TrackScene scene_;
  std::vector<PlacedInstance> placed_;
  std::vector<double> placedAt_;
  std::vector<std::array<Vec3, 8>> corners_;
  std::vector<double> chordErrors_;  ///< the largest one of each instance
  bool hasChordErrors_ = false;      ///< of any pair
  /// The time at which the exact shapes of the first pair may be in contact. Unset: not yet.
  std::optional<double> exactClearUntil_;
  std::vector<MotionPair> pairs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, QueryContext> contexts_;
  std::size_t step_ = 0;
  double rounding_ = 0;
  double finest_ = 0;  ///< tolerance of pairs of unknown chord errors
  FirstContactReport report_;
};

}  // namespace

std::string_view name(MotionEvent event) noexcept {
  switch (event) {
    case MotionEvent::contact:
      return "contact";
    case MotionEvent::depth:
      return "depth";
    case MotionEvent::piercing:
      return "piercing";
  }
  return "unknown";
}

FirstContactReport firstContact(const Scene& scene, const Poses& poses, const Track& track,
                                const FirstContactOptions& options, const Progress& progress) {
  try {
    return Search(scene, poses, track, options, progress).run();
  } catch (const CancelledError&) {  // before any query
    FirstContactReport report;
    report.status = ReportStatus::cancelled;
    return report;
  }
}

FirstContactReport firstContact(const Scene& scene, const Poses& poses, NodeId moved, const RigidMotion& from,
                                const RigidMotion& to, const FirstContactOptions& options,
                                const Progress& progress) {
  const Track track{.name = "between two poses",
                    .unit = scene.assembly().unit(),
                    .modelHash = {},
                    .moved = {scene.assembly().path(moved)},
                    .steps = {{from}, {to}}};
  return firstContact(scene, poses, track, options, progress);
}

}  // namespace fitup
