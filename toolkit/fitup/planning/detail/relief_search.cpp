#include <fitup/planning/detail/relief_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fitup/motion/replay.h>
#include <fitup/planning/detail/set_back_scene.h>
#include <fitup/query/distance.h>

namespace fitup::detail {
namespace {

constexpr std::size_t mostYielding = 3;
/// Faces that are tried at a stop, and combinations with which the search for a further face goes on.
constexpr std::size_t mostFacesAtStop = 8, mostBranches = 3;
/// Ways that are certified for one relief, and for all; distances for one of these ways, and for all.
constexpr std::size_t mostWaysOfRelief = 150, mostWaysOfReliefs = 160, mostQueriesOfChanged = 2'000,
                      mostQueriesOfReliefs = 40'000;
/// A bisection ends when it is as near as this share of the offset, or of the size of what moves.
constexpr double ofOffset = 0.01, ofSize = 1e-4;
/// The same where a way takes many distances, and how many ways may be left undecided.
constexpr double enoughOfSize = 5e-4;
constexpr std::size_t manyQueries = 500, mostUndecided = 2;
/// Of the size of what moves: faces this near to each other, beyond those that stop the way, stop it as well.
constexpr double alsoNearOfSize = 1e-4;
/// How much more than what is certainly enough a face yields at first, of that and of the size of what moves.
constexpr double spareShare = 0.02, spareOfSize = 5e-3;
/// Of the size of what moves: a face that needs to yield by more is no face that needs to yield, it is in the
/// way.
constexpr double largestOfSize = 0.25;
/// Share of a way by which another one gets as far.
constexpr double sameReach = 1e-3;
/// Of the offset at which a triangle turns over.
constexpr double keptOfTurnOver = 0.97;

double sumOfOffsets(std::span<const ReliefFace> faces) {
  return std::accumulate(faces.begin(), faces.end(), 0.0,
                         [](double sum, const ReliefFace& face) { return sum + face.offset; });
}

bool isBetter(const RemovalRelief& a, const RemovalRelief& b) {
  return std::pair(a.faces.size(), sumOfOffsets(a.faces)) < std::pair(b.faces.size(), sumOfOffsets(b.faces));
}

/// Faces that are set back, and what stops the way then.
struct ReliefBranch {
  std::vector<ReliefFace> faces;
  MotionContact stop;
  double reached = 0;       ///< share of the way
  std::vector<NodeId> met;  ///< instances that are not moved, of all stops so far
};

class ReliefSearch {
 public:
  ReliefSearch(const Scene& scene, const Poses& poses, WayTester& tester, const RemovalOptions& options)
      : scene_(scene),
        poses_(poses),
        tester_(tester),
        options_(options),
        setBack_(scene, poses),
        triedBefore_(tester.tried()),
        queriesBefore_(tester.queries()),
        accuracy_(ofSize * tester.size()) {}

  [[nodiscard]] bool isOver() {
    return tester_.tried() - triedBefore_ >= mostWaysOfReliefs ||
           tester_.queries() - queriesBefore_ >= mostQueriesOfReliefs || tester_.isOver();
  }

  std::optional<RemovalRelief> find(const StoppedWay& way, bool ofMoved) {
    way_ = &way;
    ofMoved_ = ofMoved;
    waysBefore_ = tester_.tried();
    best_.reset();
    groups_ = resolve(tester_.trackOf(way.pieces), scene_.assembly());
    std::vector<ReliefBranch> branches{{{}, *way.stop, way.reached, {restOf(*way.stop)}}};
    for (std::size_t count = 1; count <= mostYielding && !best_; ++count) {
      std::vector<ReliefBranch> next;
      for (const ReliefBranch& branch : branches) {
        const std::vector<SurfaceId> near = nearAt(branch);
        for (const ReliefFace& face : candidatesAt(branch, near)) {
          if (isWayOver()) return best_;
          tryFace(branch, near, face, next);
        }
      }
      // Those that have got past most instances come first, then those that get farthest.
      std::ranges::stable_sort(next, {}, [](const ReliefBranch& branch) {
        return std::tuple(-static_cast<double>(branch.met.size()), -std::round(branch.reached / sameReach),
                          sumOfOffsets(branch.faces));
      });
      if (next.size() > mostBranches) next.resize(mostBranches);
      branches = std::move(next);
    }
    return best_;
  }

