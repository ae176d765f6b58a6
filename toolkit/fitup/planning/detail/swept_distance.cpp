#include <fitup/planning/detail/swept_field.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup::detail {
namespace {

/// Of a piece that is divided into its triangles near to a cube. More: cubes take longer, points less.
constexpr std::size_t mostTriangles = 24;
/// How often pieces are left out of a list because they are hardly nearer than others: in blocks when
/// they are made and when points of the surface are found, and in their halves.
constexpr double mostDrops = 3;
/// Share of the tolerance that a search for the nearest piece of a list has. The rest is for what the lists
/// leave out.
constexpr double shareOfSearch = 0.4;
/// Distances of cells need not be more accurate than this.
constexpr double toleranceInRadius = 0.05;

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

/// Calls `found(piece, sag, nearest, from, to)` for a piece whose distance is below `limit`, which `found`
/// may lower; for its halves if its sag is too large. Ends with false if `found` does.
template <typename Found>
bool SweptDistance::scanPiece(const Vec3& x, const Scan& scan, const NearPiece& first, const double& limit,
                              const Found& found) {
  using enum NearPiece::Triangles;
  stack_.push_back(first);
  while (!stack_.empty()) {
    const NearPiece next = stack_.back();
    stack_.pop_back();
    const SweptPiece& piece = motion_->pieces[next.piece];
    if (distanceToBox(x, piece.box) >= limit) continue;
    const double sag = piece.sagOf(x);
    if (sag > scan.finest && piece.firstHalf != SweptPiece::none) {
      for (const std::uint32_t k : {0U, 1U})
        stack_.push_back({piece.firstHalf + k, next.triangle, next.triangles, 0});
      continue;
    }
    ++queries_;
    const Vec3 a = piece.localFromWorldAtFrom.apply(x), b = piece.localFromWorldAtTo.apply(x);
    PointQuery& query = ofModels_[piece.body];
    const double within = scan.withSag ? limit + sag : limit;
    const auto nearest = next.triangles == one
                             ? query.triangleToSegment(a, b, within, next.triangle)
                             : query.closestToSegment(a, b, within, next.triangle, scan.tolerance);
    if (!nearest) continue;
    const double error = sag + (next.triangles == one ? 0 : scan.tolerance);
    if (!found(NearPiece{next.piece, nearest->triangle, next.triangles, nearest->distance - error}, sag,
               *nearest, a, b)) {
      stack_.clear();
      return false;
    }
  }
  return true;
}

template <typename Found>
void SweptDistance::scanAll(const Vec3& x, const Scan& scan, const NearList& from, const double& limit,
                            const Found& found) {
  const double away = norm(x - from.centre) * (1 + 0x1p-30);
  const Vec3 fromCentre = x - from.centre;
  for (const NearPiece& next : from.pieces) {
    if (next.low - away >= limit) return;
    if (NearList::lowAt(next, fromCentre, away) >= limit) continue;
    if (!scanPiece(x, scan, next, limit, found)) return;
  }
}

SweptDistance::Ball SweptDistance::look(const WorldCube& cube, std::span<const NearName> from, double finest,
                                        bool divide, std::vector<NearPiece>& found) {
  named_.clear();
  // Nothing is known of their distances.
  for (const NearName& name : from) named_.push_back({name.piece, name.triangle, name.triangles, 0});
  return look(cube, NearList{named_, cube.centre}, finest, divide, found);
}

SweptDistance::Ball SweptDistance::look(const WorldCube& cube, const NearList& from, double finest,
                                        bool divide, std::vector<NearPiece>& found) {
  using enum NearPiece::Triangles;
  found.clear();
  Ball ball;
  const double inside = grid_.level - grid_.band, radius = cube.radius();
  double limit = grid_.level + 2 * grid_.voxel + radius;
  const Scan scan{finest, std::max(toleranceInRadius * radius, shareOfSearch * grid_.tolerance), true};
  std::optional<Witness> witness;
  const auto take = [&](const NearPiece& piece, double sag, const ClosestToSegment& nearest, const Vec3& a,
                        const Vec3& b) {
    ball.low = std::min(ball.low, piece.low);
    if (nearest.distance + sag < ball.high) {
      ball.high = nearest.distance + sag;
      witness = {piece, shareOf(nearest.onSegment, a, b), nearest.onSegment - nearest.onMesh};
    }
    // Beyond, a piece is nearest to no point of the ball.
    limit = std::min(limit, ball.high + 2 * radius);
    found.push_back(piece);
    if (piece.triangles == one) boundOne(found.back(), nearest, a, b, cube);
    ball.isInside = ball.high + radius < inside;
    return !ball.isInside;
  };
  // Of triangles, only those are looked at that may be nearer to the centre than the nearest one so far.
  later_.clear();
  const Vec3 fromCentre = cube.centre - from.centre;
  const double away = norm(fromCentre) * (1 + 0x1p-30);
  for (const NearPiece& next : from.pieces) {
    if (next.low - away >= limit) break;
    if (next.triangles == one) {
      const double low = NearList::lowAt(next, fromCentre, away);
      if (low >= limit) continue;
      if (low >= ball.high - scan.tolerance) {
        later_.push_back(next);
        later_.back().low = low;
        continue;
      }
    }
    if (!scanPiece(cube.centre, scan, next, limit, take)) return ball;
  }
  std::erase_if(found, [&](const NearPiece& p) { return p.low >= limit; });
  if (witness) {
    const Witness nearest = *witness;
    const SweptPiece& its = motion_->pieces[nearest.piece.piece];
    const double tolerance = divide ? (1 - shareOfSearch) / mostDrops * grid_.tolerance : 0;
    const CornerDistances corners(its, ofModels_[its.body].mesh().triangle(nearest.piece.triangle),
                                  nearest.share, cube);
    const auto isExcluded = [&](const NearPiece& p) {
      return p.triangles == one &&
             !(p.piece == nearest.piece.piece && p.triangle == nearest.piece.triangle) &&
             corners.excludes(p, tolerance);
    };
    if (divide) divideIntoTriangles(cube, limit, nearest, corners, found);
    std::erase_if(found, isExcluded);
    for (NearPiece& next : later_) {
      if (next.low >= limit) continue;
      ball.low = std::min(ball.low, next.low);
      next.atFrom.atCentre = static_cast<float>(next.atFrom.at(fromCentre));
      next.atTo.atCentre = static_cast<float>(next.atTo.at(fromCentre));
      if (isExcluded(next)) continue;
      // Bounds that are made for this cube exclude more.
      const std::size_t before = found.size();
      if (!scanPiece(cube.centre, scan, next, limit, take)) return ball;
      found.erase(
          std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(), isExcluded),
          found.end());
    }
  }
  // What was left out may be nearer by this.
  ball.low -= grid_.tolerance;
  std::ranges::stable_sort(found, {}, &NearPiece::low);
  return ball;
}

