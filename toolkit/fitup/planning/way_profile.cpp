#include <fitup/planning/way_profile.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/motion/contact_freedom.h>
#include <fitup/motion/motion_clearance.h>
#include <fitup/motion/track_poses.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the size of the moved parts: how near to a place of contact its faces are, besides the gap.
constexpr double nearOfSize = 1e-6;
/// Of the least distance that was seen: how near the bound on the least one shall be.
constexpr double leastShare = 1.0 / 32;
/// Of the size of the moved parts: the resolution of such a bound otherwise (`MotionClearanceOptions`).
constexpr double usualOfSize = 0x1p-10;
/// Of the cosine between a normal and a direction.
constexpr double sameFacing = 1e-6;
constexpr std::size_t mostTimesPerStep = 8;

class Profiler {
 public:
  Profiler(const Scene& scene, const Poses& poses, const Certificate& certificate,
           const WayProfileOptions& options, const Progress& progress)
      : scene_(scene),
        poses_(poses),
        certificate_(certificate),
        options_(options),
        progress_(progress),
        deadline_(deadlineOf(options.limits.timeBudget)),
        way_(certificate.track, scene.assembly()) {
    for (const MovedGroup& group : way_.groups())
      moved_.insert(moved_.end(), group.instances.begin(), group.instances.end());
    std::ranges::sort(moved_);
    Box box;
    for (const NodeId node : moved_) box.extend(scene.worldBounds(node, poses));
    size_ = box.empty() ? 0 : 2 * norm(box.halfExtent());
    for (const CertifiedPair& pair : certificate.pairs) {
      const bool moveAsOne = isMoved(pair.a) == isMoved(pair.b);
      hasContact_ = hasContact_ || (pair.contact && !moveAsOne);
      if (pair.contact || moveAsOne)
        left_.emplace_back(pair.a, pair.b);
      else
        apart_[pair.a].push_back(pair.b);
    }
  }

  WayProfile run() {
    const std::size_t steps = certificate_.track.steps.size();
    if (steps < 2) return {};
    const std::size_t perStep =
        std::clamp<std::size_t>(options_.mostTimes / (steps - 1), 1, mostTimesPerStep);
    for (std::size_t k = 0; k <= (steps - 1) * perStep && !isOver(); ++k) {
      progress_.report("measuring the way",
                       static_cast<double>(k) / static_cast<double>((steps - 1) * perStep));
      lookAt(static_cast<double>(k) / static_cast<double>(perStep));
    }
    if (!isOver()) findLeast();
    for (auto& [key, slide] : running_) profile_.slides.push_back(slide);
    std::ranges::stable_sort(profile_.slides, {}, [](const WaySlide& s) {
      return std::tuple(s.from, s.moved, s.rest, s.surfaces);
    });
    return std::move(profile_);
  }

 private:
  [[nodiscard]] bool isMoved(NodeId node) const { return std::ranges::binary_search(moved_, node); }
  bool isOver() {
    if (progress_.cancelled() || options_.limits.cancel.stop_requested())
      profile_.status = ReportStatus::cancelled;
    else if (deadline_ && Clock::now() >= *deadline_)
      profile_.status = ReportStatus::truncated;
    return profile_.status != ReportStatus::complete;
  }

  void lookAt(double time) {
    Poses there = poses_;
    const std::vector<RigidMotion> motions = way_.at(time);
    for (std::size_t g = 0; g < motions.size(); ++g)
      for (const NodeId instance : way_.groups()[g].instances)
        there.set(instance, movedPlacement(scene_.assembly(), instance, motions[g]));
    std::optional<InstanceDistance> nearest;
    for (const auto& [moved, others] : apart_) {
      DistanceRequest request;
      if (nearest) request.ignoreBeyond = nearest->nearest.distance;
      const ClearanceReport report = minimumDistance(scene_, there, std::span(&moved, 1), others, request);
      if (!report.pairs.empty() &&
          (!nearest || report.pairs.front().nearest.distance < nearest->nearest.distance))
        nearest = report.pairs.front();
    }
    if (nearest) profile_.clearances.push_back({time, *nearest});
    if (!hasContact_) return;
    std::set<Key> here;
    for (const ContactPlace& place :
         contactPlaces(scene_, there, moved_, {options_.tolerance, options_.rules}, {}))
      here.insert({place.moved,
                   place.rest,
                   {faceAt(place.moved, there, place, -place.normal, place.surfaces.a),
                    faceAt(place.rest, there, place, place.normal, place.surfaces.b)}});
    for (auto slide = running_.begin(); slide != running_.end();) {
      if (here.contains(slide->first)) {
        slide->second.to = time;
        here.erase(slide->first);
        ++slide;
      } else {
        profile_.slides.push_back(slide->second);
        slide = running_.erase(slide);
      }
    }
    for (const Key& key : here) {
      const auto& [moved, rest, surfaces] = key;
      running_.emplace(key, WaySlide{moved, rest, surfaces, time, time});
    }
  }