 private:
  [[nodiscard]] bool isWayOver() { return tester_.tried() - waysBefore_ >= mostWaysOfRelief || isOver(); }
  [[nodiscard]] bool isMoved(NodeId node) const {
    return std::ranges::binary_search(tester_.instances(), node);
  }
  /// The instance of the stop whose faces may yield, and the other one.
  [[nodiscard]] std::pair<NodeId, NodeId> sidesOf(const MotionContact& stop) const {
    return isMoved(stop.a) == ofMoved_ ? std::pair(stop.a, stop.b) : std::pair(stop.b, stop.a);
  }

  [[nodiscard]] NodeId restOf(const MotionContact& stop) const { return isMoved(stop.a) ? stop.b : stop.a; }

  /// Empty if a triangle would turn over. Looks only at pairs with `only`, unless it is empty.
  std::optional<TestedWay> test(std::span<const ReliefFace> faces, std::span<const NodeId> only) {
    const std::optional<Scene> changed = setBack_.with(faces);
    if (!changed) return std::nullopt;
    return tester_.testIn(*changed, way_->pieces, std::min(options_.maxQueriesPerWay, mostQueriesOfChanged),
                          only);
  }
  [[nodiscard]] bool isCertain(std::span<const ReliefFace> faces, std::span<const NodeId> only) {
    const std::optional<TestedWay> tested = test(faces, only);
    return tested && tested->report.answer() == CertifyAnswer::certain;
  }

  void tryFace(const ReliefBranch& branch, std::span<const SurfaceId> near, ReliefFace face,
               std::vector<ReliefBranch>& next) {
    std::vector<ReliefFace> faces = branch.faces;
    if (best_) {  // only what is clearly better
      face.offset = std::min(face.offset, (1 - ofOffset) * sumOfOffsets(best_->faces));
    }
    faces.push_back(std::move(face));
    // Most faces do not help. What has stopped the way so far shows it soonest.
    std::optional<TestedWay> tested = test(faces, branch.met);
    if (tested && tested->report.answer() == CertifyAnswer::certain) tested = test(faces, {});
    if (!tested) return;
    const CertifyReport& report = tested->report;
    if (report.answer() == CertifyAnswer::certain) {
      if (auto relief = reduced(std::move(faces), branch.met);
          relief && (!best_ || isBetter(*relief, *best_)))
        best_ = std::move(relief);
    } else if (report.violation) {
      ReliefBranch further{std::move(faces), *report.violation,
                           static_cast<double>(tested->piece) + tested->share, branch.met};
      // A face that is still in the way, or was not in it, is no help.
      const ReliefFace& last = further.faces.back();
      const bool hasOther = std::ranges::find(branch.met, restOf(further.stop)) == branch.met.end();
      const auto isAmong = [&](std::span<const SurfaceId> surfaces) {
        return std::ranges::any_of(surfaces,
                                   [&](SurfaceId s) { return std::ranges::binary_search(last.surfaces, s); });
      };
      if (!hasOther && further.reached <= branch.reached + sameReach && !isAmong(near)) return;
      if (!hasOther && last.instance == sidesOf(further.stop).first && isAmong(nearAt(further))) return;
      if (hasOther) further.met.push_back(restOf(further.stop));
      next.push_back(std::move(further));
    }
  }

  /// Makes the offsets smaller, one after the other. Empty if the changed parts are not sound.
  ///
  /// Smaller offsets change no pairs but those of the changed instances. If these rest, it is enough to look
  /// at them. Otherwise `met` are looked at first, and everything in the end.
  std::optional<RemovalRelief> reduced(std::vector<ReliefFace> faces, const std::vector<NodeId>& met) {
    for (const bool all : {false, true}) {
      RemovalRelief relief = reducedBy(faces, all ? std::vector<NodeId>{} : met);
      if (all || isCertain(relief.faces, {})) {
        const std::optional<Scene> changed = setBack_.with(relief.faces);
        if (!changed || !setBack_.isSound(*changed, relief.faces)) return std::nullopt;
        return relief;
      }
      if (isWayOver()) break;
    }
    return std::nullopt;
  }

