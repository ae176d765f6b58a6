#include <fitup/motion/slide.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/least_motion.h>
#include <fitup/motion/detail/slide_contacts.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;
using detail::Freedom;
using detail::LeastMotion;
using detail::MeanDisplacement;
using detail::MotionRow;
using detail::SlideContacts;
using detail::SlideRow;
using detail::Twist;

/// Of the size of the part: the longest step near others. Longer: fewer steps, more contacts to look at in
/// each.
constexpr double longestStep = 1.0 / 32;
/// Of the least reserve: a step shorter than this is none.
constexpr double shortestStep = 1.0 / 64;
/// Of the part's size: the same where no contact has a reserve.
constexpr double shortestOfSize = 0x1p-24;
/// Places at which the guard stopped the part that count as contacts: how many, and within how many reserves
/// of the pose. The normal turns where the part moves on.
constexpr std::size_t mostStops = 8;
constexpr double stopsWithin = 20;
/// Times in an update that such places are looked at again before the part stays.
constexpr int mostRefreshes = 4;
/// Times a step is halved because contacts at its end exceed their reserve. Contacts that remain then are
/// ones that do not grow with the step: they appear where corners of triangles pass each other. The guard
/// decides alone about them.
constexpr int mostHalvings = 5;
/// Of the gain that a step was meant to have, in squared distance from the hand: what counts as progress.
constexpr double fairShare = 0.1;
/// Steps without progress after which the part stays: what one of them gains, the next one loses.
constexpr int mostIdle = 6;
/// Steps that are certified at once, as one motion.
constexpr int mostPlanned = 4;
/// Steps of one update: a bound for hands that are far away; the rest waits for the next one.
constexpr std::size_t mostMoves = 400;

constexpr double square(double v) noexcept { return v * v; }

/// The drag options of the guard: its share of the time of an update.
DragOptions certificateOptions(DragOptions options) {
  options.keepsDepths = true;
  // An update ends after half of its time, or after the step then under way, which has the other half.
  if (options.limits.timeBudget) *options.limits.timeBudget /= 2;
  return options;
}

}  // namespace

class SlideGuard::Impl {
 public:
  Impl(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged, const RigidMotion& start,
       const SlideOptions& options, const Progress& progress)
      : options_(options),
        guard_(scene, poses, dragged, start, certificateOptions(options.drag), progress),
        contacts_(scene, poses, dragged, start, options.drag, guard_),
        displacement_(contacts_.triangles()),
        start_(start),
        wanted_(start),
        passed_(start),
        at_(start) {
    const Box box = Box::around(contacts_.corners());
    size_ = box.empty() ? 0 : 2 * norm(box.halfExtent());
    trust_ = longestStep * size_;
  }

  [[nodiscard]] const RigidMotion& pose() const noexcept { return guard_.pose(); }

  SlideUpdate update(const RigidMotion& wanted, const Progress& progress) {
    if (!wanted.isRigid()) throw PlacementError("slide: the wanted pose is not a rigid motion");
    wanted_ = wanted;
    return proceed(progress);
  }

  SlideUpdate proceed(const Progress& progress) {
    const auto began = Clock::now();
    const auto budget = options_.drag.limits.timeBudget;
    deadline_ = deadlineOf(budget ? std::optional(*budget / 2) : std::nullopt);
    result_ = {};
    const auto mustPause = [&] {
      if (result_.moves >= mostMoves || isLate()) result_.status = ReportStatus::truncated;
      if (progress.cancelled()) result_.status = ReportStatus::cancelled;
      return result_.status != ReportStatus::complete;
    };
    const bool wasUnfinished = isUnfinished_;
    if (finishStep(progress) && !(wasUnfinished && mustPause())) {
      idle_ = 0;
      refreshes_ = 0;
      stops_.clear();
      nearest_ = std::numeric_limits<double>::infinity();
      mayPlan_ = std::min(2 * mayPlan_, mostPlanned);
      while ((step(progress) || settle(progress)) && !mustPause()) {
      }
      const ReportStatus status = result_.status;
      if (planned_ > 0) {
        goAsPlanned(progress);
        if (!isUnfinished_) result_.status = status;
      }
    }
    result_.pose = pose();
    at_ = pose();
    result_.distance = displacementHere().of(wantedTwist());
    result_.isThere = result_.distance <= 0;
    // On the way, an update may end before its first step: the part is then where the one before left it.
    if (result_.status != ReportStatus::complete && result_.holding.empty()) result_.holding = holding_;
    holding_ = result_.holding;
    result_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    return result_;
  }

