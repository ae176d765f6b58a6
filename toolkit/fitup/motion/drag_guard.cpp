#include <fitup/motion/drag_guard.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fitup/base/borrowed.h>
#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/guarded_pair.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/pausable_work.h>
#include <fitup/motion/detail/rigid_path.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;
using detail::Advancement;
using detail::aLittleMore;
using detail::DragWay;
using detail::GuardedPair;
using detail::MovingPair;
using detail::PairLimit;
using detail::PausableWork;
using Limit = detail::GuardedPair::Limit;

constexpr double looksAtReleased = 16;
constexpr double never = Advancement::never;
constexpr double farthest = 1e150;  // differences of such lengths have finite squares

void requireRigid(const RigidMotion& pose) {
  if (!pose.isRigid())
    throw PlacementError(
        "drag: the pose is not a rigid motion (its quaternion is not of unit length, or it is not finite)");
}

}  // namespace

class DragGuard::Impl {
 public:
  Impl(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged, const RigidMotion& start,
       const DragOptions& options, const Progress& progress)
      : scene_(scene), options_(options), start_(start), pose_(start), shown_(start), wanted_(start) {
    const Assembly& assembly = scene.assembly();
    scene.requireInstances(poses);
    if (dragged.empty()) throw InputError("drag", "instances", "there are none");
    requireRigid(start);
    for (const NodeId node : dragged) (void)assembly.partOf(node);  // throws if it is not an instance
    for (const auto& [what, length] :
         {std::pair{"tolerance", options.tolerance}, std::pair{"resolution", options.resolution},
          std::pair{"clearance", std::optional(options.clearance)}})
      if (length && !(*length >= 0 && std::isfinite(*length)))
        throw InputError("drag", what, "is negative or not finite");
    options_.limits.maxPairs.reset();

    std::vector<PartId> parts;
    for (const NodeId node : scene.instances()) parts.push_back(assembly.partOf(node));
    try {
      scene.prepareSolids(parts, progress);
    } catch (const CancelledError&) {
      return;  // updates report it
    }
    isReady_ = true;

    Box movedBox, all;
    for (const NodeId node : scene.instances()) {
      PlacedInstance placed = placedInstance(assembly, node, scene.worldFromPart(node, poses));
      all.extend(placed.worldBox);
      const bool moves = std::find(dragged.begin(), dragged.end(), node) != dragged.end();
      if (moves) movedBox.extend(placed.worldBox);
      if (placed.worldBox.empty()) continue;
      if (moves)
        corners_.push_back(cornersInWorld(scene.modelOf(node).mesh(), placed.worldFromPart));
      else
        restCorners_.push_back(cornersInWorld(scene.modelOf(node).mesh(), placed.worldFromPart));
      (moves ? design_ : rest_).push_back(std::move(placed));
    }
    if (!movedBox.empty()) centre_ = movedBox.centre();
    fineResolution_ = options.resolution.value_or(all.empty() ? 0.0 : 0x1p-20 * 2 * norm(all.halfExtent()));
    placed_ = design_;
    placedAt_.assign(design_.size(), -1);
    scene.requireInstances(options_.reference.value_or(Poses{}));
    searches_.onLook = [this] { step(); };
    pairs_ = detail::guardedPairs(scene, options_, design_, rest_, fineResolution_);
  }

  [[nodiscard]] const RigidMotion& pose() const noexcept { return shown_; }

  DragUpdate update(std::span<const RigidMotion> wanted, const Progress& progress) {
    for (const RigidMotion& pose : wanted) {
      requireRigid(pose);
      const std::vector<double> speeds = speedsOn(RigidPath(start_, pose, centre_));
      if (!std::ranges::all_of(speeds, [](double speed) { return speed < farthest; }))
        throw PlacementError("drag: the pose is too far away to be checked");
    }
    for (const RigidMotion& pose : wanted)
      if (std::exchange(wanted_, pose) != pose) ahead_.push_back(pose);
    return proceed(progress);
  }

