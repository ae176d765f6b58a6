#include <fitup/hierarchy/detail/find_cavities.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/geometry/predicates.h>
#include <fitup/geometry/segment_crossing.h>
#include <fitup/hierarchy/detail/segment_descent.h>
#include <fitup/hierarchy/point_query.h>

namespace fitup::detail {
namespace {

class CavityFinder {
 public:
  CavityFinder(const CollisionModel& model, const MeshTopology& topology,
               const Watertightness& watertightness, const WorkMeter& meter)
      : mesh_(model.mesh()),
        tree_(model.wide()),
        topology_(topology),
        components_(watertightness.components()),
        meter_(meter),
        query_(model),
        reach_(reachOf(mesh_)),
        boxes_(components_.size()),
        first_(components_.size() + 1),
        byComponent_(mesh_.triangleCount()),
        crossings_(components_.size()),
        isOn_(components_.size()) {
    polledLoop(mesh_.triangleCount(), meter, [&](std::size_t t) {
      const TriangleId id{static_cast<std::uint32_t>(t)};
      boxes_[topology.componentOf(id)].extend(mesh_.triangleBounds(id));
      ++first_[topology.componentOf(id) + 1];
    });
    for (std::size_t c = 0; c < components_.size(); ++c) first_[c + 1] += first_[c];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    polledLoop(mesh_.triangleCount(), meter, [&](std::size_t t) {
      const TriangleId id{static_cast<std::uint32_t>(t)};
      byComponent_[next[topology.componentOf(id)]++] = id;
    });
  }

  std::vector<char> find() {
    const bool isOriented = !mesh_.featureEdges().empty();
    std::vector<std::uint32_t> shells;
    for (std::uint32_t c = 0; c < components_.size(); ++c)
      if (components_[c].closed() && components_[c].signedVolume != 0) shells.push_back(c);
    // A shell lies in larger ones only.
    std::stable_sort(shells.begin(), shells.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::abs(components_[a].signedVolume) > std::abs(components_[b].signedVolume);
    });
    std::vector<char> isCavity(components_.size());
    std::vector<char> isPlaced(components_.size());
    for (std::size_t i = 0; i < shells.size(); ++i) {
      const std::uint32_t c = shells[i];
      if (i > 0 && (!isOriented || components_[c].signedVolume < 0)) {
        int material = 0;
        for (const std::uint32_t around : containersOf(c, isPlaced))
          material += isCavity[around] != 0 ? -1 : 1;
        isCavity[c] = static_cast<char>(material > 0);
      }
      isPlaced[c] = 1;
    }
    return isCavity;
  }

 private:
  [[nodiscard]] std::span<const TriangleId> trianglesOf(std::uint32_t component) const {
    return std::span(byComponent_).subspan(first_[component], first_[component + 1] - first_[component]);
  }

  /// The placed shells that this one lies wholly inside of.
  std::vector<std::uint32_t> containersOf(std::uint32_t shell, const std::vector<char>& isPlaced) {
    meter_.poll();
    std::vector<std::uint32_t> result;
    const std::uint32_t corner = mesh_.triangles()[index(trianglesOf(shell).front())][0];
    if (!countCrossings(shell, toVec3(mesh_.points()[corner]),
                        [&](std::uint32_t c) { return isPlaced[c] != 0; }))
      return result;
    const std::vector<std::uint32_t> crossed = crossed_;
    std::vector<char> mayContain;
    for (const std::uint32_t other : crossed)
      mayContain.push_back(static_cast<char>(isOn_[other] != 0 || crossings_[other] % 2 != 0));
    for (std::size_t i = 0; i < crossed.size(); ++i)
      if (mayContain[i] != 0 && boxes_[crossed[i]].contains(boxes_[shell]) && isWithin(shell, crossed[i]))
        result.push_back(crossed[i]);
    return result;
  }

