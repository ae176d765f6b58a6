#include <fitup/motion/free_space.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/least_motion.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/detail/slide_contacts.h>
#include <fitup/query/distance.h>
#include <fitup/query/nearness.h>

namespace fitup {
namespace {

using detail::Advancement;
using detail::LeastMotion;
using detail::MeanDisplacement;
using detail::MotionRow;
using detail::SlideContacts;
using detail::SlideRow;
using detail::Twist;

/// Of the size of the scene: what is kept beyond the clearance, so that a certificate has room.
constexpr double reserveOfScene = 0x1p-18;
/// The tolerance of pairs of unknown chord errors, as in certificates.
constexpr double finestOfScene = 0x1p-20;
/// Of the size of the group: the room.
constexpr double roomOfSize = 1.0 / 600;
/// In rooms: farther away, distances are not measured.
constexpr double farAway = 40;
/// Of the room of a pair: what ways certainly keep between their ends.
constexpr double shareOfRoom = 0.25;
/// Distances measured on one way. Where parts are so near that it takes more, the way counts as stopped.
constexpr std::size_t mostAdvances = 2000;
/// Of the length of a step: slides of which less is free lead nowhere.
constexpr double leastOfStep = 1e-3;
/// Of the length of a step: by how much it has to come nearer to where it goes; and steps in a row that do
/// not.
constexpr double leastGain = 0.1;
constexpr int mostIdle = 3;
/// Motions of one withdrawal, and by how much each shall enlarge the least room.
constexpr int mostWithdrawals = 12;
constexpr double withdrawGain = 1.3;
/// In rooms: what slides and retractions aim at.
constexpr double aimOfRoom = 1.5;
/// Places that a slide remembers.
constexpr std::ptrdiff_t mostHeld = 24;

}  // namespace

class FreeSpace::Impl {
 public:
  Impl(const Scene& scene, const Poses& poses, std::span<const NodeId> moved, const FreeSpaceOptions& options,
       const Progress& progress)
      : scene_(scene) {
    std::unordered_map<NodeId, std::uint32_t> positions;
    Box box, all;
    for (const NodeId node : scene.instances()) {
      const bool moves = std::ranges::find(moved, node) != moved.end();
      std::vector<PlacedInstance>& list = moves ? moved_ : rest_;
      positions[node] = static_cast<std::uint32_t>(list.size());
      list.push_back(placedInstance(scene.assembly(), node, scene.worldFromPart(node, poses)));
      if (list.back().worldBox.empty()) continue;
      all.extend(list.back().worldBox);
      (moves ? box : restBox_).extend(list.back().worldBox);
    }
    if (!box.empty()) centre_ = box.centre();
    size_ = box.empty() ? 0 : 2 * norm(box.halfExtent());
    reserve_ = all.empty() ? 0 : reserveOfScene * 2 * norm(all.halfExtent());
    DragOptions drag;
    drag.tolerance = options.tolerance;
    drag.unknownTolerance = all.empty() ? 0 : finestOfScene * 2 * norm(all.halfExtent());
    drag.reference = poses;
    drag.keepsDepths = true;
    drag.clearance = options.clearance + reserve_;
    drag.rules = options.rules;
    guard_.emplace(scene, poses, moved, RigidMotion{}, drag, progress);
    if (progress.cancelled()) throw CancelledError();
    contacts_.emplace(scene, poses, moved, RigidMotion{}, drag, *guard_);
    displacement_.emplace(contacts_->triangles());
    for (const PlacedInstance& p : moved_)
      corners_.push_back(cornersInWorld(scene.modelOf(p.node).mesh(), p.worldFromPart));
    for (const auto& [a, b] : guard_->pairs()) {
      pairs_.push_back({positions.at(a), positions.at(b)});
      pairs_.back().more = clearanceBeyond(pairs_.back(), options, drag.clearance);
      clearance_ = std::max(clearance_, drag.clearance + pairs_.back().more);
    }
    room_ = options.room.value_or(roomOfSize * size_);
    contexts_.resize(pairs_.size());
    at_.resize(moved_.size());
  }

