#include <viewer/core/finding_place.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/intersection_lines.h>
#include <fitup/scene/clash_depths.h>
#include <fitup/scene/face_assessment.h>

namespace fitup::viewer {
namespace {

/// Enough to know what is hidden, few enough for thousands of rays in a moment.
constexpr std::size_t mostLines = 24, mostOfFace = 24;

/// Returns at most `most` of them, evenly.
template <typename T>
std::vector<T> some(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> few;
  for (std::size_t i = 0; i < most; ++i) few.push_back(all[i * all.size() / most]);
  return few;
}

/// Returns points at which the two intersect: for a finding of two faces, those of its witness.
std::vector<Vec3> meetingPoints(const PosedModel& a, const PosedModel& b, const Finding& finding,
                                const PairInterference* pair) {
  IntersectionReport report;
  if (finding.witness)
    report.trianglePairs = {*finding.witness};
  else if (!finding.surfaces && pair != nullptr)
    report.trianglePairs = some(pair->report.trianglePairs, mostLines);
  std::vector<Vec3> points;
  for (const IntersectionLine& line : intersectionLines(a, b, report))
    for (std::size_t i = 0; i < line.common.count; ++i) points.push_back(line.common.points[i]);
  return points;
}

Triangle placed(const PosedModel& part, std::uint32_t triangle) {
  const TriangleMesh& mesh = part.model->mesh();
  Triangle corners = mesh.triangle(TriangleId{triangle});
  for (Vec3& corner : corners.v) corner = part.worldFromPart.apply(mesh.origin() + corner);
  return corners;
}

Box boxOfFace(const PosedModel& part, SurfaceId surface) {
  const Surface& face = part.model->mesh().surfaces()[index(surface)];
  Box box;
  for (std::uint32_t i = 0; i < face.triangleCount; ++i)
    for (const Vec3& corner : placed(part, face.firstTriangle + i).v) box.extend(corner);
  return box;
}

bool contains(const Box& box, const Vec3& point) {
  Box both = box;
  both.extend(point);
  return both.min == box.min && both.max == box.max;
}

/// Adds points of a face within a box.
void addPoints(const PosedModel& part, SurfaceId surface, const Box& within, std::vector<Vec3>& points) {
  const Surface& face = part.model->mesh().surfaces()[index(surface)];
  std::vector<Vec3> found;
  for (std::uint32_t i = 0; i < face.triangleCount; ++i) {
    const Triangle t = placed(part, face.firstTriangle + i);
    const Vec3 centre = (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3);
    for (const Vec3& point : {centre, (centre * 2 + t.v[0]) * (1.0 / 3), (centre * 2 + t.v[1]) * (1.0 / 3),
                              (centre * 2 + t.v[2]) * (1.0 / 3)})
      if (contains(within, point)) found.push_back(point);
  }
  found = some(found, mostOfFace);
  points.insert(points.end(), found.begin(), found.end());
}

double radius(const Box& box) { return norm(box.halfExtent()); }

Box commonBox(const Box& a, const Box& b) {
  Box common;
  for (int i = 0; i < 3; ++i) {
    common.min[i] = std::max(a.min[i], b.min[i]);
    common.max[i] = std::min(a.max[i], b.max[i]);
    // Because of rounding, the boxes of faces that touch may be disjoint.
    if (common.min[i] > common.max[i]) std::swap(common.min[i], common.max[i]);
  }
  return common;
}

/// Points on two parts, and which of them are seen.
class SeenPoints {
 public:
  SeenPoints(const Scene& scene, const Poses& poses, NodeId a, NodeId b, std::span<const Vec3> points)
      : points_(points),
        apart_(1e-4 * std::min(radius(scene.worldBounds(a, poses)), radius(scene.worldBounds(b, poses)))) {
    for (const NodeId node : {a, b})
      trees_.push_back(PlacedTree::inWorld(scene.collisionModel(scene.assembly().partOf(node)),
                                           scene.worldFromPart(node, poses)));
    for (const Vec3& point : points) normals_.push_back(normalsAt(point));
  }
  /// Returns how many points are seen in a direction.
  [[nodiscard]] std::size_t from(const Vec3& sight) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) count += isSeen(i, sight);
    return count;
  }

 private:
  /// Returns the unit normals of the triangles around a point.
  [[nodiscard]] std::vector<Vec3> normalsAt(const Vec3& point) const {
    const Vec3 reach{apart_, apart_, apart_};
    std::vector<Vec3> normals;
    for (const PlacedTree& tree : trees_)
      for (const TriangleId id : tree.inBox({point - reach, point + reach})) {
        const Triangle t = tree.triangle(id);
        const Vec3 across = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
        if (norm(across) > 0) normals.push_back(normalized(across));
      }
    return normals;
  }
  /// Nothing is seen of a face along the line of sight. The faces on which a point lies do not hide it.
  [[nodiscard]] bool isSeen(std::size_t i, const Vec3& sight) const {
    constexpr double leastCosine = 0.2;
    const auto isAlong = [&](const Vec3& normal) { return std::abs(dot(normal, sight)) < leastCosine; };
    if (!normals_[i].empty() && std::ranges::all_of(normals_[i], isAlong)) return false;
    return std::ranges::none_of(trees_, [&](const PlacedTree& tree) {
      return tree.castRay({points_[i] - sight * apart_, -sight}).has_value();
    });
  }

