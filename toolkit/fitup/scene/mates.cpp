#include <fitup/scene/mates.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <fitup/base/error.h>
#include <fitup/scene/detail/least_turn.h>
#include <fitup/scene/detail/mate_faces.h>

namespace fitup {
namespace {

using detail::MateFace;

/// Least share of the smaller face that the shared area must exceed.
constexpr double leastShare = 1e-3;
/// Largest angle up to which a plane counts as perpendicular to an axis.
constexpr double square = 1e-4;

void requireTolerances(const MateTolerances& t) {
  const auto require = [](const char* what, double value) {
    if (!(value >= 0) || !std::isfinite(value))
      throw InputError("mates", what, std::to_string(value) + " is negative or not a number");
  };
  require("reach", t.reach);
  require("angle", t.angle);
  require("play", t.play);
  require("radii", t.radii);
  require("looseness", t.looseness);
  require("along", t.along);
  if (t.recognise) require("recognise", *t.recognise);
  if (t.angle > 1) throw InputError("mates", "angle", "is above one radian");
}

/// Share of the area that counts for a peg which does not reach into its hole yet.
constexpr double beyondShare = 0.25;

/// The turn of the moved face about its middle. Directions that agree as well as they are known stay: a part
/// is not to be turned by the rounding of its triangles.
Transform turnOf(const MateFace& mover, const Vec3& wanted, const MateSuggestion& s) {
  if (s.angle <= s.angleError) return {};
  return detail::turnedAbout(mover.point, detail::leastTurn(mover.axis, wanted));
}

std::vector<Triangle> moved(const Transform& snap, std::vector<Triangle> triangles) {
  for (Triangle& t : triangles)
    for (Vec3& v : t.v) v = snap.apply(v);
  return triangles;
}

MateFace moved(const Transform& snap, const MateFace& face) {
  MateFace result = face;
  result.triangles = moved(snap, std::move(result.triangles));
  result.point = snap.apply(face.point);
  result.axis = snap.applyToVector(face.axis);
  return result;
}

/// How well two faces are known against each other, in the middle of the moved one.
void addErrors(const MateFace& mover, const MateFace& fixed, MateSuggestion& s) {
  s.angleError = mover.accuracy.angle + fixed.accuracy.angle;
  s.lengthError =
      mover.accuracy.length + fixed.accuracy.length + fixed.accuracy.angle * norm(mover.point - fixed.point);
}

/// The factor by which distance and angle reduce the score.
double nearnessOf(const MateSuggestion& s, const MateTolerances& t) {
  const auto part = [](double value, double most) { return most > 0 ? value / most : 0; };
  return 1 / ((1 + part(s.deviation, t.reach)) * (1 + part(s.angle, t.angle)));
}

std::optional<MateSuggestion> matePlanes(const MateFace& mover, const MateFace& fixed,
                                         const MateTolerances& t) {
  const Vec3 wanted = -fixed.axis;
  MateSuggestion s;
  s.angle = detail::angleBetween(mover.axis, wanted);
  if (s.angle > t.angle) return std::nullopt;
  addErrors(mover, fixed, s);
  const double off = dot(mover.point - fixed.point, fixed.axis);
  s.deviation = std::abs(off);
  if (s.deviation > t.reach) return std::nullopt;
  s.snap = Transform::translation(-off * fixed.axis) * turnOf(mover, wanted, s);
  s.overlapArea = detail::sharedPlaneArea(moved(s.snap, mover.triangles), fixed.triangles, fixed.axis);
  if (!(s.overlapArea > leastShare * std::min(mover.area, fixed.area))) return std::nullopt;
  s.kind = MateKind::planes;
  s.score = s.overlapArea;
  return s;
}

double lengthAlong(const Box& box, const Vec3& axis) {
  const Vec3 half = box.halfExtent();
  return 2 * (std::abs(axis.x) * half.x + std::abs(axis.y) * half.y + std::abs(axis.z) * half.z);
}

/// Whether the play between peg and hole is in the tolerances.
bool fits(double play, double holeRadius, const MateTolerances& t) {
  return play >= -t.play && play <= std::max(t.play, t.looseness * holeRadius);
}

/// Sets what cylinders share after the snap. Returns false if that is too little.
bool shareArea(const MateFace& mover, const MateFace& fixed, const Box& part, const MateTolerances& t,
               MateSuggestion& s) {
  const auto shared = [&](const MateFace& at) {
    return detail::sharedCylinderArea(at, fixed, fixed.point, fixed.axis);
  };
  const double least = leastShare * std::min(mover.area, fixed.area);
  MateFace at = moved(s.snap, mover);
  s.score = s.overlapArea = shared(at);
  if (s.overlapArea > least) return true;
  s.overlapArea = 0;
  const double apart = dot(at.point - fixed.point, fixed.axis);
  const double gap = std::abs(apart) - at.halfLength - fixed.halfLength;
  if (!(gap <= t.along * lengthAlong(part, fixed.axis)) || t.along == 0) return false;
  at = moved(Transform::translation(-apart * fixed.axis), at);
  s.score = beyondShare * shared(at);
  return s.score > beyondShare * least;
}

/// `part` is the box of the moved instance.
std::optional<MateSuggestion> mateCylinders(const MateFace& mover, const MateFace& fixed, const Box& part,
                                            const MateTolerances& t) {
  if (mover.peg == fixed.peg) return std::nullopt;
  MateSuggestion s;
  s.play = mover.peg ? fixed.radius - mover.radius : mover.radius - fixed.radius;
  if (!fits(s.play, mover.peg ? fixed.radius : mover.radius, t)) return std::nullopt;
  const Vec3 wanted = dot(mover.axis, fixed.axis) < 0 ? -fixed.axis : fixed.axis;
  s.angle = detail::angleBetween(mover.axis, wanted);
  if (s.angle > t.angle) return std::nullopt;
  addErrors(mover, fixed, s);
  const Vec3 between = mover.point - fixed.point;
  const Vec3 off = between - dot(between, fixed.axis) * fixed.axis;
  s.deviation = norm(off);
  if (s.deviation > std::max(t.reach, t.radii * std::min(mover.radius, fixed.radius))) return std::nullopt;
  s.snap = Transform::translation(-off) * turnOf(mover, wanted, s);
  if (!shareArea(mover, fixed, part, t, s)) return std::nullopt;
  s.kind = MateKind::cylinders;
  s.movedIsPeg = mover.peg;
  return s;
}

/// A suggestion and its faces.
struct Found {
  MateSuggestion suggestion;
  const MateFace *mover, *fixed;
};

std::vector<SurfaceId> both(std::vector<SurfaceId> a, const std::vector<SurfaceId>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  return a;
}

/// Extends a cylinder's mate by a shift along the axis that also makes the planes meet, which are
/// perpendicular to it.
std::optional<MateSuggestion> combined(const Found& cylinders, const Found& planes, const MateTolerances& t) {
  const auto squareOn = [](const MateFace& plane, const MateFace& cylinder) {
    return norm(cross(plane.axis, cylinder.axis)) <= square;
  };
  if (!squareOn(*planes.mover, *cylinders.mover) || !squareOn(*planes.fixed, *cylinders.fixed))
    return std::nullopt;
  MateSuggestion s = cylinders.suggestion;
  const Vec3& normal = planes.fixed->axis;
  const double off = dot(s.snap.apply(planes.mover->point) - planes.fixed->point, normal);
  if (std::abs(off) > t.reach) return std::nullopt;
  s.snap = Transform::translation(-off * normal) * s.snap;
  const double onPlanes =
      detail::sharedPlaneArea(moved(s.snap, planes.mover->triangles), planes.fixed->triangles, normal);
  const double onCylinders = detail::sharedCylinderArea(moved(s.snap, *cylinders.mover), *cylinders.fixed,
                                                        cylinders.fixed->point, cylinders.fixed->axis);
  if (!(onPlanes > leastShare * std::min(planes.mover->area, planes.fixed->area)) || !(onCylinders > 0))
    return std::nullopt;
  s.kind = MateKind::planeAndCylinders;
  s.movedSurfaces = both(s.movedSurfaces, planes.suggestion.movedSurfaces);
  s.fixedSurfaces = both(s.fixedSurfaces, planes.suggestion.fixedSurfaces);
  s.deviation = std::max(s.deviation, std::abs(off));
  s.score = s.overlapArea = onPlanes + onCylinders;
  s.lengthError = std::max(s.lengthError, planes.suggestion.lengthError);
  return s;
}

/// Faces of instances; each instance is searched once.
class Search {
 public:
  Search(const Scene& scene, const Poses& poses, const MateTolerances& tolerances)
      : scene_(scene), poses_(poses), tolerances_(tolerances) {
    scene.requireInstances(poses);
    requireTolerances(tolerances);
  }

