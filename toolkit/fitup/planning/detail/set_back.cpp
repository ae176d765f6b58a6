#include <fitup/planning/detail/set_back.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fitup/geometry/symmetric_eigen.h>
#include <fitup/mesh/recognise.h>
#include <fitup/query/self_intersection.h>

namespace fitup::detail {
namespace {

/// Cosine of the angle between normals above which a neighbour counts as the tangent continuation of a face.
/// Points cannot move off the face and stay within such a neighbour, which bends instead.
constexpr double tangent = 0.87;
/// Of the part's size: corners this near to a surface lie on it.
constexpr double onSurface = 1e-6;
/// Least cosine of the angle by which a triangle may tilt.
constexpr double leastTilt = 0.1;
/// Directions along which the rows of the least squares below say this little, compared to the others, do
/// not move.
constexpr double leastValue = 0.02;

/// The least motion d that comes nearest to rows . d = wanted.
class LeastMotion {
 public:
  void add(const Vec3& row, double wanted, double weight) {
    matrix_[0] += weight * row.x * row.x;
    matrix_[1] += weight * row.y * row.y;
    matrix_[2] += weight * row.z * row.z;
    matrix_[3] += weight * row.x * row.y;
    matrix_[4] += weight * row.x * row.z;
    matrix_[5] += weight * row.y * row.z;
    side_ = side_ + weight * wanted * row;
  }
  [[nodiscard]] Vec3 solve() const {
    const Eigen3 eigen = symmetricEigen(matrix_);
    const double largest = std::max({eigen.values[0], eigen.values[1], eigen.values[2]});
    Vec3 motion;
    for (std::size_t k = 0; k < 3; ++k) {
      if (eigen.values[k] <= leastValue * largest) continue;
      const Vec3 v{eigen.rows[k][0], eigen.rows[k][1], eigen.rows[k][2]};
      motion = motion + dot(v, side_) / eigen.values[k] * v;
    }
    return motion;
  }