  [[nodiscard]] const Vec3& centre() const noexcept { return centre_; }
  [[nodiscard]] double size() const noexcept { return size_; }
  [[nodiscard]] double room() const noexcept { return room_; }
  [[nodiscard]] const Box& rest() const noexcept { return restBox_; }
  [[nodiscard]] std::size_t checks() const noexcept { return checks_; }
  [[nodiscard]] std::size_t work() const noexcept { return work_; }
  [[nodiscard]] double gyration() const {
    return displacement_->of({{}, {1, 0, 0}}) / 3 + displacement_->of({{}, {0, 1, 0}}) / 3 +
           displacement_->of({{}, {0, 0, 1}}) / 3;
  }
  [[nodiscard]] double distance(const RigidMotion& a, const RigidMotion& b) const {
    const MeanDisplacement there = displacement_->moved(a);
    return there.of(detail::twistOf(b * inverse(a), there.centre()));
  }

  bool admit(const RigidMotion& pose) {
    place(pose);
    std::vector<std::pair<std::uint32_t, double>> rooms;
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const Pair& pair = pairs_[k];
      if (boxDistance(at_[pair.moved], rest_[pair.rest]) > clearance_ + 2 * room_) continue;
      if (kindOf(k) != Kind::apart) continue;
      rooms.emplace_back(k, roomOf(k) / 2);
      if (!(rooms.back().second > 0)) return false;
    }
    // Depths take longer.
    if (!guard_->accepts(pose)) return false;
    for (const auto& [k, room] : rooms) pairs_[k].room = std::min(pairs_[k].room, room);
    return true;
  }

  bool hasRoom(const RigidMotion& pose) {
    place(pose);
    for (std::uint32_t k = 0; k < pairs_.size(); ++k)
      if (boxDistance(at_[pairs_[k].moved], rest_[pairs_[k].rest]) <= clearance_ + 2 * room_ &&
          kindOf(k) == Kind::apart && !(roomOf(k) >= pairs_[k].room))
        return false;
    return guard_->accepts(pose);  // depths take longer
  }

  FreeStep go(const RigidMotion& from, const RigidMotion& to) {
    Way way(*this, from, to);
    FreeStep step{to, 1, {}};
    if (const std::vector<std::uint32_t> pairs = nearPairs(way); !pairs.empty()) {
      // Conservative advancement: up to `sure`, every pair certainly has its room.
      double s = 0, sure = 0;
      for (std::size_t advances = 0;; ++advances) {
        place(way.at(s));
        double ahead = Advancement::never, withRoom = Advancement::never;
        for (const std::uint32_t k : pairs) {
          const Pair& pair = pairs_[k];
          const double beyond = roomOf(k);
          if (s > 0 && beyond < pair.room) {
            step.stop = stopOf(k);
            break;
          }
          // Where the way begins there may be less, of which half is kept.
          const double kept = std::min(shareOfRoom * pair.room, beyond / 2);
          ahead = std::min(ahead, beyond - kept);
          withRoom = std::min(withRoom, std::max(0.0, beyond - pair.room));
        }
        if (!step.stop && s < 1 && (!(ahead > 0) || advances == mostAdvances))
          step.stop = stopOf(pairs.front());
        if (step.stop) step.share = sure;
        if (step.stop || s >= 1) break;
        sure = std::min(1.0, s + withRoom / way.speed);
        s = std::min(1.0, s + ahead / way.speed);
      }
    }
    step.pose = way.at(step.share);
    return goGuarded(way, step);
  }

  bool isFree(const RigidMotion& from, const RigidMotion& to) {
    Way way(*this, from, to);
    const std::vector<std::uint32_t> pairs = nearPairs(way);
    const auto hasRoom = [&](double s, double share) {
      place(way.at(s));
      return std::ranges::all_of(pairs, [&](std::uint32_t k) { return roomOf(k) >= share * pairs_[k].room; });
    };
    return hasRoom(1, 1) && hasRoom(0.5, shareOfRoom) && go(from, to).share >= 1;
  }