  [[nodiscard]] std::vector<std::pair<NodeId, NodeId>> pairs() const {
    std::vector<std::pair<NodeId, NodeId>> list;
    for (const GuardedPair& pair : pairs_) list.emplace_back(design_[pair.moved].node, rest_[pair.rest].node);
    return list;
  }
  bool accepts(const RigidMotion& pose) {
    const RigidMotion before = std::exchange(pose_, pose);
    const RigidPath path(pose, pose, centre_);
    std::ranges::fill(placedAt_, -1.0);
    const bool areFine = std::ranges::all_of(pairs_, [&](GuardedPair& pair) {
      const PlacedInstance &a = placedAt(pair.moved, path, 0), &b = rest_[pair.rest];
      const double far = options_.clearance + pair.tolerance + fineResolution_ + 16 * roundingOf(a, b);
      if (boxDistance(a, b) > far) return true;
      if (!std::exchange(pair.isBegun, true)) begin(pair);
      const double margin = slabAt(pair, 0, path).margin;
      return margin >= pair.resolution || marginAt(pair, 0, path, 2 * pair.resolution) >= pair.resolution;
    });
    std::ranges::fill(placedAt_, -1.0);
    pose_ = before;
    return areFine;
  }
  void placeAt(const RigidMotion& pose) {
    if (pose == pose_) return;
    pose_ = shown_ = wanted_ = pose;
    result_ = {};
    lastBlocking_.reset();
    for (GuardedPair& pair : pairs_) pair.known = 0;
  }
  DragLimit limitOf(std::size_t k) {
    GuardedPair& pair = pairs_.at(k);
    if (!std::exchange(pair.isBegun, true)) begin(pair);
    return pair.limitOf(design_[pair.moved].node, rest_[pair.rest].node);
  }

  DragUpdate proceed(const Progress& progress) {
    const auto began = Clock::now();
    cancel_ = options_.limits.cancel.stop_possible() ? options_.limits.cancel : progress.stopToken();
    deadline_ = deadlineOf(options_.limits.timeBudget);
    if (!isReady_) {
      result_.status = ReportStatus::cancelled;
    } else if (ahead_.empty() && !way_) {
      result_.looks = result_.steps = 0;
    } else {
      result_ = {};
      follow();
    }
    result_.pose = shown_;
    result_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    return result_;
  }

 private:
  [[nodiscard]] PosedSolid solidAt(const PlacedInstance& p) const {
    return {borrowed(scene_.solidOf(p.node)), p.worldFromPart};
  }
  [[nodiscard]] PosedModel modelAt(const PlacedInstance& p) const {
    return {borrowed(scene_.modelOf(p.node)), p.worldFromPart};
  }

  /// The speeds of all dragged parts on a way.
  [[nodiscard]] std::vector<double> speedsOn(const RigidPath& path) const {
    std::vector<double> speeds;
    for (const auto& corners : corners_) speeds.push_back(path.speedBound(corners));
    return speeds;
  }

  /// Follows the hand until it is there or a limit ends the call.
  void follow() {
    const bool isLimited = deadline_ || options_.maxSteps || cancel_.stop_possible();
    const auto all = [this] {
      while (!ahead_.empty()) followOneWay();
    };
    try {
      if (work_.run(all, isLimited ? [this] { return mustPause(); } : PausableWork::MustPause{})) return;
    } catch (...) {
      way_.reset();
      shown_ = pose_;
      throw;
    }
    result_.stop.reset();
    result_.fraction = std::min(way_->examined, certain());
    shown_ = poseAt(way_->path, result_.fraction);
  }

  /// Goes to the next pose of the hand, or up to the limit of a pair.
  void followOneWay() {
    const RigidMotion to = ahead_.front();
    ahead_.pop_front();
    way_.emplace(DragWay{to, RigidPath(pose_, to, centre_)});
    const RigidPath& path = way_->path;
    std::ranges::fill(placedAt_, -1.0);
    const std::vector<double> speeds = speedsOn(path);
    for (GuardedPair& pair : pairs_) {
      pair.beginWay();
      pair.speed = speeds[pair.moved];
    }
    std::optional<std::size_t>& blocking = way_->blocking;
    double reached = 0;
    if (!isBlockedAgain()) {
      way_->isBegun = true;
      Advancement advancement;
      for (std::size_t k = 0; k < pairs_.size(); ++k)
        if (way_->clear != k) advancement.add(k);
      const double examined = advancement.run([&](std::size_t k, double s) {
        way_->examined = s;
        return look(k, s, path);
      });
      reached = way_->examined = blocking ? pairs_[*blocking].lastFine(examined) : examined;
    }
    findFineForAll(reached, path);
    reached = apartIfStrict(reached, path);
    release(reached, path);
    result_.stop.reset();
    if (blocking) result_.stop = stopOf(pairs_[*blocking], reached, path);
    for (GuardedPair& pair : pairs_) {
      if (reached > 0) pair.known = 0;
      for (const auto& [at, margin, speed, end] : pair.fine)
        pair.known = std::max(pair.known, margin - speed * std::abs(reached - at));
    }
    result_.fraction = reached;
    shown_ = pose_ = poseAt(path, reached);
    lastBlocking_ = blocking;
    way_.reset();
  }