 private:
  [[nodiscard]] Freedom freedom() const {
    return options_.freedom == SlideFreedom::shift ? Freedom::shift : Freedom::shiftAndTurn;
  }
  [[nodiscard]] bool isLate() const { return deadline_ && Clock::now() >= *deadline_; }
  [[nodiscard]] MeanDisplacement displacementHere() const { return displacement_.moved(at_); }

  /// The motion that the hand wants from here.
  [[nodiscard]] Twist wantedTwist() const {
    if (goal() == at_) return {};
    return detail::twistOf(goal() * inverse(at_), displacementHere().centre());
  }
  /// The wanted pose, without its turn if the part does not turn.
  [[nodiscard]] RigidMotion goal() const {
    if (options_.freedom == SlideFreedom::shiftAndTurn || wanted_.rotation == start_.rotation) return wanted_;
    const Vec3& centre = displacement_.centre();
    return {start_.rotation,
            wanted_.transform().apply(centre) - Transform::rotation(start_.rotation).apply(centre)};
  }

  /// Ends a step that an earlier update did not finish. Returns false if it is not finished yet.
  bool finishStep(const Progress& progress) {
    if (!isUnfinished_) return true;
    take(guard_.proceed(progress));
    return !isUnfinished_;
  }
  /// Lets the guard go where the steps have led. Returns false if it is on its way or was stopped.
  bool goAsPlanned(const Progress& progress) {
    const RigidMotion to = at_;
    take(guard_.update(to, progress));
    return !isUnfinished_ && pose() == to;
  }
  void take(const DragUpdate& moved) {
    isUnfinished_ = moved.status != ReportStatus::complete;
    result_.status = moved.status;
    if (!(moved.pose == passed_)) result_.way.push_back(passed_ = moved.pose);
    const int planned = std::exchange(planned_, 0);
    if (isUnfinished_) {
      rows_.reset();
      return;
    }
    if (moved.fraction > 0) ++result_.moves;
    at_ = pose();
    if (moved.fraction == 1) return;
    if (planned > 1) {
      // One step after another may get farther.
      mayPlan_ = 1;
      nearest_ = std::numeric_limits<double>::infinity();
    } else {
      trust_ = std::max(0.5 * trust_, shortest(rows_));
      if (moved.stop) rememberStop(*moved.stop);
    }
    rows_.reset();
  }

  /// Goes one step towards the hand. Returns false if the part is there or as near as it gets.
  bool step(const Progress& progress) {
    const MeanDisplacement displacement = displacementHere();
    const Twist wanted = wantedTwist();
    const double left = displacement.of(wanted);
    if (left == 0) return false;
    if (!rows_ || rowsReach_ < trust_) {
      rows_ = rowsAt(at_, over_ + shortest(rows_));
      rowsReach_ = trust_;
      over_ = std::min(over_, mostOver(*rows_));
      // The contacts are kept for the next update, which thus gets farther.
      if (isLate()) return true;
    }
    if (idle_ > mostIdle) return settle(progress) || refreshStops();
    // Beyond the reserve, the way out comes first: the guard may refuse any other.
    const bool isTooDeep = mostBeyond(*rows_) > 0;
    LeastMotion least = leastWithinTrust(displacement, isTooDeep ? Twist{} : wanted);
    if (isTooDeep && displacement.of(least.twist) <= shortest(rows_))
      least = leastWithinTrust(displacement, wanted);  // there is no way out
    keepHolding(least);
    if (displacement.of(least.twist) <= shortest(rows_))
      return settle(progress) || refreshStops() || tryExactGoal(least, left, progress);
    result_.rows = rows_->size();
    const bool isGoal = least.holding.empty() && displacement.of(wanted - least.twist) <= 0x1p-40 * left;
    const double over = mostOver(*rows_),
                 meant = square(left) - square(displacement.of(wanted - least.twist));
    nearest_ = std::min(nearest_, square(left));
    const bool goesOn = certify(isGoal ? goal() : after(least.twist, displacement),
                                farthestBy(displacement, least.twist), progress);
    if (goesOn && halvings_ == 0) judge(meant, over);
    return goesOn;
  }

  /// Where no step leads farther, those before are certified. Returns true if there were any.
  bool settle(const Progress& progress) {
    if (planned_ == 0) return false;
    goAsPlanned(progress);
    return !isUnfinished_;
  }