  std::vector<RigidMotion> slide(const RigidMotion& from, const RigidMotion& to, double length,
                                 std::size_t mostSteps) {
    std::vector<RigidMotion> poses;
    RigidMotion at = from;
    double left = distance(at, to);
    held_.clear();
    int idle = 0;
    while (poses.size() < mostSteps && idle < mostIdle) {
      const MeanDisplacement here = displacement_->moved(at);
      addHeld(at, length);
      std::vector<MotionRow> rows;
      for (const Held& held : held_) rows.push_back({held.row.point, held.row.normal, held.aim - held.gap});
      addGuarded(at, length, rows);
      const std::vector<Vec3> corners = cornersAt(at);
      const LeastMotion least =
          detail::leastMotionWithin(here, detail::twistOf(to * inverse(at), here.centre()), std::move(rows),
                                    detail::Freedom::shiftAndTurn, 0x1p-10 * room_, corners, length);
      if (least.twist.farthest(corners, here.centre()) <= leastOfStep * length) break;
      RigidMotion next = detail::motionOf(least.twist, here.centre()) * at;
      next.rotation = normalized(next.rotation);
      const FreeStep step = go(at, next);
      const double now = distance(step.pose, to), gone = distance(at, step.pose);
      const bool isNearer = left - now > leastGain * gone && gone > leastOfStep * length;
      idle = isNearer ? 0 : idle + 1;
      moveHeld(at, step.pose, length);
      if (gone > 0) poses.push_back(at = step.pose);
      left = std::min(left, now);
    }
    // Where it came no nearer any more, it went to and fro.
    for (; idle > 0 && !poses.empty(); --idle) poses.pop_back();
    return poses;
  }