  void pair(NodeId mover, NodeId fixed) {
    const Box boxA = scene_.worldBounds(mover, poses_), boxB = scene_.worldBounds(fixed, poses_);
    const double slack = searchDistance(tolerances_, 2 * norm(boxA.halfExtent()));
    for (int k = 0; k < 3; ++k)
      if (!(boxA.min[k] - boxB.max[k] <= slack && boxB.min[k] - boxA.max[k] <= slack)) return;
    std::vector<Found> planes, cylinders;
    for (const MateFace& p : facesOf(mover))
      for (const MateFace& q : facesOf(fixed)) {
        if (p.plane != q.plane) continue;
        auto suggestion = p.plane ? matePlanes(p, q, tolerances_) : mateCylinders(p, q, boxA, tolerances_);
        if (!suggestion) continue;
        suggestion->moved = mover;
        suggestion->fixed = fixed;
        suggestion->movedSurfaces = p.surfaces;
        suggestion->fixedSurfaces = q.surfaces;
        (p.plane ? planes : cylinders).push_back({std::move(*suggestion), &p, &q});
      }
    for (const Found& c : cylinders)
      for (const Found& p : planes)
        if (auto s = combined(c, p, tolerances_)) add(std::move(*s));
    for (auto* list : {&planes, &cylinders})
      for (Found& found : *list) add(std::move(found.suggestion));
  }

