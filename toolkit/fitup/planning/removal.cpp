#include <fitup/planning/removal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/planning/detail/pose_race.h>
#include <fitup/planning/detail/relief_search.h>
#include <fitup/planning/detail/removal_directions.h>
#include <fitup/planning/detail/way_tester.h>

namespace fitup {
namespace {

using detail::TestedWay;
using detail::WayCandidates;
using detail::WayDirection;
using detail::WayPiece;
using detail::WayTester;

/// Of the size of what moves: shorter pieces lead nowhere, and poses that differ by less are one pose.
constexpr double leastPiece = 1e-3;
/// Of the size of what moves, and in resolutions: how far before a stop a piece ends. A part that is about to
/// touch a wall cannot be shown to slide along it in few steps.
constexpr double keptBeforeStop = 2e-3, resolutionsBeforeStop = 64;
/// Where pieces end, in shares of what is free: first at the end, later on the way.
constexpr std::array sharesOfPiece{1.0, 0.5, 0.75, 0.25};
/// Turns of the first piece, in degrees.
constexpr std::array turnsToTry{90.0, -90.0, 45.0, -45.0, 30.0, -30.0, 60.0, -60.0, 180.0};
/// Screws turn no farther.
constexpr double mostScrewDegrees = 360 * 400.0;
/// Later pieces do not begin in a direction with normal . direction below minus this at a contact.
constexpr double intoContact = 0.02;
/// Ways of two pieces from the ends and the middles of straight ones come before ways that begin with a turn.
constexpr std::size_t rankOfTurns = 2;
constexpr std::size_t mostInTheWay = 8;
/// Of all work and time: until when a way with larger tolerances is looked for, after the first attempt.
constexpr double untilRelaxed = 0.3;
/// A search among poses with this room (`FreeSpaceOptions::room`), of the size of what moves, which ends when
/// this share of all work and time is over. What is found with more room is found much sooner; narrow places
/// need less.
struct Attempt {
  double roomOfSize, until;
};
constexpr std::array attempts{Attempt{1.0 / 400, 0.15}, Attempt{1.0 / 1600, 0.6}, Attempt{1.0 / 6400, 1}};

bool areParallel(const Vec3& a, const Vec3& b) { return norm(cross(a, b)) < 1e-6; }

/// A pose that can be reached: the beginning of ways.
struct Node {
  std::size_t rank = 0;   ///< nodes of lower ranks are tried first
  std::size_t order = 0;  ///< then those that were found first
  std::vector<WayPiece> pieces;
  bool operator<(const Node& other) const noexcept {  // the greatest comes first out of a queue
    return std::pair(rank, order) > std::pair(other.rank, other.order);
  }
};

class Removal {
 public:
  Removal(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
          const RemovalOptions& options, const Progress& progress)
      : scene_(scene),
        poses_(poses),
        options_(options),
        progress_(progress),
        tester_(scene, poses, moved, options, progress) {
    if (options.goal && !options.goal->isRigid())
      throw InputError("way out", "goal", "is not a rigid motion");
    if (options.searches < 1 || options.searches > mostRemovalSearches)
      throw InputError("way out", "searches " + std::to_string(options.searches),
                       "must be at least 1 and at most " + std::to_string(mostRemovalSearches));
    for (std::size_t k = 0; k < options.guides.size(); ++k)
      if (!options.guides[k].isRigid())
        throw InputError("way out", "guide " + std::to_string(k + 1), "is not a rigid motion");
    if (!options.guides.empty() && !options.search)
      throw InputError("way out", "guides", "only a search among poses follows them");
  }

  RemovalReport run() {
    const auto began = std::chrono::steady_clock::now();
    try {
      search();
    } catch (const CancelledError&) {
      report_.status = ReportStatus::cancelled;
    }
    report_.status = std::max(report_.status, tester_.status());
    conclude();
    if (isCertain()) report_.profile = tester_.profileOf(report_.way->certificate);
    report_.tried = tester_.tried();
    report_.queries = tester_.queries();
    report_.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    return std::move(report_);
  }