  double roomAt(const RigidMotion& pose, double most) {
    place(pose);
    double least = most;
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const Pair& pair = pairs_[k];
      if (boxDistance(at_[pair.moved], rest_[pair.rest]) > clearance_ + most || kindOf(k) != Kind::apart)
        continue;
      least = std::min(least, distanceOf(k, pair.clearance + least).distance() - pair.clearance);
    }
    return least;
  }

  RigidMotion withdrawn(const RigidMotion& pose, double most) {
    RigidMotion at = pose, best = pose;
    double least = roomAt(pose, most);
    const std::vector<Vec3> start = cornersAt(pose);
    held_.clear();
    for (int k = 0; k < mostWithdrawals && least > 0 && least < most; ++k) {
      const double aim = std::min(most, withdrawGain * least);
      addHeld(at, 2 * aim);
      std::vector<MotionRow> rows = heldRows(aim);
      const auto kept = static_cast<std::ptrdiff_t>(rows.size());
      addGuarded(at, aim, rows);
      // What is in contact may only get no worse.
      std::for_each(rows.begin() + kept, rows.end(),
                    [](MotionRow& row) { row.least = std::min(row.least, 0.0); });
      const std::optional<RigidMotion> next = moved(at, rows, start, most);
      if (!next) break;
      moveHeld(at, *next, 2 * aim);
      at = *next;
      // What was not near before may be nearer now: it is held from the next motion on.
      const double now = roomAt(at, most);
      if (now > least) {
        least = now;
        best = at;
      }
    }
    return best;
  }

  std::optional<RigidMotion> retracted(const RigidMotion& pose, double most) {
    RigidMotion at = pose;
    const std::vector<Vec3> start = cornersAt(pose);
    held_.clear();
    for (int k = 0; k < mostWithdrawals; ++k) {
      if (hasRoom(at)) return at;
      const double reach = std::min(most, 4 * room_);
      addHeld(at, reach);
      std::vector<MotionRow> rows = heldRows(aimOfRoom * room_);
      addGuarded(at, reach, rows);
      addDeepest(at, rows);
      const std::optional<RigidMotion> next = moved(at, rows, start, most);
      if (!next) break;
      moveHeld(at, *next, reach);
      at = *next;
    }
    return std::nullopt;
  }

  double tolerance() {
    double most = 0;
    for (std::uint32_t k = 0; k < pairs_.size(); ++k)
      if (boxDistance(moved_[pairs_[k].moved], rest_[pairs_[k].rest]) <= clearance_ + room_ &&
          kindOf(k) == Kind::guarded)
        most = std::max(most, guard_->limitOf(k).tolerance);
    return most;
  }

 private:
  enum class Kind : std::uint8_t { unknown, apart, guarded };
  struct Pair {
    std::uint32_t moved = 0, rest = 0;
    Kind kind = Kind::unknown;
    double more = 0;       ///< clearance beyond that of all pairs
    double clearance = 0;  ///< in all
    double room = 0;       ///< what ways keep beyond it where they begin and end
  };

  /// A way, and how fast its points move at most.
  struct Way {
    Way(const Impl& space, const RigidMotion& begin, const RigidMotion& end)
        : from(begin), to(end), path(begin, end, space.centre_) {
      for (const auto& corners : space.corners_) speed = std::max(speed, path.speedBound(corners));
    }
    [[nodiscard]] RigidMotion at(double s) const { return s <= 0 ? from : s >= 1 ? to : path.at(s); }
    RigidMotion from, to;
    RigidPath path;
    double speed = 0;
    bool isGuarded = false;  ///< pairs in contact at the start are near it
  };

  /// The pairs that keep a distance and may come near it on a way.
  std::vector<std::uint32_t> nearPairs(Way& way) {
    ++checks_;
    ++work_;
    std::vector<std::uint32_t> near;
    place(way.at(0.5));
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      // What is far from the middle of the way is far from all of it.
      const double apart = boxDistance(at_[pairs_[k].moved], rest_[pairs_[k].rest]);
      if (apart > way.speed / 2 + clearance_ + 2 * reserve_) continue;
      if (kindOf(k) == Kind::guarded)
        way.isGuarded = true;
      else
        near.push_back(k);
    }
    return near;
  }

  /// Of what is free of a way for the other pairs, what is free for those in contact at the start.
  FreeStep goGuarded(const Way& way, FreeStep step) {
    if (!way.isGuarded || step.share <= 0) return step;
    guard_->placeAt(way.from);
    const DragUpdate update = guard_->update(step.pose);
    work_ += update.steps;
    if (update.fraction < 1) {
      step.share *= update.fraction;
      step.pose = update.pose;
      if (update.stop) {
        step.stop = FreeStop{update.stop->a, update.stop->b, {}};
        if (update.stop->nearest) step.stop->surfaces = update.stop->nearest->surfaces;
      }
    }
    return step;
  }

  /// The distance of a pair at the pose that is placed.
  DistanceReport distanceOf(std::uint32_t k, double ignoreBeyond) {
    const PlacedInstance &a = at_[pairs_[k].moved], &b = rest_[pairs_[k].rest];
    ++work_;
    DistanceRequest request;
    request.ignoreBeyond = ignoreBeyond;
    request.coherence = Coherence::on;
    return fitup::distance({borrowed(scene_.modelOf(a.node)), a.worldFromPart},
                           {borrowed(scene_.modelOf(b.node)), b.worldFromPart}, request, contexts_[k]);
  }
  /// The distance of a pair there beyond its clearance, or a part of it that is far enough.
  double roomOf(std::uint32_t k) {
    const Pair& pair = pairs_[k];
    const double far = pair.clearance + farAway * room_;
    const double apart = boxDistance(at_[pair.moved], rest_[pair.rest]);
    if (apart >= far) return apart - pair.clearance;
    return std::min(far, distanceOf(k, far).distance()) - pair.clearance;
  }

  /// A pair that ends a way at the pose that is placed.
  FreeStop stopOf(std::uint32_t k) {
    const Pair& pair = pairs_[k];
    FreeStop stop{moved_[pair.moved].node, rest_[pair.rest].node, {}};
    const DistanceReport found = distanceOf(k, pair.clearance + farAway * room_);
    if (found.nearest) stop.surfaces = found.nearest->surfaces;
    return stop;
  }

  /// A place at which a pair is near, and its gap, to first order after the group has moved on.
  struct Held {
    MotionRow row;
    double gap = 0;
    double aim = 0;  ///< of it
  };
  /// Adds the nearest places of the pairs that are within reach at a pose.
  void addHeld(const RigidMotion& pose, double reach) {
    place(pose);
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const Pair& pair = pairs_[k];
      const PlacedInstance &a = at_[pair.moved], &b = rest_[pair.rest];
      if (boxDistance(a, b) > pair.clearance + reach || kindOf(k) != Kind::apart) continue;
      const DistanceReport found = distanceOf(k, pair.clearance + reach);
      if (!found.nearest || !(found.distance() > 0)) continue;
      const NearestPair& near = *found.nearest;
      held_.push_back({{near.pointA, normalized(near.pointA - near.pointB), 0},
                       near.distance - pair.clearance,
                       aimOfRoom * pair.room});
    }
    if (held_.size() > mostHeld) held_.erase(held_.begin(), held_.end() - mostHeld);
  }
  /// The limits of the places, with gaps of at least `aim`.
  [[nodiscard]] std::vector<MotionRow> heldRows(double aim) const {
    std::vector<MotionRow> rows;
    for (const Held& held : held_) rows.push_back({held.row.point, held.row.normal, aim - held.gap});
    return rows;
  }
  /// A pose after the least motion that keeps the rows; nothing if there is none, or if it leads farther than
  /// `most` from the corners at the beginning. Faces that are near have one place only in the rows, about
  /// which a turn may lead other places together: where there is less room then, the part is only shifted.
  std::optional<RigidMotion> moved(const RigidMotion& from, std::span<const MotionRow> rows,
                                   std::span<const Vec3> start, double most) {
    const auto turned = moved(from, rows, start, most, detail::Freedom::shiftAndTurn);
    if (turned && roomAt(*turned, most) >= roomAt(from, most)) return turned;
    const auto shifted = moved(from, rows, start, most, detail::Freedom::shift);
    return shifted ? shifted : turned;
  }
  [[nodiscard]] std::optional<RigidMotion> moved(const RigidMotion& from, std::span<const MotionRow> rows,
                                                 std::span<const Vec3> start, double most,
                                                 detail::Freedom freedom) const {
    const MeanDisplacement here = displacement_->moved(from);
    const LeastMotion motion = detail::leastMotion(here, {}, rows, freedom, 0x1p-10 * room_);
    if (!motion.isFeasible || !(motion.twist.farthest(cornersAt(from), here.centre()) < most)) return {};
    RigidMotion to = detail::motionOf(motion.twist, here.centre()) * from;
    to.rotation = normalized(to.rotation);
    const std::vector<Vec3> corners = cornersAt(to);
    for (std::size_t i = 0; i < corners.size(); ++i)
      if (norm(corners[i] - start[i]) > most) return {};
    return to;
  }
  /// Takes the places along with the group, and forgets those that are out of reach.
  void moveHeld(const RigidMotion& from, const RigidMotion& to, double reach) {
    const Transform motion = (to * inverse(from)).transform();
    for (Held& held : held_) {
      const Vec3 moved = motion.apply(held.row.point);
      held.gap += dot(held.row.normal, moved - held.row.point);
      held.row.point = moved;
    }
    std::erase_if(held_, [&](const Held& held) { return held.gap > 2 * reach; });
  }
  /// Adds the contacts of pairs that were in contact at the start.
  void addGuarded(const RigidMotion& pose, double reach, std::vector<MotionRow>& rows) {
    const bool isNear = std::ranges::any_of(pairs_, [&](const Pair& pair) {
      return pair.kind == Kind::guarded && boxDistance(at_[pair.moved], rest_[pair.rest]) <= reach;
    });
    if (!isNear) return;
    for (const SlideRow& row : contacts_->at(pose, reach, reach)) {
      ++work_;
      if (pairs_[row.pair].kind == Kind::guarded) rows.push_back(row.motionRow());
    }
  }

  /// Adds the deepest places of pairs in contact that overlap farther than contacts are looked for.
  void addDeepest(const RigidMotion& pose, std::vector<MotionRow>& rows) {
    place(pose);
    for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
      const Pair& pair = pairs_[k];
      if (boxDistance(at_[pair.moved], rest_[pair.rest]) > 0 || kindOf(k) != Kind::guarded) continue;
      ++work_;
      if (const auto row = contacts_->deepest(moved_[pair.moved].node, rest_[pair.rest].node, pose))
        rows.push_back(row->motionRow());
    }
  }

  /// By how much more than `kept` a rule and chord errors keep a pair apart; nothing if it is nearer than
  /// that at the start, because it then counts as in contact.
  [[nodiscard]] double clearanceBeyond(const Pair& pair, const FreeSpaceOptions& options, double kept) const {
    const PlacedInstance &a = moved_[pair.moved], &b = rest_[pair.rest];
    const Rules& rules = options.rules;
    const Rule* const rule =
        rules.empty() ? nullptr : rules.find(scene_.assembly().path(a.node), scene_.assembly().path(b.node));
    double more = 0;
    if (rule != nullptr && rule->action == RuleAction::clearance)
      more = std::max(0.0, rule->distance - options.clearance);
    const PosedModel first{borrowed(scene_.modelOf(a.node)), a.worldFromPart},
        second{borrowed(scene_.modelOf(b.node)), b.worldFromPart};
    if (options.exactShapes) more += largestChordError(first) + largestChordError(second);
    if (!(more > 0) || boxDistance(a, b) > kept + more) return more;
    return fitup::distance(first, second).distance() > kept + more ? more : 0;
  }

  /// Of the boxes of the moved instances.
  [[nodiscard]] std::vector<Vec3> cornersAt(const RigidMotion& pose) const {
    std::vector<Vec3> corners;
    const Transform placed = pose.transform();
    for (const auto& some : corners_)
      for (const Vec3& corner : some) corners.push_back(placed.apply(corner));
    return corners;
  }

  void place(const RigidMotion& pose) {
    for (std::size_t i = 0; i < moved_.size(); ++i)
      at_[i] = placedInstance(scene_.assembly(), moved_[i].node, pose.transform() * moved_[i].worldFromPart);
  }

  Kind kindOf(std::uint32_t k) {
    Pair& pair = pairs_[k];
    if (pair.kind == Kind::unknown) {
      const DragLimit limit = guard_->limitOf(k);
      pair.kind = limit.depth || limit.isFree ? Kind::guarded : Kind::apart;
      pair.clearance = limit.distance + pair.more;
      pair.room = room_;
    }
    return pair.kind;
  }

  Scene scene_;
  Vec3 centre_;
  Box restBox_;
  double size_ = 0, reserve_ = 0, clearance_ = 0;
  std::vector<PlacedInstance> moved_, rest_, at_;
  std::vector<std::array<Vec3, 8>> corners_;  ///< of moved instances at the start
  std::vector<Pair> pairs_;                   ///< as those of the guard
  std::optional<DragGuard> guard_;            ///< of pairs in contact at the start
  std::optional<SlideContacts> contacts_;
  std::optional<MeanDisplacement> displacement_;
  std::vector<QueryContext> contexts_;  ///< of pairs that keep a distance
  double room_ = 0;
  std::vector<Held> held_;  ///< of the slide under way
  std::size_t checks_ = 0, work_ = 0;
};