  std::span<const Vec3> points_;
  std::vector<PlacedTree> trees_;
  std::vector<std::vector<Vec3>> normals_;  ///< by point
  double apart_;
};

}  // namespace

const PairInterference* pairOf(const InterferenceReport& report, const Finding& finding) {
  const auto wanted = std::tie(finding.a, finding.b);
  const auto found =
      std::ranges::lower_bound(report.pairs, wanted, {}, [](const auto& p) { return std::tie(p.a, p.b); });
  return found != report.pairs.end() && std::tie(found->a, found->b) == wanted ? &*found : nullptr;
}

std::optional<DepthPlace> depthPlaceOf(const Finding& finding, const PairInterference& pair) {
  if (!pair.is(Verdict::clash) || needsDepth(pair) || !finding.copies.empty()) return std::nullopt;
  const std::vector<PenetrationRegion>& regions = pair.verdict->regions;
  const auto at = finding.surfaces ? regionOf(pair, *finding.surfaces) : std::optional<std::size_t>(0);
  if (!at || *at >= regions.size()) return std::nullopt;
  const PenetrationRegion& region = regions[*at];
  // Parts that pierce each other have no depth there.
  if (!(region.depth > 0) || !(norm(region.direction) > 0.5)) return std::nullopt;
  return DepthPlace{region.point, region.point + region.direction * region.depth};
}

FindingPlace placeOf(const Scene& scene, const Poses& poses, const Finding& finding,
                     const PairInterference* pair) {
  const auto posed = [&](NodeId node) {
    return PosedModel{scene.collisionModel(scene.assembly().partOf(node)), scene.worldFromPart(node, poses)};
  };
  const Box boxA = scene.worldBounds(finding.a, poses), boxB = scene.worldBounds(finding.b, poses);
  FindingPlace place;
  if (!finding.copies.empty()) {
    for (const NodeId node : finding.copies) place.around.extend(scene.worldBounds(node, poses));
    place.point = place.around.centre();
    return place;
  }
  const PosedModel a = posed(finding.a), b = posed(finding.b);
  place.seen = meetingPoints(a, b, finding, pair);
  Box met;
  for (const Vec3& point : place.seen) met.extend(point);
  Box faces;
  if (finding.surfaces) {
    const Box ofA = boxOfFace(a, finding.surfaces->a), ofB = boxOfFace(b, finding.surfaces->b);
    if (met.empty()) met = commonBox(ofA, ofB);
    faces = radius(ofA) < radius(ofB) ? ofA : ofB;
  }
  if (finding.found.point) met.extend(*finding.found.point);
  if (met.empty()) met = commonBox(boxA, boxB);
  place.point = finding.found.point.value_or(met.centre());
  if (pair != nullptr)
    if (const auto depth = depthPlaceOf(finding, *pair)) place.point = depth->from;

  const auto [smaller, larger] = std::minmax({radius(boxA), radius(boxB)});
  const double half = std::max(0.6 * smaller, std::min(2 * smaller, 0.25 * larger));
  place.around = met;
  place.around.extend(faces);
  place.around.extend(place.point - Vec3{half, half, half});
  place.around.extend(place.point + Vec3{half, half, half});
  if (finding.surfaces) {
    addPoints(a, finding.surfaces->a, place.around, place.seen);
    addPoints(b, finding.surfaces->b, place.around, place.seen);
  }
  if (place.seen.empty()) place.seen.push_back(place.point);
  return place;
}

Vec3 clearSight(const Scene& scene, const Poses& poses, NodeId a, NodeId b, std::span<const Vec3> points,
                const Vec3& present) {
  if (points.empty()) return present;
  const SeenPoints seen(scene, poses, a, b, points);
  std::size_t most = seen.from(present);
  const std::size_t now = most;
  if (2 * now >= points.size()) return present;
  std::vector<std::pair<Vec3, std::size_t>> all;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 sight = normalized(Vec3(x, y, z));
        all.emplace_back(sight, seen.from(sight));
        most = std::max(most, all.back().second);
      }
  const auto isEnough = [&](std::size_t count) { return 4 * count >= most; };
  if (isEnough(now)) return present;
  const Vec3* best = nullptr;
  for (const auto& [sight, count] : all)
    if (5 * count >= 4 * most && (best == nullptr || dot(sight, present) > dot(*best, present) + 1e-9))
      best = &sight;
  if (best == nullptr) return present;
  for (const double share : {0.25, 0.5, 0.75, 0.9}) {
    const Vec3 between = present * (1 - share) + *best * share;
    if (!(norm(between) > 0.1)) continue;  // they are opposite
    if (isEnough(seen.from(normalized(between)))) return normalized(between);
  }
  return *best;
}

}  // namespace fitup::viewer