  /// The surface of an instance that faces a direction most of all that are at a place of contact: a place at
  /// an edge belongs to several. `known` is one of them.
  [[nodiscard]] SurfaceId faceAt(NodeId node, const Poses& there, const ContactPlace& place,
                                 const Vec3& direction, SurfaceId known) const {
    const double near = std::abs(place.gap) + nearOfSize * size_;
    const PlacedTree tree = PlacedTree::inWorld(scene_.collisionModel(scene_.assembly().partOf(node)),
                                                scene_.worldFromPart(node, there));
    const double sense = scene_.worldFromPart(node, there).determinant() < 0 ? -1 : 1;
    double most = -2;
    for (const TriangleId id : tree.within(near, {{place.point, place.point, place.point}})) {
      const Triangle t = tree.triangle(id);
      const Vec3 normal = sense * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
      if (!(norm(normal) > 0)) continue;
      const double facing = dot(normal, direction) / norm(normal);
      // Of two that face it alike, the same one at all places.
      if (facing > most + sameFacing) {
        most = facing;
        known = scene_.assembly().meshOf(node).surfaceOf(id);
      }
    }
    return known;
  }

  /// The least distance at every time of the pairs that do not touch.
  void findLeast() {
    if (apart_.empty()) return;
    MotionClearanceOptions asked;
    asked.rules = options_.rules;
    asked.limits = options_.limits;
    if (deadline_) asked.limits.timeBudget = std::max(*deadline_ - Clock::now(), Clock::duration::zero());
    asked.maxQueries = options_.maxQueries;
    // Finer than usual if the least distance that was seen is small, so that the bound is near it.
    double least = std::numeric_limits<double>::infinity();
    for (const WayClearance& c : profile_.clearances) least = std::min(least, c.pair.nearest.distance);
    if (std::isfinite(least))
      asked.resolution = std::clamp(leastShare * least, nearOfSize * size_, usualOfSize * size_);
    std::vector<Rule> first;
    for (const auto& [a, b] : left_) {
      const std::string pathA = scene_.assembly().path(a), pathB = scene_.assembly().path(b);
      // Such a name, as a pattern, may leave out other pairs.
      if ((pathA + pathB).find_first_of("*?") != std::string::npos) return;
      first.push_back({pathA, pathB});
    }
    asked.rules.prepend(first);
    const MotionClearanceReport report = motionClearance(scene_, poses_, certificate_.track, asked);
    if (report.status != ReportStatus::complete || report.parts.empty()) return;
    profile_.atLeast = report.parts.front().atLeast;
    for (const LeastClearance& part : report.parts)
      profile_.atLeast = std::min(*profile_.atLeast, part.atLeast);
  }

  using Key = std::tuple<NodeId, NodeId, SurfacePair>;

  const Scene& scene_;
  const Poses& poses_;
  const Certificate& certificate_;
  const WayProfileOptions& options_;
  const Progress& progress_;
  std::optional<Clock::time_point> deadline_;
  TrackPoses way_;
  std::vector<NodeId> moved_;
  double size_ = 0;                              ///< of the box about them
  bool hasContact_ = false;                      ///< at the start
  std::vector<std::pair<NodeId, NodeId>> left_;  ///< out: pairs that touch there, or move as one
  std::map<NodeId, std::vector<NodeId>> apart_;  ///< of each moved instance
  std::map<Key, WaySlide> running_;              ///< slides that may go on
  WayProfile profile_;
};

}  // namespace

WayProfile wayProfile(const Scene& scene, const Poses& poses, const Certificate& certificate,
                      const WayProfileOptions& options, const Progress& progress) {
  return Profiler(scene, poses, certificate, options, progress).run();
}

}  // namespace fitup
