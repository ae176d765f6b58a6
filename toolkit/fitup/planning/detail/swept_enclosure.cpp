#include <fitup/planning/detail/swept_enclosure.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

#include <fitup/geometry/segment_crossing.h>

namespace fitup::detail {
namespace {

/// Groups of numbers that are joined.
class JoinedGroups {
 public:
  explicit JoinedGroups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

/// One point of each connected piece of the triangles of a body, when its motion starts, in the world.
std::vector<Vec3> pointsOfShells(const SweptBody& body) {
  const TriangleMesh& mesh = body.model->mesh();
  JoinedGroups groups(mesh.points().size());
  std::vector<std::uint32_t> byPlace(mesh.points().size());
  std::iota(byPlace.begin(), byPlace.end(), 0U);
  const auto place = [&](std::uint32_t i) {
    const Point3f& p = mesh.points()[i];
    return std::tuple(p.x, p.y, p.z);
  };
  std::ranges::sort(byPlace, {}, place);
  for (std::size_t i = 1; i < byPlace.size(); ++i)
    if (place(byPlace[i]) == place(byPlace[i - 1])) groups.join(byPlace[i], byPlace[i - 1]);
  for (const TriangleIndices& t : mesh.triangles()) {
    groups.join(t[0], t[1]);
    groups.join(t[0], t[2]);
  }
  std::vector<bool> seen(mesh.points().size());
  std::vector<Vec3> points;
  const Transform worldFromLocal = body.worldFromLocal(0, 0);
  for (const TriangleIndices& t : mesh.triangles())
    if (const std::uint32_t group = groups.find(t[0]); !seen[group]) {
      seen[group] = true;
      points.push_back(worldFromLocal.apply(toVec3(mesh.points()[t[0]])));
    }
  return points;
}

/// True if a closed surface certainly winds once around a point that is not on it.
bool windsOnceAround(const std::vector<Vec3>& points, const std::vector<Corners>& triangles, const Vec3& p) {
  Aabb box;
  for (const Vec3& q : points)
    box.extend(Point3f{static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)});
  for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
    const Vec3 outside = escapePoint(p, box, attempt);
    int winding = 0;
    bool isDoubtful = false;
    for (const Corners& t : triangles) {
      switch (crossSegmentTriangle(p, outside, {{points[t[0]], points[t[1]], points[t[2]]}})) {
        case SegmentCrossing::none:
          break;
        case SegmentCrossing::out:
          ++winding;
          break;
        case SegmentCrossing::in:
          --winding;
          break;
        case SegmentCrossing::startsOn:
        case SegmentCrossing::degenerate:
          isDoubtful = true;
          break;
      }
      if (isDoubtful) break;
    }
    if (!isDoubtful) return winding == 1;
  }
  return false;
}

}  // namespace

bool holdsEverything(const SweptMotion& motion, const FieldGrid& grid, const std::vector<Vec3>& points,
                     const std::vector<Corners>& triangles) {
  /// Each takes a look at every triangle.
  constexpr std::size_t mostShells = 64;
  JoinedGroups groups(points.size());
  for (const Corners& t : triangles) {
    groups.join(t[0], t[1]);
    groups.join(t[0], t[2]);
  }
  SweptDistance distance(motion, grid);
  std::vector<bool> seen(points.size());
  for (const Corners& t : triangles) {
    const std::uint32_t group = groups.find(t[0]);
    if (!seen[group] && distance.isInsideAtStart(grid.inWorld(points[t[0]]))) return false;
    seen[group] = true;
  }
  std::vector<Vec3> shells;
  for (const SweptBody& body : motion.bodies)
    std::ranges::copy(pointsOfShells(body), std::back_inserter(shells));
  if (shells.size() > mostShells) return false;
  return std::ranges::all_of(shells, [&](const Vec3& p) {
    return windsOnceAround(points, triangles, (p - grid.origin) * (1 / grid.voxel));
  });
}

}  // namespace fitup::detail
