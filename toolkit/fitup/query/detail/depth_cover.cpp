#include <fitup/query/detail/depth_cover.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/box_corners.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/query/detail/cut_facing.h>
#include <fitup/query/detail/triangles_inside.h>

namespace fitup::detail {
namespace {

constexpr double beyondAll = std::numeric_limits<double>::infinity();
/// Of the size of the smaller body: how far from the target triangles of the source are looked at. Farther:
/// fewer collections of triangles, more of them.
constexpr double reachOfSize = 1.0 / 8;
/// Of the useful depth: what the reasons leave of it, because the rounding of poses changes a little.
constexpr double shareOfUseful = 1 - 0x1p-8;
/// Pieces into which a triangle is divided; what has no reason then is searched each time.
constexpr std::size_t mostExamined = 96;
/// Radians in all, until triangles are collected again; see `DepthCover`.
constexpr double mostTurned = 0.5;

/// The angle between two rigid or mirrored placements.
double turnBetween(const Transform& a, const Transform& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) sum += (a.m[i][k] - b.m[i][k]) * (a.m[i][k] - b.m[i][k]);
  // |R - 1| = 2 sqrt(2) sin(angle / 2), and a little for rounding.
  return 2 * std::asin(std::min(1.0, std::sqrt(sum / 8))) + 0x1p-40;
}

/// The box of a body in its local frame.
Box boxOf(const SolidModel& body) {
  return {toVec3(body.mesh().bounds().min), toVec3(body.mesh().bounds().max)};
}

}  // namespace

DepthCover::DepthCover(const SolidModel& target, const SolidModel& source)
    : target_(&target),
      source_(&source),
      inTarget_(target.model()),
      onOuter_(target.outer()),
      reach_(reachOf(target, source)) {}

double DepthCover::reachOf(const SolidModel& one, const SolidModel& other) {
  return reachOfSize * 2 * std::min(norm(boxOf(one).halfExtent()), norm(boxOf(other).halfExtent()));
}

/// A bound on the way of the points in the region from one pose to another one.
double DepthCover::displacement(const Transform& from, const Transform& to) const {
  double farthest = 0;
  for (const Vec3& p : cornersOf(region_)) farthest = std::max(farthest, norm(to.apply(p) - from.apply(p)));
  return farthest + rounding_;
}

/// The same on the whole motion.
double DepthCover::displacement() const {
  double bend = 0;
  for (const Vec3& p : cornersOf(region_)) bend = std::max(bend, motion_.bend(motion_.start.apply(p)));
  return displacement(motion_.start, motion_.end) + bend;
}

/// The part of the box of the source that is near the target at the start of the motion.
Box DepthCover::regionHere() const {
  Box near = placedBounds(target_->mesh(), motion_.start.inverse());
  const Box own = boxOf(*source_);
  const double by = 2 * reach_ + rounding_;
  near.min = near.min - Vec3{by, by, by};
  near.max = near.max + Vec3{by, by, by};
  Box both;
  for (int k = 0; k < 3; ++k) {
    both.min[k] = std::max(near.min[k], own.min[k]);
    both.max[k] = std::min(near.max[k], own.max[k]);
    if (both.min[k] > both.max[k]) return near;
  }
  return both;
}

/// By how much a box may move and still reach less than the useful depth into the box around the target;
/// below 0 if it reaches farther.
double DepthCover::besideBy(const Box& box) const noexcept {
  const Vec3 low = toVec3(target_->mesh().bounds().min), high = toVec3(target_->mesh().bounds().max);
  double by = -beyondAll;
  for (int k = 0; k < 3; ++k)
    by = std::max({by, box.min[k] + useful_ - high[k], low[k] - box.max[k] + useful_});
  return by;
}

/// The largest distance of a corner from a triangle of the target.
double DepthCover::farthest(const ConvexPolygon& polygon, const Transform& place, TriangleId facing) const {
  const Triangle t = onOuter_.mesh().triangle(facing);
  double most = 0;
  for (const Vec3& p : polygon.corners())
    most = std::max(most, distancePointTriangle(place.apply(p), t).distance);
  return most;
}

