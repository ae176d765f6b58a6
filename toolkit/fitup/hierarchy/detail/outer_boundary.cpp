#include <fitup/hierarchy/detail/outer_boundary.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/hierarchy/detail/segment_descent.h>
#include <fitup/hierarchy/point_query.h>

namespace fitup::detail {
namespace {

/// Pieces of one triangle after which it counts as boundary without further cuts.
constexpr std::size_t mostPieces = 4096;
/// Distances up to this share of the mesh's size count as none.
constexpr double negligible = 0x1p-30;

class OuterBoundary {
 public:
  OuterBoundary(const CollisionModel& model, const MeshTopology& topology,
                const Watertightness& watertightness)
      : mesh_(model.mesh()),
        tree_(model.wide()),
        topology_(topology),
        watertightness_(watertightness),
        query_(model),
        reach_(reachOf(mesh_)),
        none_(negligible * 2 * norm(mesh_.bounds().halfExtent())),
        boxes_(topology.componentCount()),
        overlaps_(topology.componentCount()),
        hasSeveral_(topology.componentCount()) {
    for (std::uint32_t t = 0; t < mesh_.triangleCount(); ++t)
      boxes_[topology.componentOf(TriangleId{t})].extend(mesh_.triangleBounds(TriangleId{t}));
    std::vector<std::uint32_t> byMin(boxes_.size());
    for (std::uint32_t c = 0; c < byMin.size(); ++c) byMin[c] = c;
    std::ranges::sort(byMin, {}, [&](std::uint32_t c) { return boxes_[c].min.x; });
    for (std::size_t i = 0; i < byMin.size(); ++i)
      for (std::size_t k = i + 1; k < byMin.size() && boxes_[byMin[k]].min.x <= boxes_[byMin[i]].max.x; ++k)
        if (boxes_[byMin[i]].overlaps(boxes_[byMin[k]])) {
          overlaps_[byMin[i]].push_back(boxes_[byMin[k]]);
          overlaps_[byMin[k]].push_back(boxes_[byMin[i]]);
        }
    // Shells with a common edge are one component.
    for (const MeshTopology::Edge& edge : topology.edges())
      if (edge.useCount > 2) {
        const std::uint32_t c = topology.componentOf(TriangleId{topology.uses(edge)[0].triangle});
        if (std::exchange(hasSeveral_[c], 1) == 0) overlaps_[c].push_back(boxes_[c]);
      }
  }

  std::shared_ptr<const TriangleMesh> build(const WorkMeter& meter) {
    TriangleMesh::Data data = mesh_.data();
    std::vector<Point3f> points(mesh_.points().begin(), mesh_.points().end());
    std::vector<TriangleIndices> triangles;
    std::vector<std::uint32_t> sources;
    bool isChanged = false;
    // Triangles lie in the order of their surfaces.
    std::size_t next = 0;
    for (Surface& surface : data.surfaces) {
      const auto first = static_cast<std::uint32_t>(triangles.size());
      for (const std::size_t end = next + surface.triangleCount; next < end; ++next) {
        meter.poll();
        const TriangleId id{static_cast<std::uint32_t>(next)};
        std::vector<Triangle> pieces = piecesOf(id);
        std::erase_if(pieces, [&](const Triangle& piece) { return pieces.size() > 1 && isSliver(piece); });
        const std::size_t all = pieces.size();
        std::erase_if(pieces, [&](const Triangle& piece) { return !isBoundary(id, piece); });
        if (pieces.size() == all) {
          triangles.push_back(mesh_.triangles()[next]);
        } else {
          isChanged = true;
          for (const Triangle& piece : pieces) {
            const auto at = static_cast<std::uint32_t>(points.size());
            for (const Vec3& p : piece.v)
              points.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
            triangles.push_back({at, at + 1, at + 2});
          }
        }
        sources.resize(triangles.size(), mesh_.sourceTriangle(id));
      }
      surface.firstTriangle = first;
      surface.triangleCount = static_cast<std::uint32_t>(triangles.size()) - first;
    }
    if (!isChanged || triangles.empty()) return nullptr;
    data.points = SharedArray(std::move(points));
    data.triangles = SharedArray(std::move(triangles));
    data.sourceTriangles = SharedArray(std::move(sources));
    data.featureEdges = {};
    data.edgePoints = {};
    return std::make_shared<const TriangleMesh>(std::move(data));
  }

  [[nodiscard]] bool any() const { return !std::ranges::all_of(overlaps_, &std::vector<Aabb>::empty); }