SweptDistance::Ball SweptDistance::lookRoughly(const WorldCube& cube, const NearList& from) {
  Ball ball;
  const double inside = grid_.level - grid_.band, radius = cube.radius();
  const double far = grid_.level + grid_.band + radius + 2 * grid_.tolerance;
  const double d = distance(cube.centre, from, far);
  ball.low = d < far ? d - grid_.sag - 2 * grid_.tolerance : d;
  ball.high = d + grid_.sag;
  ball.isInside = ball.high + radius < inside;
  return ball;
}

void SweptDistance::boundOne(NearPiece& one, const ClosestToSegment& nearest, const Vec3& a, const Vec3& b,
                             const WorldCube& cube) const {
  const SweptPiece& piece = motion_->pieces[one.piece];
  boundTriangle(one, piece, ofModels_[piece.body].mesh().triangle(one.triangle), a, b,
                nearest.onSegment - nearest.onMesh, cube);
}

/// A triangle that is left out is, at all times of the piece, at least `limit` from the centre. So it may be
/// left out for the halves of the piece as well. The same is true of what `corners` excludes.
void SweptDistance::divideIntoTriangles(const WorldCube& cube, double limit, const Witness& witness,
                                        const CornerDistances& corners, std::vector<NearPiece>& pieces) {
  using enum NearPiece::Triangles;
  divided_.clear();
  const double tolerance = (1 - shareOfSearch) / mostDrops * grid_.tolerance;
  const SweptPiece& its = motion_->pieces[witness.piece.piece];
  for (NearPiece& next : pieces) {
    if (next.triangles == one) {
      divided_.push_back(next);
      continue;
    }
    const SweptPiece& piece = motion_->pieces[next.piece];
    const double sag = piece.sagOf(cube.centre);
    const Vec3 a = piece.localFromWorldAtFrom.apply(cube.centre),
               b = piece.localFromWorldAtTo.apply(cube.centre);
    const TriangleMesh& mesh = ofModels_[piece.body].mesh();
    // Most triangles are excluded by the direction of the nearest one.
    Vec3 outward = piece.localFromWorldAtFrom.applyToVector(
        its.localFromWorldAtFrom.inverse().applyToVector(witness.outward));
    const double length = norm(outward);
    double excluded = -std::numeric_limits<double>::infinity();
    if (length > 0x1p-20 * cube.half) {
      outward = outward * ((1 - 0x1p-28) / length);
      excluded = corners.excludedBelow(piece, outward, tolerance);
    }
    const bool isWitness = next.piece == witness.piece.piece;
    PointQuery& query = ofModels_[piece.body];
    query.near({{a, b, b}}, limit + sag, around_);
    std::erase_if(around_, [&](TriangleId id) {
      const Triangle t = mesh.triangle(id);
      const double along = std::max({dot(outward, t.v[0]), dot(outward, t.v[1]), dot(outward, t.v[2])});
      return along <= excluded && !(isWitness && id == witness.piece.triangle);
    });
    if (around_.size() > mostTriangles) {
      next.triangles = many;
      divided_.push_back(next);
      continue;
    }
    for (const TriangleId id : around_) {
      const auto nearest = query.triangleToSegment(a, b, limit + sag, id);
      if (!nearest) continue;
      divided_.push_back({next.piece, id, one, nearest->distance - sag});
      boundOne(divided_.back(), *nearest, a, b, cube);
    }
  }
  pieces.swap(divided_);
}

double SweptDistance::distance(const Vec3& x, const NearList& from, double upTo) {
  const double inside = grid_.level - grid_.band;
  double limit = upTo, least = upTo;
  const double tolerance = shareOfSearch * grid_.tolerance;
  scanAll(x, {grid_.sag, tolerance, false}, from, limit,
          [&](const NearPiece&, double sag, const ClosestToSegment& nearest, const Vec3&, const Vec3&) {
            least = std::min(least, nearest.distance);
            limit = least - tolerance;
            return least + sag >= inside;
          });
  return least;
}

std::optional<NearestSweep> SweptDistance::nearest(const Vec3& x, const NearList& from, double upTo) {
  std::optional<NearestSweep> best;
  double limit = upTo;
  scanAll(
      x, {grid_.sag, 0, false}, from, limit,
      [&](const NearPiece& piece, double sag, const ClosestToSegment& nearest, const Vec3& a, const Vec3& b) {
        limit = nearest.distance;
        const double share = shareOf(nearest.onSegment, a, b);
        best = {nearest.distance, sag, piece.piece, nearest.triangle, share, nearest.onMesh};
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
