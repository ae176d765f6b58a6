#include <fitup/motion/detail/motion_search.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fitup/base/error.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/naming_instances.h>

namespace fitup::detail {
namespace {

bool isClosed(const PosedSolid& posed) { return posed.solid->watertightness().closed(); }

}  // namespace

MotionSearch::MotionSearch(const Scene& model, const Poses& poses, const Track& track,
                           const FirstContactOptions& options, const Progress& progress,
                           const MotionPurpose& purpose)
    : model_(model),
      track_(track),
      options_(options),
      progress_(progress),
      purpose_(purpose),
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
  hasChordErrors_ = purpose.shapes == MotionShapes::exactToo &&
                    std::ranges::any_of(pairs_, [](const MotionPair& pair) { return pair.chordErrors > 0; });
  report_.clearance = options.clearance;
  chooseResolution();
}

FirstContactReport MotionSearch::run() {
  const std::size_t last = lastStep();
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

void MotionSearch::findPairs() {
  const Rules& rules = options_.rules;
  const std::vector<std::string> paths = rules.empty() ? std::vector<std::string>{} : model_.paths();
  const WorkMeter meter(progress_);
  PairList<MotionPair> pairs(meter);
  const auto add = [&](std::uint32_t i, std::uint32_t j) {
    pairs.look();
    const auto exclude = [&] {
      if (purpose_.observer) excluded_.emplace_back(i, j);
    };
    if (scene_.design[i].worldBox.empty() || scene_.design[j].worldBox.empty()) return;
    MotionPair pair{i, j, options_.clearance, chordErrors_[i] + chordErrors_[j]};
    if (!rules.empty() && !rules.selects(paths[i], paths[j])) return exclude();
    ++report_.consideredPairs;
    if (const Rule* rule = rules.empty() ? nullptr : rules.find(paths[i], paths[j])) {
      if (rule->action == RuleAction::ignore) return exclude();
      if (rule->action == RuleAction::clearance) pair.clearance = std::max(pair.clearance, rule->distance);
    }
    if (purpose_.shapes == MotionShapes::withinChordErrors) pair.clearance += pair.chordErrors;
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
void MotionSearch::chooseResolution() {
  const detail::MotionAccuracy accuracy = detail::motionAccuracy(model_.assembly(), scene_, track_, corners_);
  const double usual = 0x1p-20 * accuracy.size;
  rounding_ = accuracy.rounding;
  report_.resolution = std::max(options_.resolution.value_or(usual), accuracy.least);
  finest_ = std::max(std::min(usual, report_.resolution), accuracy.least);
}

std::vector<double> MotionSearch::speeds(const std::vector<RigidPath>& paths) const {
  std::vector<double> result(scene_.design.size(), 0.0);
  for (std::uint32_t i : scene_.moved) result[i] = paths[scene_.groupOf[i]].speedBound(corners_[i]);
  return result;
}

const PlacedInstance& MotionSearch::placedAt(std::uint32_t i, const std::vector<RigidPath>& paths, double s) {
  if (scene_.groupOf[i] == TrackScene::resting || placedAt_[i] == s) return placed_[i];
  placedAt_[i] = s;
  return placed_[i] =
             placedInstance(model_.assembly(), placed_[i].node,
                            paths[scene_.groupOf[i]].at(s).transform() * scene_.design[i].worldFromPart);
}

UniformWay MotionSearch::wayOf(std::uint32_t i, const std::vector<RigidPath>& paths) const {
  const Transform& placed = scene_.design[i].worldFromPart;
  return rests(i) ? UniformWay::at(placed) : paths[scene_.groupOf[i]].wayOf(placed);
}

/// Gives limits to the pairs that are in contact at the first step. Returns false if it was stopped.
bool MotionSearch::findInitialContacts() {
  if (options_.initialContacts != InitialContacts::keepLimits) return true;
  const std::vector<RigidPath> paths = scene_.pathsFrom(track_, 0);
  for (const std::uint32_t i : scene_.moved) (void)placedAt(i, paths, 0);
  const std::vector<std::string> names = options_.rules.empty() ? std::vector<std::string>{} : model_.paths();
  for (MotionPair& pair : pairs_) {
    const Rule* rule = names.empty() ? nullptr : options_.rules.find(names[pair.first], names[pair.second]);
    if (stopped() || !findInitialContact(pair, rule)) return false;
  }
  return true;
}

/// The same for one pair.
bool MotionSearch::findInitialContact(MotionPair& pair, const Rule* rule) {
  const PlacedInstance &a = placed_[pair.first], &b = placed_[pair.second];
  if (boxDistance(a, b) > std::max(toleranceBound(a, b, rule), pair.clearance)) return true;
  const double tolerance = toleranceOf(a, b, rule), near = std::max(tolerance, pair.clearance);
  ++report_.queries;
  const DistanceReport answer = measure(a, b, requestWithin(near + 2 * rounding_), contextOf(pair));
  if (answer.status != ReportStatus::complete) {
    report_.status = answer.status;
    return false;
  }
  const bool isNear = answer.nearest && answer.distance() - rounding_ <= near;
  const Verdict apart = isNear ? Verdict::contact : verdictApart(pair, tolerance);
  if (report_.status != ReportStatus::complete) return false;
  if (apart == Verdict::undecided)
    leaveUnknown(pair);
  else if (apart != Verdict::clear)
    setLimit(pair, tolerance);
  return true;
}

/// The verdict on parts whose surfaces are not near each other: one may still lie inside the other. They
/// then overlap as parts do whose surfaces meet. A limit that ends the search becomes the status.
Verdict MotionSearch::verdictApart(const MotionPair& pair, double tolerance) {
  const MovingPair moving = movingPair(placed_[pair.first], placed_[pair.second]);
  if (moving.boxDistance > 0) return Verdict::clear;
  const VerdictRequest request{
      .tolerance = tolerance, .regions = false, .measureDistance = false, .limits = budget_.remaining()};
  const VerdictReport found = verdict(moving.first, moving.second, request, contextOf(pair));
  if (found.isOpen()) report_.status = std::max(report_.status, found.status);
  return found.verdict;
}

void MotionSearch::setLimit(MotionPair& pair, double tolerance) {
  const MovingPair moving = movingPair(placed_[pair.first], placed_[pair.second]);
  if (!isClosed(moving.first) || !isClosed(moving.second)) return leaveUnknown(pair);
  pair.limit = PairLimit::atReference(moving, tolerance, options_.resolution, contextOf(pair));
  pair.limit->admit(moving, true, contextOf(pair));
  const std::pair nodes{nodeOf(pair.first), nodeOf(pair.second)};
  report_.initialContacts.push_back(nodes);
  if (pair.limit->mayPierceUnseen) report_.unknownContacts.push_back(nodes);
}

/// For a pair in contact at the start, or perhaps so, that nothing limits.
void MotionSearch::leaveUnknown(MotionPair& pair) {
  pair.isFollowed = false;
  for (auto* list : {&report_.initialContacts, &report_.unknownContacts})
    list->emplace_back(nodeOf(pair.first), nodeOf(pair.second));
}

/// At least the tolerance of a pair. Unlike that, it needs no solids, which most pairs then never need.
double MotionSearch::toleranceBound(const PlacedInstance& a, const PlacedInstance& b,
                                    const Rule* rule) const {
  double bound = std::max(options_.tolerance.value_or(finest_), rule != nullptr ? rule->depth : 0);
  for (const PlacedInstance* p : {&a, &b}) {
    const TriangleMesh& mesh = model_.modelOf(p->node).mesh();
    if (!options_.tolerance && mesh.deflection())
      bound = std::max(bound, 2 * deflectionInWorld(mesh, p->worldFromPart));
    bound += 2 * minimumTolerance(mesh, p->worldFromPart);
  }
  return bound;
}
double MotionSearch::toleranceOf(const PlacedInstance& a, const PlacedInstance& b, const Rule* rule) const {
  const MovingPair pair = movingPair(a, b);
  std::optional<double> given = options_.tolerance;
  const bool isKnown = pair.first.solid->mesh().deflection() && pair.second.solid->mesh().deflection();
  if (!given && !isKnown) given = finest_;
  return effectiveTolerance(toleranceByRule(given, rule, pair.first, pair.second), pair.first, pair.second);
}

bool MotionSearch::runStep() {
  const std::vector<RigidPath> paths = scene_.pathsFrom(track_, step_);
  const std::vector<double> speed = speeds(paths);
  std::fill(placedAt_.begin(), placedAt_.end(), std::numeric_limits<double>::quiet_NaN());
  Advancement advancement;
  for (std::size_t k = 0; k < pairs_.size(); ++k) advancement.add(k);
  const double reached = advancement.run(
      [&](std::size_t k, double s) -> std::optional<double> {
        MotionPair& pair = pairs_[k];
        const std::optional<Certain> certain = look(pair, s, paths, speed[pair.first] + speed[pair.second]);
        if (!certain) return std::nullopt;
        if (purpose_.observer && pair.isFollowed) {
          const auto at = static_cast<double>(step_), end = static_cast<double>(lastStep());
          purpose_.observer->keeps(pair, at + s, std::min(end, at + std::min(certain->until, 1.0)), *certain);
        }
        return certain->until;
      },
      [&] { return stopped(); });
  if (report_.contact) {
    report_.contact->time = report_.clearUntil = static_cast<double>(step_) + reached;
    if (!report_.contact->error.chordError) addError(paths, reached);
    if (hasChordErrors_) findExactLatest(paths, reached);
    for (const RigidPath& path : paths) report_.contact->poses.push_back(path.at(reached));
    return false;
  }
  if (report_.status == ReportStatus::complete) return true;
  report_.clearUntil = static_cast<double>(step_) + reached;
  return false;
}

namespace {

/// What is certain where a distance or margin shrinks by at most `on.speed`, up to where it is `kept`.
Certain shrinking(const OnWay& on, double from, double kept, const std::optional<SurfacePair>& nearest) {
  const double left = on.left();
  if (from - kept > left) return {Advancement::never, from - left, nearest};
  return {on.s + (from - kept) / on.speed, kept, nearest};
}

std::optional<SurfacePair> surfacesOf(const DistanceReport& report) {
  return report.nearest ? std::optional(report.nearest->surfaces) : std::nullopt;
}

}  // namespace

std::optional<Certain> MotionSearch::look(MotionPair& pair, double s, const std::vector<RigidPath>& paths,
                                          double speed) {
  const OnWay on{s, speed};
  if (!pair.isFollowed) return Certain{Advancement::never};
  if (pair.limit) return lookAtLimit(pair, on, paths);
  const PlacedInstance& a = placedAt(pair.first, paths, s);
  const PlacedInstance& b = placedAt(pair.second, paths, s);
  const double left = on.left(), resolution = report_.resolution;
  // Until the exact shapes of some pair may be in contact, all pairs are looked at as exact shapes.
  const double chordErrors = !hasChordErrors_ || (exactClearUntil_ && !options_.exact) ? 0 : pair.chordErrors;
  // A fourth of the resolution is kept, so that a clearance of 0 still means that nothing touches.
  const double kept = pair.clearance + resolution / 4;
  // The distance of the boxes suffices while it covers a good part of the way.
  const double byBoxes = boxDistance(a, b);
  if (byBoxes - pair.clearance - chordErrors > std::max(2 * resolution, left / 4))
    return shrinking(on, byBoxes, kept + chordErrors, {});
  const double far = pair.clearance + chordErrors + std::max(left, 2 * resolution) + 2 * rounding_;
  const DistanceRequest request = requestWithin(far);
  ++report_.queries;
  const DistanceReport answer = measure(a, b, request, contextOf(pair));
  report_.stats += answer.stats;
  if (answer.status != ReportStatus::complete) {
    report_.status = answer.status;
    return std::nullopt;
  }
  if (!answer.nearest) return Certain{Advancement::never, far - rounding_ - left};
  const double distance = answer.distance() - rounding_;
  const auto surfaces = surfacesOf(answer);
  if (distance - pair.clearance - chordErrors > resolution / 2)
    return ahead(pair, on, paths, distance, pair.clearance + chordErrors, resolution / 2, surfaces);
  if (options_.exact && pair.chordErrors > 0) {
    const std::optional<double> exact = lookAtShapes(a, b, pair);
    if (!exact) return std::nullopt;
    if (*exact > resolution / 2) return shrinking(on, *exact + pair.clearance, kept, surfaces);
    exactClearUntil_ = static_cast<double>(step_) + s;
    return std::nullopt;
  }
  if (chordErrors > 0) {
    const std::optional<double> exact = exactMargin(a, b, pair, request);
    if (!exact) return std::nullopt;
    if (*exact > resolution / 2) return shrinking(on, *exact + pair.clearance, kept, surfaces);
    exactClearUntil_ = static_cast<double>(step_) + s;
    if (distance - pair.clearance > resolution / 2)
      return ahead(pair, on, paths, distance, pair.clearance, resolution / 2, surfaces);
  }
  report_.contact = MotionContact{0, a.node, b.node, pair.clearance, *answer.nearest, {}, {}, {}};
  return std::nullopt;
}

Certain MotionSearch::ahead(MotionPair& pair, const OnWay& on, const std::vector<RigidPath>& paths,
                            double distance, double clearance, double reserve,
                            const std::optional<SurfacePair>& nearest) {
  const Certain here = shrinking(on, distance, clearance + reserve / 2, nearest);
  if (here.until > 1) return here;
  DistanceAlongRequest request;
  request.from = on.s;
  request.clearance = clearance;
  request.reserve = reserve;
  request.rounding = rounding_;
  request.limits = budget_.remaining();
  const auto farther = keepsDistanceAhead(model_.modelOf(nodeOf(pair.first)), wayOf(pair.first, paths),
                                          model_.modelOf(nodeOf(pair.second)), wayOf(pair.second, paths),
                                          on.speed, request, pair.distances);
  if (!farther || !(farther->until > here.until)) return here;
  return {farther->until >= 1 ? Advancement::never : farther->until, farther->atLeast, nearest};
}

/// By how little the pair overlaps along a direction, if that reaches farther than a search for depth would.
std::optional<Certain> MotionSearch::lookAtSlab(const MotionPair& pair, const OnWay& on,
                                                const std::vector<RigidPath>& paths) {
  const PairLimit& limit = *pair.limit;
  if (limit.keepsApart) return std::nullopt;
  const PlacedInstance &a = placed_[pair.first], &b = placed_[pair.second];
  const Slab slab = thinnestSlab(a.worldFromPart, cornersOf(a), b.worldFromPart, cornersOf(b));
  double along = 0;
  for (const std::uint32_t i : {pair.first, pair.second})
    if (!rests(i)) along += paths[scene_.groupOf[i]].speedBoundAlong(slab.direction, corners_[i]);
  const double margin = limit.depth - slab.overlap - 2 * rounding_;
  if (margin >= along * (1 - on.s) ||
      (margin >= limit.resolution && margin * on.speed >= limit.tolerance * along))
    return shrinking({on.s, along}, margin, 0, {});
  return std::nullopt;
}

/// The same for a pair that was in contact at the start.
std::optional<Certain> MotionSearch::lookAtLimit(MotionPair& pair, const OnWay& on,
                                                 const std::vector<RigidPath>& paths) {
  const PlacedInstance& a = placedAt(pair.first, paths, on.s);
  const PlacedInstance& b = placedAt(pair.second, paths, on.s);
  if (std::optional<Certain> bySlab = lookAtSlab(pair, on, paths)) return bySlab;
  const PairLimit& limit = *pair.limit;
  const MovingPair moving = movingPair(a, b);
  const double left = on.left(), r = limit.resolution, beyondContact = limit.keepsApart ? 0 : limit.depth;
  const PairLimit::Apart apart = limit.marginApart(moving, std::max(4 * r, left / 4 + 2 * r), contextOf(pair),
                                                   report_.queries, budget_.remaining());
  if (apart.margin && *apart.margin > std::max(r, beyondContact + 1.25 * limit.depth)) {
    Certain certain = ahead(pair, on, paths, *apart.margin - beyondContact, 0, r, {});
    certain.atLeast += beyondContact;
    return certain;
  }
  double margin = apart.margin.value_or(0);
  if (!apart.margin) {
    if (rests(pair.second)) {
      const RigidPath& path = paths[scene_.groupOf[pair.first]];
      const double kept = aLittleMore * r;
      const auto until = keepsContactAhead(limit, moving, on, path, wayOf(pair.first, paths), kept,
                                           pair.contacts, nullptr, budget_.remaining());
      if (until) return Certain{*until, kept};
    }
    margin = limit.marginInContact(moving, apart.distance, contextOf(pair), budget_.remaining());
  }
  if (margin >= r) return shrinking(on, margin, 0, {});
  endAtLimit(pair, a, b);
  return std::nullopt;
}

/// Reports what limit the pair has reached, unless something else ended the search.
void MotionSearch::endAtLimit(const MotionPair& pair, const PlacedInstance& a, const PlacedInstance& b) {
  if (stopped()) return;
  QueryContext& context = contextOf(pair);
  const DistanceReport answer = measure(a, b, requestWithin({}), context);
  if (answer.status != ReportStatus::complete || !answer.nearest) {
    report_.status = std::max(answer.status, ReportStatus::truncated);
    return;
  }
  const std::optional<bool> isDeep = pair.limit->isTooDeep(movingPair(a, b), context, budget_.remaining());
  if (!isDeep) {
    report_.status = std::max(report_.status, ReportStatus::truncated);
    return;
  }
  const MotionEvent event = *isDeep ? MotionEvent::depth : MotionEvent::piercing;
  report_.contact =
      MotionContact{0, a.node, b.node, pair.clearance, *answer.nearest, {}, {}, {}, event, pair.limit->depth};
}

DistanceRequest MotionSearch::requestWithin(std::optional<double> ignoreBeyond) const {
  DistanceRequest request;
  request.vectorUse = options_.vectorUse;
  request.coherence = Coherence::on;
  request.ignoreBeyond = ignoreBeyond;
  request.limits = budget_.remaining();
  return request;
}

DistanceReport MotionSearch::measure(const PlacedInstance& a, const PlacedInstance& b,
                                     const DistanceRequest& request, QueryContext& context) const {
  return namingInstances(model_.assembly(), a.node, b.node,
                         [&] { return distance(posed(a), posed(b), request, context); });
}
bool MotionSearch::stopped() {
  report_.status = std::max(report_.status, budget_.statusAfter(report_.queries));
  return report_.status != ReportStatus::complete;
}

}  // namespace fitup::detail
