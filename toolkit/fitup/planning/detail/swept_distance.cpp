#include <fitup/planning/detail/swept_field.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup::detail {
namespace {

double distanceToBox(const Vec3& p, const Box& box) noexcept {
  const Vec3 gap{std::max({box.min.x - p.x, p.x - box.max.x, 0.0}),
                 std::max({box.min.y - p.y, p.y - box.max.y, 0.0}),
                 std::max({box.min.z - p.z, p.z - box.max.z, 0.0})};
  return norm(gap);
}

/// Share of a segment at which a point of it is.
double shareOf(const Vec3& point, const Vec3& from, const Vec3& to) noexcept {
  const Vec3 along = to - from;
  const double square = dot(along, along);
  return square > 0 ? std::clamp(dot(point - from, along) / square, 0.0, 1.0) : 0.0;
}

}  // namespace

SweptDistance::SweptDistance(const SweptMotion& motion, const FieldGrid& grid)
    : motion_(&motion), grid_(grid) {
  for (const SweptBody& body : motion.bodies) {
    ofModels_.emplace_back(*body.model);
    if (!body.solid) continue;
    const SweptPiece& first = motion.pieces[ofModels_.size() - 1];
    const Vec3 shift = body.model->mesh().origin() - body.solid->mesh().origin();
    ofSolids_.push_back({PointQuery(body.solid->model()), &body.solid->watertightness(),
                         Transform::translation(shift) * first.localFromWorldAtFrom});
  }
}

/// Calls `found(candidate, piece, sag, nearest, from, to)` for all pieces whose distance less their sag is
/// below `limit`, which `found` may lower; until it returns false. Pieces whose sag is above `finest` are
/// halved, if they can be.
template <typename Found>
void SweptDistance::scan(const Vec3& x, double finest, std::span<const NearPiece> from, const double& limit,
                         const Found& found) {
  stack_.assign(from.rbegin(), from.rend());
  while (!stack_.empty()) {
    const NearPiece next = stack_.back();
    stack_.pop_back();
    const SweptPiece& piece = motion_->pieces[next.piece];
    if (distanceToBox(x, piece.box) >= limit) continue;
    const double sag = piece.sagOf(x);
    if (sag > finest && piece.firstHalf != SweptPiece::none) {
      for (const std::uint32_t k : {0U, 1U}) stack_.push_back({piece.firstHalf + k, next.triangle, 0});
      continue;
    }
    ++queries_;
    const Vec3 a = piece.localFromWorldAtFrom.apply(x), b = piece.localFromWorldAtTo.apply(x);
    const auto nearest = ofModels_[piece.body].closestToSegment(a, b, limit + sag, next.triangle);
    if (nearest && !found(next.piece, sag, *nearest, a, b)) return;
  }
}

SweptDistance::Ball SweptDistance::look(const Vec3& centre, double radius, std::span<const NearPiece> from,
                                        std::vector<NearPiece>& found) {
  found.clear();
  Ball ball;
  const double inside = grid_.level - grid_.band;
  double limit = grid_.level + 2 * grid_.voxel + radius;
  scan(centre, std::max(0.25 * radius, grid_.sag), from, limit,
       [&](std::uint32_t piece, double sag, const ClosestToSegment& nearest, const Vec3&, const Vec3&) {
         const double low = nearest.distance - sag;
         ball.low = std::min(ball.low, low);
         ball.high = std::min(ball.high, nearest.distance + sag);
         // Beyond, a piece is nearest to no point of the ball.
         limit = std::min(limit, ball.high + 2 * radius);
         found.push_back({piece, nearest.triangle, low});
         ball.isInside = ball.high + radius < inside;
         return !ball.isInside;
       });
  if (ball.isInside) return ball;
  std::erase_if(found, [&](const NearPiece& p) { return p.low >= limit; });
  std::ranges::stable_sort(found, {}, &NearPiece::low);
  return ball;
}

double SweptDistance::distance(const Vec3& x, std::span<const NearPiece> from, double upTo) {
  const double inside = grid_.level - grid_.band;
  double limit = upTo, least = upTo;
  scan(x, grid_.sag, from, limit,
       [&](std::uint32_t, double sag, const ClosestToSegment& nearest, const Vec3&, const Vec3&) {
         least = std::min(least, nearest.distance);
         limit = std::min(limit, nearest.distance + sag);
         return least + sag >= inside;
       });
  return least;
}

std::optional<NearestSweep> SweptDistance::nearest(const Vec3& x, std::span<const NearPiece> from,
                                                   double upTo) {
  std::optional<NearestSweep> best;
  double limit = upTo;
  scan(x, grid_.sag, from, limit,
       [&](std::uint32_t index, double sag, const ClosestToSegment& nearest, const Vec3& a, const Vec3& b) {
         limit = std::min(limit, nearest.distance + sag);
         if (best && nearest.distance >= best->distance) return true;
         const double share = shareOf(nearest.onSegment, a, b);
         best = {nearest.distance, sag, index, nearest.triangle, share, nearest.onMesh};
         return true;
       });
  if (best) {
    // Parameters are linear on the two halves of a piece of several ways.
    while (const std::optional<double>& joint = motion_->pieces[best->piece].joint) {
      const bool isFirst = best->at < *joint;
      best->at = isFirst ? best->at / *joint : (best->at - *joint) / std::max(1 - *joint, 0x1p-60);
      best->piece = motion_->pieces[best->piece].firstHalf + (isFirst ? 0 : 1);
    }
    const SweptPiece& piece = motion_->pieces[best->piece];
    best->at = piece.from + std::clamp(best->at, 0.0, 1.0) * (piece.to - piece.from);
    const Transform worldFromLocal = motion_->bodies[piece.body].worldFromLocal(piece.step, best->at);
    best->triangle = facing(piece.body, best->triangle, worldFromLocal.inverse().apply(x), best->point);
    best->point = worldFromLocal.apply(best->point);
  }
  return best;
}

TriangleId SweptDistance::facing(std::uint32_t body, TriangleId nearest, const Vec3& x, const Vec3& q) {
  const TriangleMesh& mesh = ofModels_[body].mesh();
  const double within = 0x1p-10 * grid_.voxel;
  ofModels_[body].near({{q, q, q}}, within, around_);
  const auto cosine = [&](TriangleId id) {
    const Triangle t = mesh.triangle(id);
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const double length = norm(n) * norm(x - q);
    return length > 0 ? std::abs(dot(n, x - q)) / length : 0.0;
  };
  double best = cosine(nearest);
  std::ranges::sort(around_);
  for (const TriangleId id : around_) {
    const double its = cosine(id);
    // Of faces that are equally steep, the nearest one stays.
    if (!(its > best + 0x1p-20) || distancePointTriangle(q, mesh.triangle(id)).distance > within) continue;
    best = its;
    nearest = id;
  }
  return nearest;
}

bool SweptDistance::isInsideAtStart(const Vec3& x) {
  return std::ranges::any_of(ofSolids_, [&](Inside& solid) {
    const PointSide side = solid.query.side(solid.localFromWorld.apply(x), *solid.watertightness);
    return side == PointSide::inside || side == PointSide::boundary;
  });
}

}  // namespace fitup::detail