 private:
  void search() {
    const std::vector<NodeId>& instances = tester_.instances();
    report_.places =
        contactPlaces(scene_, poses_, instances, {options_.tolerance, options_.rules}, progress_);
    report_.freedom = contactFreedom(scene_, poses_, instances, report_.places);
    candidates_ = detail::wayCandidates(scene_, poses_, instances, report_.places);
    if (options_.guides.empty()) {
      if (isAtGoal()) return;
      tryPieces();
    }
    // Before the search among poses, which may take all the time.
    if (!isCertain()) findWitnesses();
    if (!isCertain() && options_.search && !tester_.isOver()) searchPoses();
    if (!isCertain() && !tester_.isOver()) findReliefs();
    if (isCertain()) report_.witnesses.clear();
  }

  /// Straight ways, and ways of several pieces.
  void tryPieces() {
    tryStraight();
    tryScrews();
    while (!isDone()) {
      // Turns in contact take long to certify, and few parts need one.
      if (!hasTurned_ && (nodes_.empty() || nodes_.top().rank >= rankOfTurns)) tryTurns();
      if (nodes_.empty()) break;
      const Node node = nodes_.top();
      nodes_.pop();
      expand(node);
    }
    if (!isCertain() && tester_.tried() >= options_.maxWays) report_.status = ReportStatus::truncated;
  }

  /// Ways among poses that pass the guides.
  void searchPoses() {
    detail::PoseRace race(scene_, poses_, options_, candidates_, tester_, progress_);
    for (const Attempt& attempt : attempts) {
      const std::vector<RigidMotion> poses = race.find(attempt.roomOfSize * tester_.size(), attempt.until);
      report_.search = race.done();
      searchStops_ = race.stops();
      if (poses.size() > 1) {
        std::vector<WayPiece> pieces;
        for (std::size_t k = 1; k < poses.size(); ++k) pieces.push_back({{}, {}, poses[k]});
        (void)consider(pieces, test(pieces));
      }
      report_.status = isCertain() ? ReportStatus::complete : ReportStatus::truncated;
      if (isCertain() || tester_.isOver()) return;
      if (&attempt == &attempts.front()) race.findRelaxed(attempt.roomOfSize * tester_.size(), untilRelaxed);
    }
  }

  /// With nothing else in the scene, and for parts that are out, no motion is needed.
  bool isAtGoal() {
    const bool isThere =
        options_.goal ? *options_.goal == RigidMotion{} : tester_.lengthOut({}, {0, 0, 1}).value_or(0) == 0;
    if (isThere) (void)consider({}, test({}));
    return isThere;
  }

  /// Tests a way, and shows whoever watches how far it is certain.
  TestedWay test(std::span<const WayPiece> pieces) {
    TestedWay tested = tester_.test(pieces);
    if (options_.watch) {
      std::vector<WayPiece> certain(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                         tested.piece + 1, pieces.size())));
      if (!certain.empty() && certain.back().to && tested.share < 1)
        certain.pop_back();
      else if (!certain.empty())
        certain.back() = certain.back().shortened(tested.share);
      options_.watch({tester_.endOf(certain), seen_.size(), tester_.tried()});
    }
    return tested;
  }

  [[nodiscard]] bool isCertain() const {
    return report_.way && report_.way->answer() == CertifyAnswer::certain;
  }
  [[nodiscard]] bool isDone() {
    if (isCertain() && !options_.shortest) return true;
    return tester_.isOver() || tester_.tried() >= options_.maxWays;
  }

  /// Takes the way if it is better than the one that is known. True if it is not stopped.
  bool consider(std::span<const WayPiece> pieces, TestedWay&& tested) {
    const CertifyAnswer answer = tested.report.answer();
    if (answer == CertifyAnswer::violated) {
      if (tested.report.violation) {
        const MotionContact& stop = *tested.report.violation;
        ++hints_[{stop.a, stop.b, stop.nearest.surfaces}];
      }
      return false;
    }
    // A way whose certificate ran out of time is none.
    if (answer == CertifyAnswer::undecided && tester_.isOver()) return true;
    const double length = tester_.lengthOf(pieces);
    const bool isBetter =
        !report_.way || (answer == CertifyAnswer::certain && (!isCertain() || length < report_.length));
    if (isBetter) {
      report_.way = std::move(tested.report);
      report_.length = length;
    }
    return true;
  }

