#include <viewer/core/snap_point.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

namespace fitup::viewer {
namespace {

struct Candidate {
  SnapPoint snap;
  double pixels = 0, depth = 0;
  /// Within a pixel, the nearer one to the eye comes first.
  [[nodiscard]] auto rank() const { return std::tuple(std::floor(pixels), depth, pixels); }
};

class Search {
 public:
  Search(const Camera& camera, const SnapRequest& request)
      : camera_(camera), request_(request), ray_(camera.ray(request.at)) {}

  void add(const SnapPoint& snap) {
    const double reach = snap.kind == SnapKind::edge ? request_.reach / 2 : request_.reach;
    const auto projected = camera_.project(snap.point);
    if (!projected) return;
    const double pixels = std::hypot(projected->x - request_.at.x, projected->y - request_.at.y);
    if (pixels <= reach) found_.push_back({snap, pixels, dot(snap.point - ray_.from, camera_.forward())});
  }

  /// The point of the segment nearest to the ray's line.
  [[nodiscard]] Vec3 nearestOn(const Vec3& from, const Vec3& to) const {
    const Vec3 way = to - from, off = from - ray_.from;
    const Vec3 across = way - dot(way, ray_.direction) * ray_.direction;
    const double square = dot(across, across);
    const double t = square > 0 ? -dot(off, across) / square : 0;
    return from + std::clamp(t, 0.0, 1.0) * way;
  }

  [[nodiscard]] std::optional<SnapPoint> firstVisible() {
    const auto tried = found_.begin() + static_cast<std::ptrdiff_t>(std::min(found_.size(), mostTried));
    std::ranges::partial_sort(found_, tried, {}, &Candidate::rank);
    const auto first = std::find_if(found_.begin(), tried,
                                    [&](const Candidate& each) { return isVisible(each.snap.point); });
    return first == tried ? std::nullopt : std::optional(first->snap);
  }
  void clear() { found_.clear(); }

 private:
  [[nodiscard]] bool isVisible(const Vec3& point) const {
    if (request_.isCutAway && request_.isCutAway(point)) return false;
    const Ray ray = camera_.ray(*camera_.project(point));
    return request_.firstHit(ray) >= dot(point - ray.from, ray.direction) - camera_.worldPerPixel(point);
  }

  const Camera& camera_;
  const SnapRequest& request_;
  Ray ray_;
  std::vector<Candidate> found_;
};

/// The circle in the part, if its placement leaves it one.
std::optional<EdgeCircle> roundIn(const SnapInstance& instance, const SnapEdge& edge) {
  if (!edge.circle) return std::nullopt;
  const SurfaceDescription pipe{SurfaceKind::cylinder, edge.circle->centre, edge.circle->axis,
                                edge.circle->radius};
  return placed(pipe, instance.worldFromPart) ? edge.circle : std::nullopt;
}

void addAll(SnapKind kind, const SnapInstance& instance, Search& search) {
  const auto add = [&](SurfaceId face, const Vec3& inPart, std::size_t edge,
                       const std::optional<EdgeCircle>& circle) {
    search.add({kind, instance.instance, face, instance.worldFromPart.apply(inPart), inPart, edge, circle});
  };
  if (kind == SnapKind::corner) {
    for (const SnapCorner& corner : instance.shapes->corners)
      add(corner.face, instance.mesh->pointInPart(corner.point), 0, std::nullopt);
    return;
  }
  for (std::size_t e = 0; e < instance.shapes->edges.size(); ++e) {
    const SnapEdge& edge = instance.shapes->edges[e];
    const auto circle = roundIn(instance, edge);
    if (kind == SnapKind::centre) {
      if (circle) add(edge.face, circle->centre, e, circle);
      continue;
    }
    const Transform partFromWorld = instance.worldFromPart.inverse();
    for (std::size_t i = 1; i < edge.points.size(); ++i) {
      const auto at = [&](std::size_t p) {
        return instance.worldFromPart.apply(instance.mesh->pointInPart(edge.points[p]));
      };
      add(edge.face, partFromWorld.apply(search.nearestOn(at(i - 1), at(i))), e, circle);
    }
  }
}

}  // namespace

std::optional<SnapPoint> snapAt(const Camera& camera, const SnapRequest& request) {
  Search search(camera, request);
  for (const SnapKind kind : {SnapKind::corner, SnapKind::centre, SnapKind::edge}) {
    search.clear();
    for (const SnapInstance& instance : request.instances) addAll(kind, instance, search);
    if (auto found = search.firstVisible()) return found;
  }
  return std::nullopt;
}

bool isInReach(const Camera& camera, PicturePoint at, double reach, const Box& world) {
  if (world.empty()) return false;
  const Ray ray = camera.ray(at);
  const double radius = norm(world.halfExtent());
  // Where the box is nearest to the eye, a pixel is smallest; its far end has the largest.
  const Vec3 far = world.centre() + radius * camera.forward();
  return norm(cross(world.centre() - ray.from, ray.direction)) <= radius + reach * camera.worldPerPixel(far);
}

}  // namespace fitup::viewer
