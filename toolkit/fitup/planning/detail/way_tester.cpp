#include <fitup/planning/detail/way_tester.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/geometry/box_corners.h>

namespace fitup::detail {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the size of what moves: how far apart the boxes are at the end of a way out.
constexpr double marginOfSize = 0.01;

RigidMotion motionFromDesign(const Scene& scene, NodeId instance, const Transform& worldFromPart) {
  const Transform motion = worldFromPart * scene.designPlacement(instance).inverse();
  RigidMotion rigid{rotationOf(motion), motion.t};
  const Transform back = rigid.transform();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (!(std::abs(back.m[i][k] - motion.m[i][k]) <= 1e-9))
        throw InputError("way out", scene.assembly().path(instance),
                         "its pose is no rigid motion from its design placement");
  return rigid;
}

}  // namespace

WayPiece WayPiece::shortened(double share) const {
  WayPiece piece = *this;
  piece.shift = share * shift;
  if (turn) {
    piece.turn->degrees *= share;
    piece.turn->advance *= share;
  }
  return piece;
}

WayTester::WayTester(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                     const RemovalOptions& options, const Progress& progress)
    : scene_(scene), poses_(poses), options_(options), progress_(progress) {
  const Assembly& assembly = scene.assembly();
  scene.requireInstances(poses);
  begin_ = Clock::now();
  deadline_ = deadlineOf(options.limits.timeBudget);
  std::set<NodeId> instances;
  bool isPosed = false;
  for (const NodeId node : moved)
    for (const NodeId instance : assembly.instancesBelow(node)) {
      instances.insert(instance);
      isPosed = isPosed || poses.find(instance) != nullptr;
    }
  if (instances.empty()) throw InputError("way out", "moved", "there is no instance to move");
  instances_.assign(instances.begin(), instances.end());
  if (isPosed || instances_.size() == 1) {
    for (const NodeId instance : instances_) {
      paths_.push_back(assembly.path(instance));
      const Transform* const pose = poses.find(instance);
      start_.push_back(pose == nullptr ? RigidMotion{} : motionFromDesign(scene, instance, *pose));
    }
  } else {
    for (const NodeId node : moved) {
      const bool isBelow = std::ranges::any_of(
          moved, [&](NodeId other) { return other != node && assembly.isAtOrBelow(node, other); });
      if (isBelow || std::ranges::find(paths_, assembly.path(node)) != paths_.end()) continue;
      paths_.push_back(assembly.path(node));
      start_.emplace_back();
    }
  }
  Box box;
  for (const NodeId node : scene.instances()) {
    const Box bounds = scene.worldBounds(node, poses);
    if (bounds.empty()) continue;
    if (!instances.contains(node)) {
      rest_.extend(bounds);
      continue;
    }
    box.extend(bounds);
    for (const Vec3& corner : cornersOf(bounds)) corners_.push_back(corner);
  }
  if (box.empty()) throw InputError("way out", paths_.front(), "has no triangles");
  centre_ = box.centre();
  size_ = 2 * norm(box.halfExtent());
  margin_ = options.clearance + marginOfSize * size_;
  modelHash_ = assembly.contentHash();
}

RigidMotion WayTester::endOf(std::span<const WayPiece> pieces) const {
  RigidMotion end;
  for (const WayPiece& piece : pieces) {
    if (piece.to)
      end = *piece.to;
    else if (piece.turn)
      end = piece.turn->at(1) * end;
    else
      end.translation = end.translation + piece.shift;
  }
  return end;
}

double WayTester::lengthOf(std::span<const WayPiece> pieces) const {
  double length = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Vec3 from = endOf(pieces.first(k)).transform().apply(centre_);
    const Vec3 to = endOf(pieces.first(k + 1)).transform().apply(centre_);
    if (const auto& turn = pieces[k].turn) {
      const Vec3 axis = normalized(turn->direction);
      const double radius = norm(cross(from - turn->point, axis));
      length += std::hypot(radius * std::abs(turn->degrees) * std::numbers::pi / 180, turn->advance);
    } else {
      length += norm(to - from);
    }
  }
  return length;
}

std::optional<double> WayTester::lengthOut(const RigidMotion& from, const Vec3& direction) const {
  if (rest_.empty()) return std::nullopt;
  const Transform motion = from.transform();
  Box box;
  for (const Vec3& corner : corners_) box.extend(motion.apply(corner));
  double least = std::numeric_limits<double>::infinity();
  const auto along = [&](double d, double low, double high, double restLow, double restHigh) {
    const double up = restHigh + margin_ - low, down = high - restLow + margin_;
    if (up <= 0 || down <= 0)
      least = 0;
    else if (d != 0)
      least = std::min(least, d > 0 ? up / d : down / -d);
  };
  along(direction.x, box.min.x, box.max.x, rest_.min.x, rest_.max.x);
  along(direction.y, box.min.y, box.max.y, rest_.min.y, rest_.max.y);
  along(direction.z, box.min.z, box.max.z, rest_.min.z, rest_.max.z);
  return least;
}