  RemovalRelief reducedBy(std::vector<ReliefFace> faces, std::span<const NodeId> only) {
    for (std::size_t k = 0; faces.size() > 1 && k < faces.size();) {
      std::vector<ReliefFace> fewer = faces;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (isCertain(fewer, only))
        faces = std::move(fewer);
      else
        ++k;
    }
    RemovalRelief relief{way_->direction, {}, 0};
    for (ReliefFace& face : faces) {
      double low = 0, high = face.offset;
      double nearEnough = accuracy_;
      std::size_t undecided = 0;
      while (high - low > std::max(ofOffset * high, nearEnough) && undecided < mostUndecided &&
             !isWayOver()) {
        // Small offsets are found by steps of growing width.
        const double from = std::max(low, accuracy_);
        face.offset = high > 4 * from ? std::sqrt(from * high) : 0.5 * (low + high);
        const std::optional<TestedWay> tested = test(faces, only);
        const CertifyAnswer answer = tested ? tested->report.answer() : CertifyAnswer::violated;
        (answer == CertifyAnswer::certain ? high : low) = face.offset;
        // With little room, it takes long to show that the way is free; with less, even longer.
        if (answer == CertifyAnswer::undecided) ++undecided;
        if (tested && tested->report.queries > manyQueries)
          nearEnough = std::max(nearEnough, enoughOfSize * tester_.size());
      }
      face.offset = high;
      relief.accuracy = std::max(relief.accuracy, high - low);
    }
    relief.faces = std::move(faces);
    return relief;
  }

  /// Surfaces of the instance whose faces may yield, that are at the stop of a way.
  [[nodiscard]] std::vector<SurfaceId> nearAt(const ReliefBranch& branch) {
    const MotionContact& stop = branch.stop;
    const auto [instance, other] = sidesOf(stop);
    const std::optional<Scene> scene = setBack_.with(branch.faces);
    std::set<SurfaceId> near{instance == stop.a ? stop.nearest.surfaces.a : stop.nearest.surfaces.b};
    if (scene && stop.poses.size() == groups_.size()) {
      Poses there = poses_;
      for (std::size_t g = 0; g < groups_.size(); ++g)
        for (const NodeId node : groups_[g].instances)
          there.set(node, stop.poses[g].transform() * scene->designPlacement(node));
      QueryContext context;
      const double within = stop.nearest.distance + alsoNearOfSize * tester_.size();
      const SurfaceDistanceReport found =
          surfacePairsWithin(scene->posed(instance, there), scene->posed(other, there), within, {}, context);
      for (const NearestPair& pair : found.pairs) near.insert(pair.surfaces.a);
    }
    return {near.begin(), near.end()};
  }

  /// Faces that may be in the way at the stop, with offsets after which they are not, or as large as their
  /// part allows. The least offset first.
  std::vector<ReliefFace> candidatesAt(const ReliefBranch& branch, std::vector<SurfaceId> surfaces) {
    const auto [instance, other] = sidesOf(branch.stop);
    SetBackPart* const part = setBack_.partOf(instance);
    if (part == nullptr) return {};
    // A part that comes from the front needs room at the side.
    for (const SurfaceId surface : part->neighbours(surfaces)) surfaces.push_back(surface);
    std::set<SurfaceId> seen;
    for (const ReliefFace& face : branch.faces)
      if (face.instance == instance) seen.insert(face.surfaces.begin(), face.surfaces.end());
    const std::vector<Vec3> obstacle = obstacleOf(other);
    std::vector<ReliefFace> candidates;
    for (const SurfaceId surface : surfaces) {
      if (seen.contains(surface)) continue;
      ReliefFace face{instance, part->wholeFace(surface), 0};
      seen.insert(face.surfaces.begin(), face.surfaces.end());
      face.offset = enough(*part, face, obstacle, branch.stop);
      if (face.offset > 0) candidates.push_back(std::move(face));
    }
    std::ranges::stable_sort(candidates, {}, &ReliefFace::offset);
    if (candidates.size() > mostFacesAtStop) candidates.resize(mostFacesAtStop);
    for (ReliefFace& face : candidates) {
      const double most = setBack_.mostOffset(branch.faces, face, face.offset);
      face.offset = most < face.offset ? keptOfTurnOver * most : most;
    }
    std::erase_if(candidates, [&](const ReliefFace& face) { return face.offset <= accuracy_; });
    return candidates;
  }