  /// A hand that pushes on where the part was stopped is most often stopped by the same pair, which is
  /// therefore examined first. Returns true if it stops the part where it is.
  bool isBlockedAgain() {
    if (!lastBlocking_) return false;
    GuardedPair& pair = pairs_[*lastBlocking_];
    Advancement alone;
    alone.add(*lastBlocking_);
    const double reached = alone.run([&](std::size_t k, double s) { return look(k, s, way_->path); });
    if (way_->blocking && pair.lastFine(reached) <= 0) return true;
    if (way_->blocking)
      pair.beginWay();  // others may stop the part before
    else
      way_->clear = lastBlocking_;
    way_->blocking.reset();
    return false;
  }

  /// Up to here, no pair has reached its limit on the present way.
  [[nodiscard]] double certain() const {
    double s = 1;
    for (const GuardedPair& pair : pairs_)
      s = std::min(s, options_.strict && pair.touching ? 0 : pair.clearTo);
    return s;
  }

  /// Sets the limit of the pair from its state at the start of the drag.
  void begin(GuardedPair& pair) {
    const PlacedInstance a = placedInstance(scene_.assembly(), design_[pair.moved].node,
                                            start_.transform() * design_[pair.moved].worldFromPart),
                         &b = rest_[pair.rest];
    const double rounding = roundingOf(a, b);
    const bool apart = boxDistance(a, b) > 0;
    if (!pair.isClosed || options_.strict) {
      const double d = apart ? boxDistance(a, b) : distanceAt(pair, a, b, never).distance();
      pair.limit = Limit::distance;
      pair.resolution = std::max(fineResolution_, 8 * rounding);
      if (d > 32 * rounding) {
        // The pair is already nearer than the resolution, so it gets a finer one.
        pair.resolution = std::min(pair.resolution, d / 2);
        return;
      }
      pair.touching = true;
      if (!pair.isClosed) {
        pair.limit = Limit::none;
        return;
      }
    }
    pair.limit = Limit::depth;
    const Poses reference = options_.reference.value_or(Poses{});
    const PlacedInstance wereA = placedInstance(scene_.assembly(), a.node,
                                                scene_.worldFromPart(a.node, reference)),
                         wereB = placedInstance(scene_.assembly(), b.node,
                                                scene_.worldFromPart(b.node, reference));
    if (options_.clearance > 0 && keepsClearance(pair, wereA, wereB, a, b)) return;
    pair.kept = PairLimit::atReference(movingPair(wereA, wereB), pair.tolerance, options_.resolution,
                                       context(pair), searches_);
    const bool isReference = wereA.worldFromPart == a.worldFromPart && wereB.worldFromPart == b.worldFromPart;
    pair.kept.admit(movingPair(a, b), isReference, context(pair), searches_);
    pair.resolution = pair.kept.resolution;
  }

  /// Makes the clearance the limit of a pair that is farther apart at the reference.
  bool keepsClearance(GuardedPair& pair, const PlacedInstance& wereA, const PlacedInstance& wereB,
                      const PlacedInstance& a, const PlacedInstance& b) {
    if (distanceAt(pair, wereA, wereB, never).distance() <= std::max(pair.tolerance, options_.clearance))
      return false;
    pair.limit = Limit::distance;
    pair.resolution = std::max(fineResolution_, 8 * roundingOf(a, b));
    const double now = distanceAt(pair, a, b, never).distance();
    pair.clearance = std::clamp(now - 2 * pair.resolution, 0.0, options_.clearance);
    return true;
  }

  QueryContext& context(const GuardedPair& pair) {
    return contexts_[static_cast<std::size_t>(&pair - pairs_.data())];
  }