Track WayTester::trackOf(std::span<const WayPiece> pieces) const {
  Track track;
  track.name = "way out of " + paths_.front();
  if (paths_.size() > 1) track.name += " and others";
  track.unit = scene_.assembly().unit();
  track.modelHash = modelHash_;
  track.moved = paths_;
  const bool hasWays =
      std::ranges::any_of(pieces, [](const WayPiece& piece) { return piece.turn || piece.to; });
  for (std::size_t k = 0; k <= pieces.size(); ++k) {
    const RigidMotion end = endOf(pieces.first(k));
    std::vector<RigidMotion> step;
    std::vector<StepWay> ways;
    for (const RigidMotion& start : start_) {
      step.push_back(end * start);
      StepWay way;
      if (k > 0 && pieces[k - 1].turn) way.turn = pieces[k - 1].turn;
      // All paths turn about one centre, so that they stay one rigid group.
      if (k > 0 && pieces[k - 1].to) way.pivot = inverse(start).transform().apply(centre_);
      ways.push_back(way);
    }
    track.steps.push_back(std::move(step));
    if (hasWays) track.ways.push_back(std::move(ways));
  }
  return track;
}

Rules WayTester::rulesWithout(std::span<const NodeId> without) const {
  Rules rules = options_.rules;
  if (without.empty()) return rules;
  const Assembly& assembly = scene_.assembly();
  std::vector<Rule> first;
  for (const NodeId moved : instances_)
    for (const NodeId other : without) first.push_back({assembly.path(moved), assembly.path(other)});
  rules.prepend(first);
  return rules;
}

bool WayTester::isOver() {
  if (progress_.cancelled() || options_.limits.cancel.stop_requested())
    status_ = ReportStatus::cancelled;
  else if (deadline_ && Clock::now() >= *deadline_ && status_ == ReportStatus::complete)
    status_ = ReportStatus::truncated;
  return status_ != ReportStatus::complete;
}

bool WayTester::isOver(double share) {
  return isOver() || (deadline_ && Clock::now() >= begin_ + std::chrono::duration_cast<Clock::duration>(
                                                                share * (*deadline_ - begin_)));
}

QueryLimits WayTester::limitsLeft() const {
  QueryLimits limits = options_.limits;
  if (deadline_) limits.timeBudget = std::max(*deadline_ - Clock::now(), Clock::duration::zero());
  return limits;
}

WayProfile WayTester::profileOf(const Certificate& certificate) const {
  WayProfileOptions asked;
  asked.tolerance = options_.tolerance;
  asked.rules = options_.rules;
  asked.limits = limitsLeft();
  return wayProfile(scene_, poses_, certificate, asked, progress_);
}

double WayTester::shareOfTime() const {
  if (!deadline_) return 0;
  const double all = std::chrono::duration<double>(*deadline_ - begin_).count();
  const double passed = std::chrono::duration<double>(Clock::now() - begin_).count();
  return all > 0 ? std::clamp(passed / all, 0.0, 1.0) : 1;
}

TestedWay WayTester::test(std::span<const WayPiece> pieces, std::span<const NodeId> without) {
  return certified(scene_, trackOf(pieces), rulesWithout(without), options_.maxQueriesPerWay);
}

TestedWay WayTester::testIn(const Scene& changed, std::span<const WayPiece> pieces, std::size_t maxQueries,
                            std::span<const NodeId> only) {
  Track track = trackOf(pieces);
  track.modelHash = changed.assembly().contentHash();
  Rules rules = options_.rules;
  if (!only.empty() && !rules.check) {
    rules.check.emplace();
    for (const NodeId node : instances_) rules.check->a.push_back(scene_.assembly().path(node));
    for (const NodeId node : only) rules.check->b.push_back(scene_.assembly().path(node));
  }
  return certified(changed, track, std::move(rules), maxQueries);
}

TestedWay WayTester::certified(const Scene& scene, const Track& track, Rules rules, std::size_t maxQueries) {
  CertifyOptions asked;
  asked.clearance = options_.clearance;
  asked.tolerance = options_.tolerance;
  asked.resolution = options_.resolution;
  asked.exactShapes = options_.exactShapes;
  asked.rules = std::move(rules);
  asked.limits = limitsLeft();
  asked.maxQueries = maxQueries;
  TestedWay tested;
  // Its own phases would run from 0 to 1 for every way.
  const Progress silent(progress_.stopToken(), {}, [this] { (void)progress_.cancelled(); });
  tested.report = certify(scene, poses_, track, asked, silent);
  ++tried_;
  queries_ += tested.report.queries;
  const std::size_t pieces = track.steps.size() - 1;
  const double until = std::clamp(tested.report.certificate.certainUntil, 0.0, static_cast<double>(pieces));
  if (pieces > 0) {
    tested.piece = std::min(static_cast<std::size_t>(until), pieces - 1);
    tested.share = until - static_cast<double>(tested.piece);
  }
  (void)isOver();
  return tested;
}

}  // namespace fitup::detail