  /// Points of what passes the faces, in the world as if they rested at their start: at the beginning and at
  /// the end of the way.
  std::vector<Vec3> obstacleOf(NodeId other) {
    const Transform end = tester_.endOf(way_->pieces).transform();
    const Transform last = ofMoved_ ? end.inverse() : end;
    std::vector<Vec3> points;
    const auto add = [&](NodeId node) {
      const TriangleMesh& mesh = scene_.assembly().meshOf(node);
      const Transform world = scene_.worldFromPart(node, poses_);
      for (std::uint32_t i = 0; i < mesh.points().size(); ++i) {
        const Vec3 point = world.apply(mesh.pointInPart(i));
        points.push_back(point);
        points.push_back(last.apply(point));
      }
    };
    if (ofMoved_)
      add(other);
    else
      std::ranges::for_each(tester_.instances(), add);
    return points;
  }

  /// An offset after which nothing of what passes is beyond the face. 0: nothing is as it is.
  double enough(SetBackPart& part, const ReliefFace& face, std::span<const Vec3> obstacle,
                const MotionContact& stop) {
    const Transform world = scene_.worldFromPart(face.instance, poses_), back = world.inverse();
    const double scale = *setBack_.scaleOf(face.instance);
    const double most =
        std::min(2 * scale * norm(part.mesh().bounds().halfExtent()), largestOfSize * tester_.size());
    const auto& shape = part.shape(face.surfaces.front());
    const bool isStraight = tester_.endOf(way_->pieces).rotation == Quaternion{};
    if (!shape || !isStraight) return most;
    double beyond = 0;
    if (shape->kind() == SurfaceKind::plane) {
      const Vec3 normal = part.outward(face.surfaces);
      const double sign = dot(normal, shape->normal({})) < 0 ? -1 : 1;
      for (const Vec3& point : obstacle)
        beyond = std::max(beyond, -sign * shape->distance(back.apply(point)));
    } else if (part.isHollow(face.surfaces.front())) {
      for (const Vec3& point : obstacle) beyond = std::max(beyond, shape->distance(back.apply(point)));
    } else {
      return most;
    }
    beyond *= scale;
    const double tolerance = options_.tolerance.value_or(0);
    if (beyond <= 0 && stop.clearance + tolerance <= 0) return 0;
    double more = std::max(stop.clearance, tolerance);
    if (options_.exactShapes)
      for (const NodeId node : {stop.a, stop.b})
        if (const auto& deflection = scene_.assembly().meshOf(node).deflection())
          more += deflection->linear * setBack_.scaleOf(node).value_or(1);
    return std::min(most, (1 + spareShare) * (beyond + more) + spareOfSize * tester_.size());
  }

  const Scene& scene_;
  const Poses& poses_;
  WayTester& tester_;
  const RemovalOptions& options_;
  SetBackScene setBack_;
  std::size_t triedBefore_, queriesBefore_, waysBefore_ = 0;
  double accuracy_;
  const StoppedWay* way_ = nullptr;
  bool ofMoved_ = false;
  std::vector<MovedGroup> groups_;
  std::optional<RemovalRelief> best_;
};

}  // namespace

std::vector<RemovalRelief> findReliefs(const Scene& scene, const Poses& poses, WayTester& tester,
                                       std::span<const StoppedWay> ways, const RemovalOptions& options,
                                       const Progress& progress) {
  ReliefSearch search(scene, poses, tester, options);
  std::vector<RemovalRelief> reliefs;
  std::size_t done = 0;
  for (const StoppedWay& way : ways)
    for (const bool ofMoved : {false, true}) {
      progress.report("looking for faces that need to yield",
                      static_cast<double>(done++) / static_cast<double>(2 * ways.size()));
      if (search.isOver()) break;
      if (auto relief = search.find(way, ofMoved)) reliefs.push_back(std::move(*relief));
    }
  std::ranges::stable_sort(reliefs, isBetter);
  return reliefs;
}

}  // namespace fitup::detail