 private:
  /// The unit normal; 0 for a degenerate triangle.
  static Vec3 normalOf(const Triangle& t) {
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    return norm(n) > 0 ? normalized(n) : Vec3{};
  }
  static std::array<double, 3> heights(const Triangle& over, const Triangle& of) {
    const Vec3 up = normalOf(over);
    return {dot(up, of.v[0] - over.v[0]), dot(up, of.v[1] - over.v[0]), dot(up, of.v[2] - over.v[0])};
  }
  /// True if two triangles of one plane have an area in common: no side of either separates them.
  [[nodiscard]] bool overlapInPlane(const Triangle& a, const Triangle& b) const {
    const auto separates = [&](const Triangle& of, const Triangle& from) {
      const Vec3 normal = normalOf(of);
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 side = of.v[(k + 1) % 3] - of.v[k];
        const Vec3 inward = norm(side) > 0 ? normalized(cross(normal, side)) : Vec3{};
        if (std::ranges::all_of(from.v, [&](const Vec3& p) { return dot(inward, p - of.v[k]) <= none_; }))
          return true;
      }
      return false;
    };
    return !separates(a, b) && !separates(b, a);
  }
  [[nodiscard]] bool isInPlane(const Triangle& plane, const Triangle& t) const {
    return std::ranges::all_of(heights(plane, t), [&](double h) { return std::abs(h) <= none_; });
  }
  [[nodiscard]] bool straddles(const std::array<double, 3>& h) const {
    return *std::ranges::min_element(h)<-none_&& * std::ranges::max_element(h)> none_;
  }

  /// True if a triangle is in the box of another shell.
  [[nodiscard]] bool isNearOther(TriangleId id) const {
    const std::vector<Aabb>& others = overlaps_[topology_.componentOf(id)];
    if (others.empty()) return false;
    const Aabb box = mesh_.triangleBounds(id);
    return std::ranges::any_of(others, [&](const Aabb& other) { return other.overlaps(box); });
  }