  /// Adds the poses on a piece that is free up to a share of it.
  void addNodes(std::span<const WayPiece> before, const WayPiece& piece, double share, std::size_t rank,
                double resolution) {
    const double length = tester_.lengthOf(std::array{piece}) * share, size = tester_.size();
    const bool isTurn = piece.turn && piece.turn->advance == 0;
    const double kept = std::max(keptBeforeStop * size, resolutionsBeforeStop * resolution);
    const std::size_t pieces = before.size() + 1;
    if (pieces >= options_.maxPieces) return;
    if (!isTurn && length - kept < leastPiece * size) return;
    if (isTurn && share < 1) return;
    for (std::size_t k = 0; k < (isTurn ? 1 : sharesOfPiece.size()); ++k) {
      const double to = isTurn ? 1 : (length - kept) / length * share * sharesOfPiece[k];
      Node node{rank + k, order_, {before.begin(), before.end()}};
      node.pieces.push_back(piece.shortened(to));
      if (!isNew(tester_.endOf(node.pieces))) continue;
      ++order_;
      nodes_.push(std::move(node));
    }
  }

  /// False for a pose near to one that ways begin from already.
  bool isNew(const RigidMotion& pose) {
    const double cell = 4 * leastPiece * tester_.size();
    const auto cellOf = [](double value, double size) { return std::llround(value / size); };
    const double sign = pose.rotation.w < 0 ? -1 : 1;
    return seen_
        .insert({cellOf(pose.translation.x, cell), cellOf(pose.translation.y, cell),
                 cellOf(pose.translation.z, cell), cellOf(sign * pose.rotation.x, 0.01),
                 cellOf(sign * pose.rotation.y, 0.01), cellOf(sign * pose.rotation.z, 0.01)})
        .second;
  }

  void tryStraight() {
    if (options_.goal) {
      const std::array way{WayPiece{{}, {}, options_.goal}};
      const Vec3 shift = options_.goal->translation;
      record(way, {norm(shift) > 0 ? normalized(shift) : Vec3{}, RemovalSource::goal, false, 0});
    }
    struct Try {
      WayDirection direction;
      double length;
    };
    std::vector<Try> tries;
    for (const WayDirection& d : candidates_.directions) {
      const double length = lengthToTry({}, d.direction);
      if (length > 0 && std::isfinite(length)) tries.push_back({d, length});
    }
    std::ranges::stable_sort(tries, {}, [&](const Try& t) {
      return std::tuple(!t.direction.keepsContacts, -std::round(t.direction.opening * 1e6),
                        std::round(t.length / (leastPiece * tester_.size())));
    });
    for (const Try& t : tries) {
      if (isDone()) return;
      if (options_.shortest && !options_.goal && isCertain() && t.length >= report_.length) continue;
      progress_.report("looking for a way out",
                       static_cast<double>(report_.directions.size()) / static_cast<double>(tries.size()));
      record(std::array{WayPiece{t.length * t.direction.direction}}, t.direction);
    }
  }

  /// On the way to a goal, parts that are out already go as far as everything else is large.
  [[nodiscard]] double lengthToTry(const RigidMotion& from, const Vec3& direction) const {
    const double out = tester_.lengthOut(from, direction).value_or(0);
    return out > 0 || !options_.goal ? out : tester_.restSize() + tester_.size();
  }

  /// Tries a way of one piece.
  void record(std::span<const WayPiece> way, const WayDirection& d) {
    TestedWay tested = test(way);
    RemovalDirection& entry = report_.directions.emplace_back();
    entry.direction = d.direction;
    entry.source = d.source;
    entry.keepsContacts = d.keepsContacts;
    entry.wanted = tester_.lengthOf(way);
    entry.reached = entry.wanted * tested.share;
    entry.answer = tested.report.answer();
    entry.stop = tested.report.violation;
    if (excluded_.empty()) excluded_ = tested.report.certificate.excluded;
    if (!way.front().to) addNodes({}, way.front(), tested.share, 0, tested.report.resolution);
    pieces_.emplace_back(way.begin(), way.end());
    if (!options_.goal || way.front().to) (void)consider(way, std::move(tested));
  }