FreeSpace::FreeSpace(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                     const FreeSpaceOptions& options, const Progress& progress)
    : impl_(std::make_unique<Impl>(scene, poses, moved, options, progress)) {}
FreeSpace::~FreeSpace() = default;
FreeSpace::FreeSpace(FreeSpace&&) noexcept = default;
FreeSpace& FreeSpace::operator=(FreeSpace&&) noexcept = default;

const Vec3& FreeSpace::centre() const noexcept { return impl_->centre(); }
double FreeSpace::size() const noexcept { return impl_->size(); }
double FreeSpace::gyration() const noexcept { return impl_->gyration(); }
double FreeSpace::room() const noexcept { return impl_->room(); }
const Box& FreeSpace::rest() const noexcept { return impl_->rest(); }
bool FreeSpace::admit(const RigidMotion& pose) { return impl_->admit(pose); }
bool FreeSpace::hasRoom(const RigidMotion& pose) { return impl_->hasRoom(pose); }
FreeStep FreeSpace::go(const RigidMotion& from, const RigidMotion& to) { return impl_->go(from, to); }
bool FreeSpace::isFree(const RigidMotion& from, const RigidMotion& to) { return impl_->isFree(from, to); }
std::vector<RigidMotion> FreeSpace::slide(const RigidMotion& from, const RigidMotion& to, double length,
                                          std::size_t mostSteps) {
  return impl_->slide(from, to, length, mostSteps);
}
double FreeSpace::roomAt(const RigidMotion& pose, double most) { return impl_->roomAt(pose, most); }
RigidMotion FreeSpace::withdrawn(const RigidMotion& pose, double most) {
  return impl_->withdrawn(pose, most);
}
std::optional<RigidMotion> FreeSpace::retracted(const RigidMotion& pose, double most) {
  return impl_->retracted(pose, most);
}
double FreeSpace::tolerance() { return impl_->tolerance(); }
double FreeSpace::distance(const RigidMotion& a, const RigidMotion& b) const { return impl_->distance(a, b); }
std::size_t FreeSpace::checks() const noexcept { return impl_->checks(); }
std::size_t FreeSpace::work() const noexcept { return impl_->work(); }

}  // namespace fitup