 private:
  Symmetric3 matrix_{};
  Vec3 side_;
};

using Crossings = std::map<std::pair<SurfaceId, SurfaceId>, std::size_t>;

Crossings crossingsOf(const SolidModel& solid) {
  Crossings pairs;
  for (const SelfIntersection& found : selfIntersections(solid)) pairs[{found.a, found.b}] += found.pairs;
  return pairs;
}

}  // namespace

std::unique_ptr<SetBackPart> SetBackPart::of(std::shared_ptr<const SolidModel> solid) {
  if (!solid->watertightness().closed() || solid->repairs().any()) return nullptr;
  return std::unique_ptr<SetBackPart>(new SetBackPart(std::move(solid)));
}

SetBackPart::SetBackPart(std::shared_ptr<const SolidModel> solid)
    : solid_(std::move(solid)),
      size_(2 * norm(mesh().bounds().halfExtent())),
      known_(mesh().surfaces().size()),
      first_(mesh().points().size() + 1),
      at_(3 * mesh().triangleCount()) {
  const MeshTopology& topology = solid_->topology();
  for (const TriangleIndices& t : mesh().triangles())
    for (const std::uint32_t p : t) ++first_[topology.welded(p) + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < mesh().triangleCount(); ++i)
    for (const std::uint32_t p : mesh().triangles()[i]) at_[next[topology.welded(p)]++] = i;
}

std::vector<Vec3> SetBackPart::points() const {
  std::vector<Vec3> points;
  points.reserve(mesh().points().size());
  for (std::uint32_t i = 0; i < mesh().points().size(); ++i) points.push_back(mesh().pointInPart(i));
  return points;
}

std::span<const std::uint32_t> SetBackPart::trianglesAt(std::uint32_t welded) const {
  return std::span(at_).subspan(first_[welded], first_[welded + 1] - first_[welded]);
}

Vec3 SetBackPart::areaNormal(TriangleId triangle, std::span<const Vec3> points) const {
  const TriangleIndices& t = mesh().triangles()[index(triangle)];
  const Vec3 n = cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
  return solid_->watertightness().outward(triangle) > 0 ? n : -n;
}

SetBackPart::Known& SetBackPart::known(SurfaceId surface) {
  Known& known = known_[index(surface)];
  if (std::exchange(known.isAsked, true)) return known;
  known.description = describeSurface(mesh(), surface);
  if (!known.description) return known;
  known.shape = AnalyticSurface::of(*known.description);
  double same = 0;
  const Surface& s = mesh().surfaces()[index(surface)];
  for (std::uint32_t i = s.firstTriangle; known.shape && i < s.firstTriangle + s.triangleCount; ++i) {
    const TriangleIndices& t = mesh().triangles()[i];
    const std::array corners{mesh().pointInPart(t[0]), mesh().pointInPart(t[1]), mesh().pointInPart(t[2])};
    const Vec3 n = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const int sense = solid_->watertightness().outward(TriangleId{i});
    same += sense * dot(n, known.shape->normal((1.0 / 3) * (corners[0] + corners[1] + corners[2])));
  }
  known.sign = same < 0 ? -1 : 1;
  if (same == 0) known.shape.reset();
  return known;
}

const std::optional<AnalyticSurface>& SetBackPart::shape(SurfaceId surface) { return known(surface).shape; }
const std::optional<SurfaceDescription>& SetBackPart::description(SurfaceId surface) {
  return known(surface).description;
}

bool SetBackPart::isHollow(SurfaceId surface) {
  const Known& known = this->known(surface);
  return known.shape && known.shape->kind() != SurfaceKind::plane && known.sign < 0;
}

std::vector<SurfaceId> SetBackPart::neighbours(std::span<const SurfaceId> surfaces) const {
  std::set<SurfaceId> found;
  for (const SurfaceId surface : surfaces) {
    const Surface& s = mesh().surfaces()[index(surface)];
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i)
      for (const std::uint32_t p : mesh().triangles()[i])
        for (const std::uint32_t near : trianglesAt(solid_->topology().welded(p)))
          found.insert(mesh().surfaceOf(TriangleId{near}));
  }
  for (const SurfaceId surface : surfaces) found.erase(surface);
  return {found.begin(), found.end()};
}

std::vector<SurfaceId> SetBackPart::wholeFace(SurfaceId surface) {
  std::vector<SurfaceId> face{surface};
  const Known& first = known(surface);
  if (!first.shape) return face;
  const auto continues = [&](SurfaceId other) {
    const Known& its = known(other);
    if (!its.shape || its.shape->kind() != first.shape->kind()) return false;
    const Surface& s = mesh().surfaces()[index(other)];
    double same = 0;
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i)
      for (const std::uint32_t p : mesh().triangles()[i]) {
        const Vec3 point = mesh().pointInPart(p);
        if (std::abs(first.shape->distance(point)) > onSurface * size_) return false;
        same += first.sign * its.sign * dot(first.shape->normal(point), its.shape->normal(point));
      }
    return same > 0;
  };
  std::set<SurfaceId> seen{surface};
  for (std::size_t k = 0; k < face.size(); ++k)
    for (const SurfaceId other : neighbours(std::array{face[k]}))
      if (seen.insert(other).second && continues(other)) face.push_back(other);
  std::ranges::sort(face);
  return face;
}

Vec3 SetBackPart::outward(std::span<const SurfaceId> surfaces) const {
  Vec3 sum;
  for (const SurfaceId surface : surfaces) {
    const Surface& s = mesh().surfaces()[index(surface)];
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i) {
      const Triangle t = mesh().triangle(TriangleId{i});
      const int sense = solid_->watertightness().outward(TriangleId{i});
      sum = sum + static_cast<double>(sense) * cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    }
  }
  return norm(sum) > 0 ? normalized(sum) : Vec3{};
}