  /// Turns the moved parts out along their threads.
  void tryScrews() {
    for (const detail::WayScrew& screw : candidates_.screws)
      for (const double sense : {1.0, -1.0}) {
        if (isDone()) return;
        const Vec3 direction = sense * normalized(screw.direction);
        const double length = lengthToTry({}, direction);
        if (!(length > 0) || !std::isfinite(length)) continue;
        WayPiece piece;
        piece.turn = AxisTurn{screw.point, direction, 360 * length / screw.pitch, length};
        if (std::abs(piece.turn->degrees) > mostScrewDegrees) continue;
        record(std::array{piece}, {direction, RemovalSource::screw, false, 0});
        report_.directions.back().degrees = piece.turn->degrees;
      }
  }

  void tryTurns() {
    hasTurned_ = true;
    if (options_.maxPieces < 2) return;
    for (const detail::WayAxis& axis : candidates_.axes)
      for (const double degrees : turnsToTry) {
        if (isDone()) return;
        WayPiece piece;
        piece.turn = AxisTurn{axis.point, axis.direction, degrees, 0};
        const TestedWay tested = test(std::array{piece});
        if (tested.report.answer() == CertifyAnswer::certain)
          addNodes({}, piece, 1, rankOfTurns, tested.report.resolution);
      }
  }

  /// Tries all ways that go on from a node by one straight piece.
  void expand(const Node& node) {
    progress_.report("looking for a way out in several pieces",
                     static_cast<double>(tester_.tried()) / static_cast<double>(options_.maxWays));
    const RigidMotion from = tester_.endOf(node.pieces);
    std::vector<WayPiece> pieces = node.pieces;
    pieces.emplace_back();
    Poses there = poses_;
    for (const NodeId instance : tester_.instances())
      there.set(instance, from.transform() * scene_.worldFromPart(instance, poses_));
    const std::vector<ContactPlace> places =
        contactPlaces(scene_, there, tester_.instances(), {options_.tolerance, options_.rules}, progress_);
    if (options_.goal) {
      pieces.back() = WayPiece{{}, {}, options_.goal};
      if (consider(pieces, test(pieces))) return;
    }
    for (const WayDirection& d : candidates_.directions) {
      if (isDone()) return;
      const WayPiece& last = node.pieces.back();
      if (!last.turn && areParallel(normalized(last.shift), d.direction)) continue;
      // Into a contact it leads not far, and that takes long to show.
      if (std::ranges::any_of(places, [&](const ContactPlace& place) {
            return dot(place.normal, d.direction) < -intoContact;
          }))
        continue;
      const double length = lengthToTry(from, d.direction);
      if (!(length > 0) || !std::isfinite(length)) continue;
      pieces.back() = WayPiece{length * d.direction};
      TestedWay tested = test(pieces);
      const double share = tested.piece + 1 == pieces.size() ? tested.share : 0;
      const double resolution = tested.report.resolution;
      const bool isFree = !options_.goal && consider(pieces, std::move(tested));
      if (!isFree) addNodes(node.pieces, pieces.back(), share, node.rank + 1, resolution);
    }
  }