  /// A goal nearer than the shortest step is still reached if nothing holds the part.
  bool tryExactGoal(const LeastMotion& least, double left, const Progress& progress) {
    if (!least.holding.empty() || left > shortest(rows_)) return false;
    take(guard_.update(goal(), progress));
    return false;
  }

  /// Plans a step to a pose, if the contacts there are within their reserve, and certifies it with those
  /// planned before when there are enough of them. Straight motions along several steps are as good as any:
  /// what counts is where they lead.
  bool certify(const RigidMotion& to, double farthest, const Progress& progress) {
    std::vector<SlideRow> there = rowsAt(to, over_ + shortest(rows_) + farthest);
    const double before = mostBeyond(*rows_), after = mostBeyond(there);
    if (after > 0 && after >= before && halvings_ < mostHalvings) {
      ++halvings_;
      trust_ *= 0.5;
      return true;
    }
    halvings_ = 0;
    over_ += farthest;
    at_ = to;
    ++planned_;
    if (planned_ >= mayPlan_ || to == goal()) {
      const bool isThere = goAsPlanned(progress);
      if (isUnfinished_) return false;
      if (!isThere) return true;
    }
    rows_ = std::move(there);
    rowsReach_ = trust_;
    over_ = mostOver(*rows_);
    trust_ = std::min(rows_->empty() ? size_ : longestStep * size_, 2 * trust_);
    return true;
  }

  /// The contacts at a pose, with the deepest places at which the guard stopped the part nearby.
  [[nodiscard]] std::vector<SlideRow> rowsAt(const RigidMotion& at, double mostOver) {
    std::vector<SlideRow> rows = contacts_.at(at, trust_, mostOver);
    for (const auto& [row, from] : stops_) {
      const Vec3 moved = (at * inverse(from)).transform().apply(row.contact.point);
      SlideRow now = row;
      now.contact.gap += dot(row.contact.normal, moved - row.contact.point);
      now.contact.point = moved;
      rows.push_back(now);
    }
    return rows;
  }
  /// Remembers where the guard stopped the part, and forgets what is far from it.
  void rememberStop(const DragStop& stop) {
    std::erase_if(stops_, [&](const Stop& s) {
      return displacementHere().of(detail::twistOf(at_ * inverse(s.at), displacementHere().centre())) >
             stopsWithin * s.row.reserve;
    });
    if (stops_.size() >= mostStops) stops_.erase(stops_.begin());
    if (const auto row = contacts_.deepest(stop.a, stop.b, at_)) stops_.push_back({*row, at_});
  }

  /// Looks again at the pairs that stopped the part, if it has moved since: their deepest places then are not
  /// those they are now. Returns false if there is nothing to look at.
  bool refreshStops() {
    const bool areNew = std::ranges::all_of(stops_, [&](const Stop& s) { return s.at == at_; });
    if (areNew || refreshes_ >= mostRefreshes) return false;
    ++refreshes_;
    idle_ = 0;
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (const Stop& stop : stops_) pairs.push_back(guard_.pairs()[stop.row.pair]);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    stops_.clear();
    for (const auto& [a, b] : pairs)
      if (const auto row = contacts_.deepest(a, b, at_)) stops_.push_back({*row, at_});
    rows_.reset();
    return true;
  }

  /// By how much the worst contact is beyond its aim.
  static double mostOver(const std::vector<SlideRow>& rows) {
    double most = 0;
    for (const SlideRow& row : rows) most = std::max(most, -row.slack());
    return most;
  }
  /// By how much the worst contact exceeds its reserve.
  static double mostBeyond(const std::vector<SlideRow>& rows) {
    double most = 0;
    for (const SlideRow& row : rows) most = std::max(most, -row.slack() - row.reserve);
    return most;
  }

  /// Counts the steps that brought the part no nearer than it has been, by a fair share of what they were
  /// meant to. Steps out of an overlap are meant to bring it nowhere.
  void judge(double meant, double overBefore) {
    const double now = square(displacementHere().of(wantedTwist()));
    if (meant > 0 && now < nearest_ - fairShare * meant) {
      nearest_ = now;
      idle_ = 0;
    } else if (!(rows_ && mostOver(*rows_) < 0.5 * overBefore)) {
      ++idle_;
    }
  }