/// The motion of a point by an offset of 1.
Vec3 SetBackPart::motionOf(std::uint32_t welded, std::span<const SurfaceId> face,
                           std::span<const Vec3> points) {
  const Vec3& at = points[welded];
  // Normals of triangles count by their angle at the point, so that it does not matter how a face is divided.
  std::map<SurfaceId, std::vector<std::pair<Vec3, double>>> others;
  std::vector<std::pair<Vec3, double>> own;
  for (const std::uint32_t i : trianglesAt(welded)) {
    const SurfaceId surface = mesh().surfaceOf(TriangleId{i});
    const bool isOwn = std::ranges::find(face, surface) != face.end();
    auto& rows = isOwn ? own : others[surface];
    if (const Known& known = this->known(surface); known.shape) {
      rows.assign(1, {known.sign * known.shape->normal(at), 1});
      continue;
    }
    const Vec3 n = areaNormal(TriangleId{i}, points);
    if (!(norm(n) > 0)) continue;
    const TriangleIndices& t = mesh().triangles()[i];
    for (std::size_t k = 0; k < 3; ++k) {
      if (solid_->topology().welded(t[k]) != welded) continue;
      const Vec3 u = points[t[(k + 1) % 3]] - points[t[k]], v = points[t[(k + 2) % 3]] - points[t[k]];
      rows.emplace_back(normalized(n), std::atan2(norm(cross(u, v)), dot(u, v)));
    }
  }
  Vec3 mean;
  for (const auto& [n, weight] : own) mean = mean + weight * n;
  if (!(norm(mean) > 0)) return {};
  mean = normalized(mean);
  LeastMotion alone, within;
  for (const auto& [n, weight] : own) alone.add(n, -1, weight);
  within = alone;
  bool isAlone = true;
  for (const auto& [surface, rows] : others)
    for (const auto& [n, weight] : rows)
      if (dot(n, mean) < tangent) {
        within.add(n, 0, weight);
        isAlone = false;
      }
  const Vec3 free = alone.solve();
  if (isAlone) return free;
  const Vec3 motion = within.solve();
  const bool yields =
      std::ranges::all_of(own, [&](const auto& row) { return std::abs(dot(row.first, motion) + 1) < 1e-2; });
  // Between faces at a small angle, a point would run far along them.
  return yields && norm(motion) <= 3 ? motion : free;
}

bool SetBackPart::move(std::span<const SurfaceId> face, double offset, std::vector<Vec3>& points) {
  const MeshTopology& topology = solid_->topology();
  std::map<std::uint32_t, Vec3> motions;
  std::set<std::uint32_t> changed;
  for (const SurfaceId surface : face) {
    const Surface& s = mesh().surfaces()[index(surface)];
    for (std::uint32_t i = s.firstTriangle; i < s.firstTriangle + s.triangleCount; ++i)
      for (const std::uint32_t p : mesh().triangles()[i]) {
        const std::uint32_t welded = topology.welded(p);
        if (motions.contains(welded)) continue;
        motions.emplace(welded, motionOf(welded, face, points));
        const auto near = trianglesAt(welded);
        changed.insert(near.begin(), near.end());
      }
  }
  std::vector<std::uint32_t> moved;
  for (const std::uint32_t i : changed)
    for (const std::uint32_t p : mesh().triangles()[i])
      if (motions.contains(topology.welded(p))) moved.push_back(p);
  std::ranges::sort(moved);
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  for (const std::uint32_t p : moved) points[p] = points[p] + offset * motions.at(topology.welded(p));
  for (const std::uint32_t i : changed) {
    const TriangleIndices& t = mesh().triangles()[i];
    const std::array former{mesh().pointInPart(t[0]), mesh().pointInPart(t[1]), mesh().pointInPart(t[2])};
    const auto longest = [](const Vec3& a, const Vec3& b, const Vec3& c) {
      return std::max({norm(b - a), norm(c - b), norm(a - c)});
    };
    const Vec3 before = cross(former[1] - former[0], former[2] - former[0]);
    const Vec3 after = cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]);
    // Of a triangle thinner than the rounding of its corners, nothing can be said.
    if (norm(before) <= onSurface * size_ * longest(former[0], former[1], former[2])) continue;
    if (norm(after) <= onSurface * size_ * longest(points[t[0]], points[t[1]], points[t[2]])) return false;
    if (dot(before, after) <= leastTilt * norm(before) * norm(after)) return false;
  }
  return true;
}