  MateReport finish(ReportStatus status) {
    std::sort(report_.suggestions.begin(), report_.suggestions.end(),
              [](const MateSuggestion& p, const MateSuggestion& q) {
                if (p.score != q.score) return p.score > q.score;
                return std::tie(p.moved, p.fixed, p.kind, p.movedSurfaces, p.fixedSurfaces) <
                       std::tie(q.moved, q.fixed, q.kind, q.movedSurfaces, q.fixedSurfaces);
              });
    report_.status = status;
    return std::move(report_);
  }

 private:
  const std::vector<MateFace>& facesOf(NodeId instance) {
    const auto [at, fresh] = faces_.try_emplace(instance);
    if (fresh)
      at->second =
          detail::mateFaces(scene_.assembly(), instance, scene_.worldFromPart(instance, poses_), tolerances_);
    return at->second;
  }
  void add(MateSuggestion suggestion) {
    suggestion.score *= nearnessOf(suggestion, tolerances_);
    report_.suggestions.push_back(std::move(suggestion));
  }

  const Scene& scene_;
  const Poses& poses_;
  const MateTolerances& tolerances_;
  std::map<NodeId, std::vector<MateFace>> faces_;
  MateReport report_;
};

}  // namespace

std::string_view name(MateKind kind) noexcept {
  switch (kind) {
    case MateKind::planes:
      return "planes";
    case MateKind::cylinders:
      return "cylinders";
    case MateKind::planeAndCylinders:
      return "planeAndCylinders";
  }
  return {};
}

double searchDistance(const MateTolerances& t, double diagonal) noexcept {
  // A rotation by `angle` also moves the far end of a face, and no radius exceeds half the diagonal.
  return t.reach + t.play + (t.angle + std::max(t.along, (t.radii + t.looseness) / 2)) * diagonal;
}

MateReport suggestMates(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                        std::span<const NodeId> others, const MateTolerances& tolerances,
                        const Progress& progress) {
  const std::set<NodeId> movers(moved.begin(), moved.end());
  for (const auto& side : {moved, others})
    for (const NodeId node : side) (void)scene.assembly().partOf(node);  // throws if it is not an instance
  for (const NodeId node : others)
    if (movers.contains(node))
      throw InputError("mates", "'" + scene.assembly().path(node) + "'", "is on both sides");
  Search search(scene, poses, tolerances);
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (const NodeId other : others) {
      if (progress.cancelled()) return search.finish(ReportStatus::cancelled);
      progress.report("looking for mates", static_cast<double>(i) / static_cast<double>(moved.size()));
      search.pair(moved[i], other);
    }
  return search.finish(ReportStatus::complete);
}

MateReport suggestMates(const Scene& scene, const Poses& poses, const MateTolerances& tolerances,
                        const Progress& progress) {
  Search search(scene, poses, tolerances);
  const std::span<const NodeId> all = scene.instances();
  for (std::size_t i = 0; i < all.size(); ++i) {
    progress.report("looking for mates", static_cast<double>(i) / static_cast<double>(all.size()));
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (progress.cancelled()) return search.finish(ReportStatus::cancelled);
      search.pair(all[j], all[i]);
    }
  }
  return search.finish(ReportStatus::complete);
}

}  // namespace fitup