/// Finds the triangles of the source that may get to the target before the source has moved by the reach.
void DepthCover::collect() {
  struct Collector final : TreeVisitor {
    explicit Collector(DepthCover& c) : cover(c) {}
    double bound(const NodeBox& node) override {
      if (cover.besideBy(node.around()) > cover.reach_) return beyondAll;
      const double radius = norm(node.half) + node.grown + cover.rounding_;
      const double far = radius + cover.reach_;
      if (const auto nearest = cover.onOuter_.closest(node.centre, far, cover.hint_)) {
        cover.hint_ = nearest->triangle;
        return 0;
      }
      const bool isOutside =
          cover.inTarget_.side(node.centre, cover.target_->watertightness()) == PointSide::outside;
      return isOutside ? beyondAll : 0;
    }
    void visit(std::span<const TriangleId> triangles) override {
      found.insert(found.end(), triangles.begin(), triangles.end());
    }
    DepthCover& cover;
    std::vector<TriangleId> found;
  } collector(*this);
  visitTree(PlacedTree(source_->sharedModel(), motion_.start), collector);
  std::sort(collector.found.begin(), collector.found.end());
  std::vector<Face> faces;
  faces.reserve(collector.found.size());
  auto known = faces_.begin();
  for (const TriangleId id : collector.found) {
    while (known != faces_.end() && known->id < id) ++known;
    if (known != faces_.end() && known->id == id) {
      faces.push_back(std::move(*known));
      continue;
    }
    const Triangle t = source_->mesh().triangle(id);
    faces.push_back({id, {{ConvexPolygon::of(t.v[0], t.v[1], t.v[2])}}});
  }
  faces_ = std::move(faces);
  collectedAt_ = travelStart_;
  turned_ = 0;
  region_ = regionHere();
  // What was outside of the region has moved by more than is known.
  for (Face& face : faces_)
    for (Piece& piece : face.pieces)
      if (!isInRegion(piece)) piece.until = -beyondAll;
}

bool DepthCover::isInRegion(const Piece& piece) const noexcept {
  return std::ranges::all_of(piece.polygon.corners(), [&](const Vec3& p) {
    for (int k = 0; k < 3; ++k)
      if (p[k] < region_.min[k] || p[k] > region_.max[k]) return false;
    return true;
  });
}

/// True if the reason of a piece holds on the whole motion, or if another one does.
bool DepthCover::holds(Piece& piece) {
  if (travelEnd_ < piece.until) return true;
  double bend = 0;
  for (const Vec3& p : piece.polygon.corners()) bend = std::max(bend, motion_.bend(motion_.start.apply(p)));
  if (piece.reason == Reason::near) {
    const double useful = useful_ - bend, atEnd = farthest(piece.polygon, motion_.end, piece.facing);
    // A bound on what it was, from when `until` was found.
    double atStart = useful_ - (piece.until - travelStart_);
    if (atStart > useful) atStart = farthest(piece.polygon, motion_.start, piece.facing);
    if (std::max(atStart, atEnd) <= useful) {
      piece.until = isInRegion(piece) ? travelEnd_ + useful_ - atEnd : -beyondAll;
      return true;
    }
  }
  ConvexPolygon both;
  for (const Transform* place : {&motion_.start, &motion_.end})
    for (const Vec3& p : piece.polygon.corners()) both.add(place->apply(p));
  return findReason(piece, both, bend);
}

/// Looks for a reason of a piece that lies between these points, up to `bend`, as it does at the end of the
/// motion.
bool DepthCover::findReason(Piece& piece, const ConvexPolygon& between, double bend) {
  // At the start of the motion, apart from it by more than it has moved since.
  const bool wasOutside = piece.reason == Reason::outside && travelStart_ < piece.until - useful_;
  piece.reason = Reason::none;
  const auto found = [&](Reason reason, double margin) {
    piece.reason = reason;
    piece.until = isInRegion(piece) ? travelEnd_ + margin : -beyondAll;
    return true;
  };
  const double useful = useful_ - bend;
  const std::span<const Vec3> corners = between.corners();
  if (const double by = besideBy(Box::around(corners)); by > bend) return found(Reason::away, by);
  const Vec3 middle = between.middle();
  double radius = 0;
  for (const Vec3& p : corners) radius = std::max(radius, norm(p - middle));
  const auto isOutside = [&] {
    return wasOutside || inTarget_.side(middle, target_->watertightness()) == PointSide::outside;
  };
  const auto nearest = onOuter_.closest(middle, radius + useful_ + reach_, piece.facing);
  if (!nearest) return isOutside() && found(Reason::outside, useful_ + reach_);
  piece.facing = nearest->triangle;
  const Triangle facing = onOuter_.mesh().triangle(piece.facing);
  double far = 0;
  for (const Vec3& p : corners) far = std::max(far, distancePointTriangle(p, facing).distance);
  if (far <= useful) return found(Reason::near, useful_ - far);
  if (target_->patches().heightOver(piece.facing, corners, middle, useful)) return found(Reason::over, 0);
  // A point on the surface is neither inside nor outside.
  const double apart = nearest->distance - radius;
  if (nearest->distance <= rounding_ || !(useful + apart > 0)) return false;
  if (apart > bend + rounding_) return isOutside() && found(Reason::outside, useful_ + apart);
  return inTarget_.side(middle, target_->watertightness()) == PointSide::outside &&
         found(Reason::away, useful_ + apart);
}