  /// Counts how often a segment from `p` out of the mesh crosses other shells for which `asked` is true, and
  /// on which of them `p` lies. False if every direction meets an edge or a corner.
  template <class Asked>
  bool countCrossings(std::uint32_t shell, const Vec3& p, const Asked& asked) {
    for (unsigned attempt = 0; attempt < escapeDirections; ++attempt) {
      for (const std::uint32_t c : crossed_) crossings_[c] = isOn_[c] = 0;
      crossed_.clear();
      bool isDoubtful = false;
      const Vec3 outside = escapePoint(p, mesh_.bounds(), attempt);
      descendSegment(tree_, reach_, stack_, p, outside, [&](TriangleId id) {
        const std::uint32_t c = topology_.componentOf(id);
        if (c == shell || !asked(c)) return true;
        const SegmentCrossing crossing = crossSegmentTriangle(p, outside, mesh_.triangle(id));
        if (crossing == SegmentCrossing::none) return true;
        if (crossings_[c] + isOn_[c] == 0) crossed_.push_back(c);
        if (crossing == SegmentCrossing::startsOn)
          isOn_[c] = 1;
        else
          ++crossings_[c];
        // A segment that starts on a shell may run in it.
        isDoubtful = crossing == SegmentCrossing::degenerate && isOn_[c] == 0;
        return !isDoubtful;
      });
      if (!isDoubtful) return true;
    }
    return false;
  }

  /// Whether a shell, a point of which lies inside or on another one, lies inside or on it as a whole. If no
  /// triangles intersect, it does. If they only touch, it does unless one of its corners is outside: two
  /// triangles that pierce each other show a crossing, and where the shells cross along edges of both, each
  /// triangle lies on one side.
  bool isWithin(std::uint32_t shell, std::uint32_t other) {
    bool touches = false;
    for (const TriangleId id : trianglesOf(shell)) {
      meter_.poll();
      const Triangle triangle = mesh_.triangle(id);
      query_.near(triangle, 0, near_);
      for (const TriangleId candidate : near_) {
        if (topology_.componentOf(candidate) != other) continue;
        const Triangle t = mesh_.triangle(candidate);
        if (!intersectTriangleTriangle(triangle, t)) continue;
        touches = true;
        if (intersectTriangleTriangle(triangle, t, Touching::exclude) && !areCoplanar(triangle, t))
          return false;
      }
    }
    if (!touches) return true;
    bool isInside = false;
    for (const TriangleId id : trianglesOf(shell))
      for (const std::uint32_t corner : mesh_.triangles()[index(id)]) {
        if (!countCrossings(shell, toVec3(mesh_.points()[corner]),
                            [&](std::uint32_t c) { return c == other; }))
          return false;
        if (isOn_[other] != 0) continue;
        if (crossings_[other] % 2 == 0) return false;
        isInside = true;
      }
    return isInside;
  }

  static bool areCoplanar(const Triangle& a, const Triangle& b) noexcept {
    return std::all_of(std::begin(b.v), std::end(b.v),
                       [&](const Vec3& p) { return orient3d(a.v[0], a.v[1], a.v[2], p) == 0; });
  }

  struct Visit {
    double bound;
    WideChild child;
  };

  const TriangleMesh& mesh_;
  const WideBvh& tree_;
  const MeshTopology& topology_;
  const std::vector<ComponentWatertightness>& components_;
  const WorkMeter& meter_;
  PointQuery query_;
  double reach_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> first_;  ///< by component: its first place in `byComponent_`
  std::vector<TriangleId> byComponent_, near_;
  // Of the last segment, by component; those that it met.
  std::vector<std::uint32_t> crossings_;
  std::vector<char> isOn_;
  std::vector<std::uint32_t> crossed_;
  std::vector<Visit> stack_;
};

}  // namespace

std::vector<char> findCavities(const CollisionModel& model, const MeshTopology& topology,
                               const Watertightness& watertightness, const WorkMeter& meter) {
  return CavityFinder(model, topology, watertightness, meter).find();
}

}  // namespace fitup::detail