  /// Positions of the stopped directions that get farthest.
  [[nodiscard]] std::vector<std::size_t> farthest(std::size_t most) const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < report_.directions.size(); ++i)
      if (report_.directions[i].answer == CertifyAnswer::violated &&
          (!options_.goal || report_.directions[i].source == RemovalSource::goal))
        order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
      const RemovalDirection& d = report_.directions[i];
      return std::pair(!d.keepsContacts, -d.reached / d.wanted);
    });
    if (order.size() > most) order.resize(most);
    return order;
  }

  /// For the directions that get farthest, the instances that are in the way.
  void findWitnesses() {
    for (const std::size_t i : farthest(options_.witnessDirections)) {
      if (tester_.isOver()) break;
      if (auto without = inTheWay(pieces_[i], *report_.directions[i].stop))
        report_.witnesses.push_back({i, std::move(*without)});
    }
    std::ranges::stable_sort(report_.witnesses, {},
                             [](const RemovalWitness& witness) { return witness.without.size(); });
  }

  /// For the same, the faces that need to yield.
  void findReliefs() {
    std::vector<detail::StoppedWay> ways;
    for (const std::size_t i : farthest(options_.reliefDirections))
      ways.push_back({i, pieces_[i], &*report_.directions[i].stop,
                      report_.directions[i].reached / report_.directions[i].wanted});
    report_.reliefs = detail::findReliefs(scene_, poses_, tester_, ways, options_, progress_);
  }

  /// The instances without which a way is certain, if they are few.
  std::optional<std::vector<NodeId>> inTheWay(std::span<const WayPiece> pieces, const MotionContact& first) {
    const std::vector<NodeId>& moved = tester_.instances();
    const auto otherOf = [&](NodeId a, NodeId b) { return std::ranges::binary_search(moved, a) ? b : a; };
    std::vector<NodeId> without{otherOf(first.a, first.b)};
    while (!tester_.isOver()) {
      const TestedWay tested = tester_.test(pieces, without);
      if (tested.report.answer() == CertifyAnswer::certain) {
        // A path with '*' as a pattern may match other instances, which this says nothing about.
        for (const auto& pair : tested.report.certificate.excluded)
          if (std::ranges::find(without, otherOf(pair.first, pair.second)) == without.end() &&
              std::ranges::find(excluded_, pair) == excluded_.end())
            return std::nullopt;
        std::ranges::sort(without);
        return without;
      }
      if (!tested.report.violation || without.size() == mostInTheWay) return std::nullopt;
      without.push_back(otherOf(tested.report.violation->a, tested.report.violation->b));
    }
    return std::nullopt;
  }

  void conclude() {
    if (isCertain()) {
      report_.answer = RemovalAnswer::certain;
      return;
    }
    report_.answer = report_.way || report_.status == ReportStatus::cancelled ? RemovalAnswer::undecided
                                                                              : RemovalAnswer::notFound;
    for (const auto& [key, count] : searchStops_) hints_[key] += count;
    for (const auto& [key, count] : hints_) {
      const auto& [a, b, surfaces] = key;
      report_.hints.push_back({a, b, surfaces, count});
    }
    std::ranges::stable_sort(report_.hints, std::greater{}, &RemovalHint::count);
  }

  const Scene& scene_;
  const Poses& poses_;
  const RemovalOptions& options_;
  const Progress& progress_;
  WayTester tester_;
  WayCandidates candidates_;
  RemovalReport report_;
  std::vector<std::vector<WayPiece>> pieces_;  ///< by position in `RemovalReport::directions`
  std::vector<std::pair<NodeId, NodeId>> excluded_;
  std::priority_queue<Node> nodes_;
  std::size_t order_ = 0;
  bool hasTurned_ = false;
  std::set<std::array<long long, 6>> seen_;
  std::map<detail::RemovalFaces, std::size_t> hints_, searchStops_;
};

}  // namespace

std::string_view name(RemovalSource source) noexcept {
  switch (source) {
    case RemovalSource::contactFace:
      return "contact face";
    case RemovalSource::ownFace:
      return "own face";
    case RemovalSource::partAxis:
      return "part axis";
    case RemovalSource::worldAxis:
      return "world axis";
    case RemovalSource::goal:
      return "goal";
    case RemovalSource::screw:
      return "screw";
  }
  return "unknown";
}

std::string_view name(RemovalAnswer answer) noexcept {
  switch (answer) {
    case RemovalAnswer::certain:
      return "certain";
    case RemovalAnswer::notFound:
      return "not found";
    case RemovalAnswer::undecided:
      return "undecided";
  }
  return "unknown";
}

RemovalReport findRemoval(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                          const RemovalOptions& options, const Progress& progress) {
  return Removal(scene, poses, moved, options, progress).run();
}

}  // namespace fitup