  [[nodiscard]] RigidMotion poseAt(const RigidPath& path, double s) const {
    return s <= 0 || !way_ ? pose_ : s >= 1 ? way_->to : path.at(s);
  }
  const PlacedInstance& placedAt(std::uint32_t i, const RigidPath& path, double s) {
    if (placedAt_[i] == s) return placed_[i];
    placedAt_[i] = s;
    return placed_[i] = placedInstance(scene_.assembly(), design_[i].node,
                                       poseAt(path, s).transform() * design_[i].worldFromPart);
  }
  /// Bound on the change of a distance or depth by rounding of placements and of interpolated poses.
  [[nodiscard]] double roundingOf(const PlacedInstance& a, const PlacedInstance& b) const {
    return 4 * std::max(a.growth, b.growth) * (a.reach + b.reach + norm(centre_));
  }

  DistanceReport distanceAt(const GuardedPair& pair, const PlacedInstance& a, const PlacedInstance& b,
                            double ignoreBeyond) {
    step();
    DistanceRequest request;
    request.coherence = Coherence::on;
    if (ignoreBeyond < never) request.ignoreBeyond = ignoreBeyond;
    return distance(modelAt(a), modelAt(b), request, context(pair));
  }
  [[nodiscard]] MovingPair movingPair(const PlacedInstance& a, const PlacedInstance& b) const {
    return {solidAt(a), solidAt(b), boxDistance(a, b), roundingOf(a, b)};
  }

  /// Returns a lower bound of the pair's margin at s; any value above `enough` will do.
  double marginAt(const GuardedPair& pair, double s, const RigidPath& path, double enough) {
    const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
    if (pair.limit == Limit::depth)
      return pair.kept.margin(movingPair(a, b), enough, context(pair), result_.looks, searches_);
    const double byBoxes = boxDistance(a, b);
    if (byBoxes > 0 && byBoxes - pair.clearance > enough) return byBoxes - pair.clearance;
    ++result_.looks;
    const double far = enough + pair.clearance + 4 * roundingOf(a, b);
    const DistanceReport found = distanceAt(pair, a, b, far);
    return (found.nearest ? found.distance() : far) - pair.clearance - roundingOf(a, b);
  }

  /// The margin that a slab shows, and the speed with which it shrinks; the margin 0 where it shows nothing.
  struct SlabMargin {
    double margin = 0, speed = 0;
  };
  SlabMargin slabAt(const GuardedPair& pair, double s, const RigidPath& path) {
    if (pair.limit != Limit::depth || pair.kept.keepsApart) return {};
    const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
    const detail::Slab slab =
        detail::thinnestSlab(a.worldFromPart, cornersInWorld(scene_.modelOf(a.node).mesh(), a.worldFromPart),
                             b.worldFromPart, restCorners_[pair.rest]);
    return {pair.kept.depth - slab.overlap - 2 * roundingOf(a, b),
            path.speedBoundAlong(slab.direction, corners_[pair.moved])};
  }