  /// True for what rounding leaves between two cuts: it is as near to its neighbours as any point of it.
  [[nodiscard]] bool isSliver(const Triangle& t) const {
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, norm(t.v[(k + 1) % 3] - t.v[k]));
    return norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0])) <= 8 * none_ * longest;
  }

  /// True if two triangles that share a corner meet elsewhere too.
  [[nodiscard]] bool meetBeyond(std::size_t cornerOfA, const Triangle& a, std::size_t cornerOfB,
                                const Triangle& b) const {
    const auto crosses = [](std::size_t corner, const Triangle& t, const Triangle& other) {
      return crossSegmentTriangle(t.v[(corner + 1) % 3], t.v[(corner + 2) % 3], other) !=
             SegmentCrossing::none;
    };
    return crosses(cornerOfA, a, b) || crosses(cornerOfB, b, a);
  }
  /// False if two triangles have in common at most a corner.
  [[nodiscard]] bool mayCross(TriangleId idA, const Triangle& a, TriangleId idB, const Triangle& b) const {
    if (!straddles(heights(a, b)) || !straddles(heights(b, a))) return false;
    const TriangleIndices &p = mesh_.triangles()[index(idA)], &q = mesh_.triangles()[index(idB)];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        if (topology_.welded(p[i]) == topology_.welded(q[k])) return meetBeyond(i, a, k, b);
    return true;
  }

  /// The triangle, cut along the triangles that cross it, of other shells and of its own. Empty if these are
  /// too many.
  std::vector<Triangle> piecesOf(TriangleId id) {
    const Triangle whole = mesh_.triangle(id);
    std::vector<Triangle> pieces{whole};
    if (!isNearOther(id)) return pieces;
    query_.near(whole, 0, near_);
    const auto cutAll = [&](const Triangle& wall, const Vec3& at, const Vec3& normal, const auto& meets) {
      for (std::size_t i = pieces.size(); i-- > 0 && pieces.size() < mostPieces;) {
        const Triangle piece = pieces[i];
        const std::array<double, 3> h{dot(normal, piece.v[0] - at), dot(normal, piece.v[1] - at),
                                      dot(normal, piece.v[2] - at)};
        if (!straddles(h) || !meets(piece, wall)) continue;
        pieces[i] = pieces.back();
        pieces.pop_back();
        cut(piece, h, pieces);
      }
    };
    const Vec3 normal = normalOf(whole);
    for (const TriangleId other : near_) {
      if (other == id) continue;
      const Triangle wall = mesh_.triangle(other);
      if (mayCross(id, whole, other, wall)) {
        cutAll(wall, wall.v[0], normalOf(wall),
               [](const Triangle& a, const Triangle& b) { return intersectTriangleTriangle(a, b); });
      } else if (isInPlane(whole, wall)) {
        // Along the outline of what lies on it.
        for (std::size_t k = 0; k < 3; ++k)
          cutAll(wall, wall.v[k], normalOf({{wall.v[k], wall.v[(k + 1) % 3], wall.v[k] + normal}}),
                 [this](const Triangle& a, const Triangle& b) { return overlapInPlane(a, b); });
      }
      if (pieces.size() >= mostPieces) return {};
    }
    return pieces;
  }

  /// Cuts a triangle where the heights of its corners change their sign.
  void cut(const Triangle& t, const std::array<double, 3>& h, std::vector<Triangle>& into) const {
    // The corner that is alone on its side; corners near the plane count as on it.
    const auto side = [&](std::size_t k) { return h[k] > none_ ? 1 : h[k] < -none_ ? -1 : 0; };
    const auto crossing = [&](std::size_t i, std::size_t k) {
      return t.v[i] + (h[i] / (h[i] - h[k])) * (t.v[k] - t.v[i]);
    };
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
      if (side(k) == 0) {  // the cut runs through this corner
        const Vec3 p = crossing(l, m);
        into.push_back({{t.v[k], t.v[l], p}});
        into.push_back({{t.v[k], p, t.v[m]}});
        return;
      }
      if (side(k) == side(l) || side(k) == side(m) || side(l) == 0 || side(m) == 0) continue;
      const Vec3 p = crossing(k, l), q = crossing(k, m);
      into.push_back({{t.v[k], p, q}});
      into.push_back({{p, t.v[l], q}});
      into.push_back({{q, t.v[l], t.v[m]}});
      return;
    }
    into.push_back(t);
  }

  /// False if the winding number is positive, or not, on both sides of a piece that nothing crosses.
  bool isBoundary(TriangleId id, const Triangle& piece) {
    if (!isNearOther(id)) return true;
    const Vec3 normal = normalOf(piece);
    if (norm(normal) == 0) return true;
    const Vec3 p = (1.0 / 3) * (piece.v[0] + piece.v[1] + piece.v[2]);
    // How much the winding number grows through the faces in this place, against the normal.
    int step = 0;
    onPiece_.clear();
    query_.near({{p, p, p}}, none_, near_);
    for (const TriangleId other : near_) {
      const Triangle t = mesh_.triangle(other);
      if (other != id && distancePointTriangle(p, t).distance > none_) continue;
      if (norm(normalOf(t)) == 0) continue;
      const double along = dot(normalOf(t), normal);
      if (std::abs(along) < 1 - 1e-6) return true;  // another face runs through the point: not settled
      onPiece_.push_back(other);
      step += (along > 0 ? 1 : -1) * watertightness_.outward(other);
    }
    for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
      const Vec3 outside = escapePoint(p, mesh_.bounds(), attempt);
      const double rise = dot(normalized(outside - p), normal);
      if (std::abs(rise) < 0.05) continue;
      int winding = 0;  // on the side to which the segment leaves
      bool isDoubtful = false;
      descendSegment(tree_, reach_, stack_, p, outside, [&](TriangleId other) {
        if (std::ranges::find(onPiece_, other) != onPiece_.end()) return true;
        const SegmentCrossing crossing = crossSegmentTriangle(p, outside, mesh_.triangle(other));
        if (crossing == SegmentCrossing::out) winding += watertightness_.outward(other);
        if (crossing == SegmentCrossing::in) winding -= watertightness_.outward(other);
        isDoubtful = crossing == SegmentCrossing::startsOn || crossing == SegmentCrossing::degenerate;
        return !isDoubtful;
      });
      if (!isDoubtful) return (winding > 0) != (winding + (rise > 0 ? step : -step) > 0);
    }
    return true;
  }

  struct Visit {
    double bound;
    WideChild child;
  };

  const TriangleMesh& mesh_;
  const WideBvh& tree_;
  const MeshTopology& topology_;
  const Watertightness& watertightness_;
  PointQuery query_;
  double reach_, none_;
  std::vector<Aabb> boxes_;
  std::vector<std::vector<Aabb>> overlaps_;  ///< by shell: the boxes of others that overlap its own
  std::vector<char> hasSeveral_;             ///< by component: it is several shells with a common edge
  std::vector<TriangleId> near_, onPiece_;
  std::vector<Visit> stack_;
};

}  // namespace

std::shared_ptr<const TriangleMesh> outerBoundary(const CollisionModel& model, const MeshTopology& topology,
                                                  const Watertightness& watertightness,
                                                  const WorkMeter& meter) {
  if (!watertightness.closed()) return nullptr;
  OuterBoundary boundary(model, topology, watertightness);
  return boundary.any() ? boundary.build(meter) : nullptr;
}

}  // namespace fitup::detail