double SetBackPart::growthOf(std::span<const SurfaceId> face, double offset) {
  double growth = 1;
  for (const SurfaceId surface : face) {
    const Known& known = this->known(surface);
    if (!known.shape || known.shape->kind() == SurfaceKind::plane || known.sign > 0) continue;
    const SurfaceDescription& its = *known.description;
    const double radius = its.kind == SurfaceKind::torus ? its.secondRadius : its.radius;
    growth = std::max(growth, radius > 0 ? (radius + offset) / radius : 2);
  }
  return growth;
}

std::shared_ptr<const TriangleMesh> SetBackPart::meshWith(const std::vector<Vec3>& points, double growth) {
  TriangleMesh::Data data = withPoints(mesh(), points).data();
  const TriangleMesh::Data& former = mesh().data();
  if (former.deflection) {
    data.deflection = former.deflection;
    data.deflection->linear *= growth;
  }
  for (std::size_t k = 0; k < data.surfaces.size(); ++k) {
    Surface& surface = data.surfaces[k];
    const Surface& before = former.surfaces[k];
    if (surface.description || !before.description) {
      if (!surface.chordError && before.chordError) surface.chordError = *before.chordError * growth;
      continue;
    }
    if (before.chordError) surface.chordError = *before.chordError * growth;
    // A shape is still known where all points moved by one distance from it.
    const std::optional<AnalyticSurface>& shape = known(SurfaceId{static_cast<std::uint32_t>(k)}).shape;
    if (!shape || surface.triangleCount == 0) continue;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::uint32_t i = surface.firstTriangle; i < surface.firstTriangle + surface.triangleCount; ++i)
      for (const std::uint32_t p : data.triangles[i]) {
        const double off = shape->distance(points[p]);
        least = std::min(least, off);
        most = std::max(most, off);
      }
    if (most - least > onSurface * size_) continue;
    const double off = std::abs(least + most) <= onSurface * size_ ? 0 : 0.5 * (least + most);
    SurfaceDescription moved = *before.description;
    switch (moved.kind) {
      case SurfaceKind::plane:
        moved.point = moved.point + off * normalized(moved.axis);
        break;
      case SurfaceKind::cone:
        moved.radius += off / std::cos(moved.halfAngle);
        break;
      case SurfaceKind::torus:
        moved.secondRadius += off;
        break;
      default:
        moved.radius += off;
        break;
    }
    if (!AnalyticSurface::of(moved)) continue;
    surface.description = moved;
    surface.fingerprint.kind = moved.kind;
  }
  return std::make_shared<const TriangleMesh>(std::move(data));
}

bool SetBackPart::isSound(const SolidModel& changed) const {
  const Watertightness &before = solid_->watertightness(), &after = changed.watertightness();
  if (!after.closed() || changed.repairs().any() || after.cavities() != before.cavities() ||
      after.components().size() != before.components().size())
    return false;
  for (std::size_t k = 0; k < after.components().size(); ++k)
    if (after.components()[k].insideOut != before.components()[k].insideOut) return false;
  const Crossings crossings = crossingsOf(changed);
  if (crossings.empty()) return true;
  const Crossings known = crossingsOf(*solid_);
  return std::ranges::all_of(crossings, [&](const auto& entry) {
    const auto found = known.find(entry.first);
    return found != known.end() && found->second >= entry.second;
  });
}

}  // namespace fitup::detail