  std::optional<double> look(std::size_t k, double s, const RigidPath& path) {
    step();
    GuardedPair& pair = pairs_[k];
    const double left = pair.speed * (1 - s);
    if (!pair.isBegun) {
      const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
      const double rounding = roundingOf(a, b), apart = boxDistance(a, b) - options_.clearance - rounding,
                   coarsest = std::max({pair.tolerance / 4, fineResolution_, 8 * rounding});
      if (apart - aLittleMore * coarsest > left) {
        pair.fine.push_back({s, apart, pair.speed});
        return pair.clearTo = never;
      }
      begin(pair);
      pair.isBegun = true;
    }
    const double r = pair.resolution;
    if (pair.limit == Limit::none && pair.apartAt == never) {
      if (marginAt(pair, s, path, 2 * r) <= 2 * r) return pair.clearTo = s + 1 / looksAtReleased;
      pair.apartAt = s;
    }
    const auto onBy = [&](double from, double way) {
      return std::max(from + way / pair.speed, std::nextafter(from, 2.0));
    };
    if (const SlabMargin slab = slabAt(pair, s, path); slab.margin >= r) {
      const double sure = std::max(slab.margin - aLittleMore * r, r / 2);
      // Use the slab if it reaches farther than a search for depth would.
      if (sure >= slab.speed * (1 - s) || sure * pair.speed >= pair.kept.tolerance * slab.speed) {
        pair.fine.push_back({s, slab.margin, slab.speed});
        if (sure >= slab.speed * (1 - s)) return pair.clearTo = never;
        return pair.clearTo = std::max(s + sure / slab.speed, std::nextafter(s, 2.0));
      }
    }
    if (s == 0 && lastBlocking_ == k && !way_->isBegun) {
      // It was fine there, and most likely is not a little farther on, where it is looked at once.
      pair.fine.push_back({s, r, pair.speed});
      pair.contacts.skipNext();
      pair.clearTo = onBy(s, r / 2);
      return pair.clearTo;
    }
    double margin = s == 0 ? pair.known : 0;
    if (margin < 2 * r && margin - aLittleMore * r < left) {
      const double enough = std::max(4 * r, left > 0 ? left / 4 + 2 * r : 0);
      if (pair.limit == Limit::depth) {
        const MovingPair at = movingPair(placedAt(pair.moved, path, s), rest_[pair.rest]);
        const PairLimit::Apart apart =
            pair.kept.marginApart(at, enough, context(pair), result_.looks, searches_);
        if (!apart.margin)
          if (const std::optional<double> to = clearAlong(pair, at, s, path)) {
            pair.clearTo = std::max(pair.clearTo, *to);
            return to;
          }
        margin = apart.margin ? *apart.margin
                              : pair.kept.marginInContact(at, apart.distance, context(pair), searches_);
      } else {
        margin = marginAt(pair, s, path, enough);
      }
    }
    // The pose accepted before is fine, whatever rounding makes of it.
    if (s == 0) margin = std::max(margin, r);
    if (margin < r) {
      if (pair.careful || pair.fine.empty()) {
        way_->blocking = k;
        return std::nullopt;
      }
      pair.careful = true;
      const GuardedPair::Fine& last = pair.fine.back();
      const double again = std::max(last.to + std::max(last.margin - aLittleMore * r, r / 2) / last.speed,
                                    std::nextafter(last.to, 2.0));
      if (again < s) return again;
      way_->blocking = k;
      return std::nullopt;
    }
    pair.fine.push_back({s, margin, pair.speed});
    const double sure = std::max(margin - aLittleMore * r, r / 2);
    if (sure >= left) return pair.clearTo = never;
    pair.clearTo = std::max(pair.clearTo, s + sure / pair.speed);
    return pair.careful ? onBy(s, sure) : std::min(1.0, onBy(s, margin + r / 2));
  }

  /// Looks for a stretch of the way on which a pair in contact stays fine. Returns the end of it.
  std::optional<double> clearAlong(GuardedPair& pair, const MovingPair& at, double s, const RigidPath& path) {
    const double margin = aLittleMore * pair.resolution;
    const UniformWay firstWay = path.wayOf(design_[pair.moved].worldFromPart);
    const std::optional<double> until =
        detail::keepsContactAhead(pair.kept, at, {s, pair.speed}, path, firstWay, margin, pair.contacts,
                                  options_.keepsDepths ? &pair.depths : nullptr, searches_);
    if (until) pair.fine.push_back({s, margin, pair.speed, std::min(*until, 1.0)});
    return until;
  }

  bool isFine(GuardedPair& pair, double s, const RigidPath& path) {
    if (pair.isKnownFine(s)) return true;
    step();
    const double bySlab = slabAt(pair, s, path).margin;
    const double margin = bySlab >= pair.resolution ? bySlab : marginAt(pair, s, path, 2 * pair.resolution);
    if (margin >= pair.resolution) pair.fine.push_back({s, margin, pair.speed});
    return margin >= pair.resolution;
  }