  /// The least motion towards the wanted one that moves no point farther than a step.
  [[nodiscard]] LeastMotion leastWithinTrust(const MeanDisplacement& displacement,
                                             const Twist& wanted) const {
    std::vector<MotionRow> rows;
    rows.reserve(rows_->size());
    for (const SlideRow& row : *rows_) rows.push_back(row.motionRow());
    return detail::leastMotionWithin(displacement, wanted, std::move(rows), freedom(),
                                     0x1p-10 * shortest(rows_), cornersHere(), trust_);
  }
  [[nodiscard]] std::vector<Vec3> cornersHere() const {
    std::vector<Vec3> corners;
    const Transform here = at_.transform();
    for (const Vec3& corner : contacts_.corners()) corners.push_back(here.apply(corner));
    return corners;
  }
  [[nodiscard]] double farthestBy(const MeanDisplacement& displacement, const Twist& twist) const {
    return twist.farthest(cornersHere(), displacement.centre());
  }

  [[nodiscard]] RigidMotion after(const Twist& twist, const MeanDisplacement& displacement) const {
    if (options_.freedom == SlideFreedom::shift) return {at_.rotation, at_.translation + twist.shift};
    RigidMotion moved = detail::motionOf(twist, displacement.centre()) * at_;
    moved.rotation = normalized(moved.rotation);
    return moved;
  }

  [[nodiscard]] double shortest(const std::optional<std::vector<SlideRow>>& rows) const {
    return rows ? shortest(*rows) : shortestOfSize * size_;
  }
  [[nodiscard]] double shortest(const std::vector<SlideRow>& rows) const {
    double reserve = std::numeric_limits<double>::infinity();
    for (const SlideRow& row : rows) reserve = std::min(reserve, row.reserve);
    return rows.empty() ? shortestOfSize * size_ : std::max(shortestStep * reserve, shortestOfSize * size_);
  }

  void keepHolding(const LeastMotion& least) {
    result_.holding.clear();
    const auto pairs = guard_.pairs();
    for (const auto& [k, multiplier] : least.holding) {
      const SlideRow& row = (*rows_)[k];
      const auto [a, b] = pairs[row.pair];
      const detail::ContactRow& c = row.contact;
      result_.holding.push_back({a,
                                 b,
                                 {contacts_.surfaceOf(a, c.moved), contacts_.surfaceOf(b, c.resting)},
                                 {c.moved, c.resting},
                                 c.point,
                                 c.normal,
                                 c.gap,
                                 c.isExact,
                                 multiplier});
    }
  }

  /// A place at which the guard stopped the part, and the pose there.
  struct Stop {
    SlideRow row;
    RigidMotion at;
  };

  SlideOptions options_;
  DragGuard guard_;
  SlideContacts contacts_;
  MeanDisplacement displacement_;  ///< at the placements in `poses`
  RigidMotion start_, wanted_;
  RigidMotion passed_;                         ///< last pose of the ways of all updates
  RigidMotion at_;                             ///< where the steps have led, certified or not
  int planned_ = 0;                            ///< steps from the pose of the guard to there
  int mayPlan_ = mostPlanned;                  ///< steps before the next certificate
  double size_ = 0;                            ///< of the group
  double trust_ = 0;                           ///< no point goes farther in the next step
  bool isUnfinished_ = false;                  ///< the guard is on its way
  std::optional<std::vector<SlideRow>> rows_;  ///< at the pose, if known
  double rowsReach_ = 0;
  std::vector<Stop> stops_;
  std::optional<Clock::time_point> deadline_;  ///< of steps of this update
  double nearest_ = 0;                         ///< least squared distance from the hand, in this update
  double over_ = 0;                            ///< bound on how far any contact is beyond its aim
  int idle_ = 0, refreshes_ = 0;
  int halvings_ = 0;  ///< of the step that is tried
  SlideUpdate result_;
  std::vector<SlideHold> holding_;  ///< in the update before
};

SlideGuard::SlideGuard(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
                       const RigidMotion& start, const SlideOptions& options, const Progress& progress)
    : impl_(std::make_unique<Impl>(scene, poses, dragged, start, options, progress)) {}
SlideGuard::~SlideGuard() = default;
SlideGuard::SlideGuard(SlideGuard&&) noexcept = default;
SlideGuard& SlideGuard::operator=(SlideGuard&&) noexcept = default;

const RigidMotion& SlideGuard::pose() const noexcept { return impl_->pose(); }
SlideUpdate SlideGuard::update(const RigidMotion& wanted, const Progress& progress) {
  return impl_->update(wanted, progress);
}
SlideUpdate SlideGuard::proceed(const Progress& progress) { return impl_->proceed(progress); }

}  // namespace fitup