/// True if a piece at the end of the motion is outside, apart from its border: no smaller pieces of it are
/// easier to search.
bool DepthCover::isClear(const ConvexPolygon& placed) {
  const Vec3 middle = placed.middle();
  const std::optional<ConvexPolygon> drawn = placed.drawnTo(middle, 0.5 * useful_);
  return drawn && !meets(onOuter_, {}, *drawn) &&
         inTarget_.side(middle, target_->watertightness()) == PointSide::outside;
}

void DepthCover::open(const ConvexPolygon& piece) {
  if (piece.count < 3) return;
  if (piece.count <= SweptDepth::mostCorners) {
    open_.push_back(piece);
    return;
  }
  const auto [half, rest] = piece.halvedAtCorners();
  open(half);
  open(rest);
}

/// Divides a triangle into pieces of which as much as possible has a reason at the end of the motion.
void DepthCover::divide(Face& face) {
  face.pieces.clear();
  face.searched = 0;
  const Triangle t = source_->mesh().triangle(face.id);
  const Transform toSource = motion_.end.inverse();
  open_.assign(1, ConvexPolygon::of(t.v[0], t.v[1], t.v[2]));
  TriangleId hint{};
  // Large pieces first: where the number ends, small ones are left.
  for (std::size_t next = 0; next < open_.size(); ++next) {
    Piece piece{open_[next], Reason::none, hint};
    ConvexPolygon placed;
    for (const Vec3& p : piece.polygon.corners()) placed.add(motion_.end.apply(p));
    if (next >= mostExamined || findReason(piece, placed, 0) || isClear(placed)) {
      face.pieces.push_back(piece);
      continue;
    }
    hint = piece.facing;
    const auto plane = cutFacing(placed, *target_, onOuter_.mesh().triangle(piece.facing), useful_);
    const auto [one, other] =
        plane ? piece.polygon.cut(toSource.apply(plane->point), toSource.applyToVector(plane->normal))
              : piece.polygon.halved();
    open(one);
    open(other);
  }
  face.divided = open_.size();
}

bool DepthCover::staysWithin(const SweptMotion& motion, double depth, double rounding, std::size_t maxPieces,
                             const Stop& stop) {
  if (source_->mesh().triangleCount() == 0) return depth > 0;
  motion_ = motion;
  rounding_ = 0x1p-42 * (farthestFromOrigin(target_->mesh()) + farthestFromOrigin(source_->mesh()) +
                         norm(motion.start.t) + norm(motion.end.t));
  const double useful = depth - rounding_ - rounding;
  if (!(useful > 0)) return false;
  if (!(useful_ <= useful && useful_ > shareOfUseful * shareOfUseful * useful)) {
    faces_.clear();
    useful_ = shareOfUseful * useful;
    pose_.reset();
  }
  const bool isNew = !pose_;
  if (!isNew && !(*pose_ == motion.start)) {
    travelEnd_ += displacement(*pose_, motion.start);
    turned_ += turnBetween(*pose_, motion.start);
  }
  travelStart_ = travelEnd_;
  pose_ = motion.end;
  if (isNew || !(travelStart_ + displacement() - collectedAt_ < reach_ && turned_ + motion.turn < mostTurned))
    collect();
  const double step = displacement();
  travelEnd_ = travelStart_ + step;
  turned_ += motion.turn;
  if (!(step < reach_ && turned_ < mostTurned)) {
    faces_.clear();
    pose_.reset();
    return SweptDepth(*target_, *source_, motion).staysWithin(depth, rounding, maxPieces, stop);
  }

  SweptDepth search(*target_, *source_, motion);
  std::size_t searched = 0;
  // First the one that failed the last time.
  const std::size_t first = std::exchange(first_, 0);
  for (std::size_t k = 0; k < faces_.size(); ++k) {
    Face& face = faces_[(first + k) % faces_.size()];
    if (k % 16 == 0 && stop && stop()) return false;
    open_.clear();
    for (Piece& piece : face.pieces)
      if (!holds(piece)) open_.push_back(piece.polygon);
    if (open_.empty()) continue;
    if (searched >= maxPieces || !search.staysWithin(open_, depth, rounding, maxPieces - searched, stop)) {
      first_ = (first + k) % faces_.size();
      return false;
    }
    searched += search.pieces();
    face.searched += search.pieces();
    if (face.searched > 2 * face.divided) divide(face);
  }
  return true;
}

}  // namespace fitup::detail