  /// Lowers `s` to the last pose that is fine for all pairs, among the poses where one was found fine.
  void findFineForAll(double& s, const RigidPath& path) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < pairs_.size(); ++k)
        if (!isFine(pairs_[k], s, path)) {
          way_->blocking = k;
          s = way_->examined = pairs_[k].lastFine(s);
          again = true;
        }
    }
  }

  /// With `strict`, rejects a pose at which a pair of the start still intersects.
  double apartIfStrict(double s, const RigidPath& path) {
    if (!options_.strict || s <= 0) return s;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const GuardedPair& pair = pairs_[k];
      if (!pair.touching) continue;
      const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
      if (boxDistance(a, b) > 0) continue;
      if (distanceAt(pair, a, b, never).distance() > 2 * std::max(fineResolution_, 8 * roundingOf(a, b)))
        continue;
      way_->blocking = k;
      return 0;
    }
    return s;
  }

  /// Makes pairs that have separated subject to the usual limits.
  void release(double s, const RigidPath& path) {
    if (s <= 0) return;
    for (GuardedPair& pair : pairs_) {
      if (!pair.touching) continue;
      const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
      const double r = std::max(fineResolution_, 8 * roundingOf(a, b));
      // A pair that separated on the way is already limited by its distance.
      const bool cameApart = pair.limit == Limit::none && pair.apartAt <= s;
      if (!cameApart && boxDistance(a, b) <= 2 * r && distanceAt(pair, a, b, never).distance() <= 2 * r)
        continue;
      pair.touching = false;
      pair.limit = Limit::distance;
      pair.resolution = r;
      pair.fine.clear();
    }
  }

  DragStop stopOf(const GuardedPair& pair, double s, const RigidPath& path) {
    const PlacedInstance &a = placedAt(pair.moved, path, s), &b = rest_[pair.rest];
    return {a.node, b.node, distanceAt(pair, a, b, never).nearest};
  }

  /// Called after every step of the work, and pauses it if a limit is reached.
  void step() {
    ++result_.steps;
    work_.check();
  }
  bool mustPause() {
    if (cancel_.stop_requested())
      result_.status = ReportStatus::cancelled;
    else if ((options_.maxSteps && result_.steps >= *options_.maxSteps) ||
             (deadline_ && Clock::now() >= *deadline_))
      result_.status = ReportStatus::truncated;
    return result_.status != ReportStatus::complete;
  }

  Scene scene_;
  DragOptions options_;
  bool isReady_ = false;  ///< false if preparing the solids was cancelled
  RigidMotion start_;
  RigidMotion pose_;               ///< the last one accepted, where ways begin
  RigidMotion shown_;              ///< up to where the present way is known to be clear
  RigidMotion wanted_;             ///< of the hand
  std::deque<RigidMotion> ahead_;  ///< poses that the hand has passed meanwhile, up to that
  std::optional<DragWay> way_;
  std::optional<std::size_t> lastBlocking_;
  Vec3 centre_;
  double fineResolution_ = 0;  ///< for limits of distance
  std::vector<PlacedInstance> design_, rest_, placed_;
  std::vector<double> placedAt_;
  std::vector<std::array<Vec3, 8>> corners_, restCorners_;  ///< in the design placement
  std::vector<GuardedPair> pairs_;
  std::unordered_map<std::size_t, QueryContext> contexts_;  ///< of pairs that were examined
  std::stop_token cancel_;
  std::optional<Clock::time_point> deadline_;
  QueryLimits searches_;  ///< of searches of the work
  DragUpdate result_;
  PausableWork work_;  ///< last, because it uses everything else until it has ended
};

DragGuard::DragGuard(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
                     const RigidMotion& start, const DragOptions& options, const Progress& progress)
    : impl_(std::make_unique<Impl>(scene, poses, dragged, start, options, progress)) {}
DragGuard::~DragGuard() = default;
DragGuard::DragGuard(DragGuard&&) noexcept = default;
DragGuard& DragGuard::operator=(DragGuard&&) noexcept = default;

const RigidMotion& DragGuard::pose() const noexcept { return impl_->pose(); }
DragUpdate DragGuard::update(const RigidMotion& wanted, const Progress& progress) {
  return impl_->update(std::span(&wanted, 1), progress);
}
DragUpdate DragGuard::update(std::span<const RigidMotion> wanted, const Progress& progress) {
  return impl_->update(wanted, progress);
}
DragUpdate DragGuard::proceed(const Progress& progress) { return impl_->proceed(progress); }
bool DragGuard::accepts(const RigidMotion& pose) { return impl_->accepts(pose); }
void DragGuard::placeAt(const RigidMotion& pose) { impl_->placeAt(pose); }
std::vector<std::pair<NodeId, NodeId>> DragGuard::pairs() const { return impl_->pairs(); }
DragLimit DragGuard::limitOf(std::size_t pair) { return impl_->limitOf(pair); }

}  // namespace fitup
