#include <fitup/query/distance_along.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include <fitup/base/borrowed.h>
#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/tree_queries.h>

namespace fitup {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// One body of the search.
struct Body {
  const TriangleMesh* mesh;
  const UniformWay* way;
  PlacedTree tree;      ///< in the world, at the middle of the interval
  double turnRate = 0;  ///< radians for each unit of s

  Body(const CollisionModel& model, const UniformWay& w, double middle)
      : mesh(&model.mesh()),
        way(&w),
        tree(PlacedTree::inWorld(borrowed(model), w.worldFromPart(middle))),
        turnRate(norm(w.turn)) {}

  [[nodiscard]] Triangle triangleAt(TriangleId id, double s) const {
    const Triangle local = mesh->triangle(id);
    const Transform placed = way->worldFromPart(s);
    Triangle t;
    for (std::size_t k = 0; k < 3; ++k) t.v[k] = placed.apply(mesh->origin() + local.v[k]);
    return t;
  }
};

/// A triangle of a leaf, at the middle of the interval, with the ball around it.
struct LeafTriangle {
  TriangleId id{};
  Triangle corners;
  Vec3 centre, velocity;  ///< velocity of the centre
  double radius = 0;
  double turning = 0;  ///< bound on the speed with which its points turn
};

LeafTriangle leafTriangle(const Body& body, TriangleId id, double middle) {
  LeafTriangle leaf{id, body.tree.triangle(id), {}, {}};
  leaf.centre = (1.0 / 3) * (leaf.corners.v[0] + leaf.corners.v[1] + leaf.corners.v[2]);
  for (const Vec3& p : leaf.corners.v) leaf.radius = std::max(leaf.radius, norm(p - leaf.centre));
  leaf.velocity = body.way->velocity(leaf.centre, middle);
  leaf.turning = body.way->turningSpeed(leaf.centre, middle) + body.turnRate * leaf.radius;
  return leaf;
}

class Search final : public PairVisitor {
 public:
  Search(const CollisionModel& first, const UniformWay& firstWay, const CollisionModel& second,
         const UniformWay& secondWay, const DistanceAlongRequest& request)
      : request_(request),
        middle_(0.5 * (request.from + request.to)),
        half_(0.5 * (request.to - request.from)),
        a_(first, firstWay, middle_),
        b_(second, secondWay, middle_),
        stop_(deadlineOf(request.limits.timeBudget), request.limits.cancel) {
    kept_ = request.clearance + request.rounding;
    limit = kept_ + request.reserve;
    report_.until = request.to;
    report_.atLeast = unbounded;
  }

  DistanceAlongReport run() {
    visitPairs(a_.tree, b_.tree, *this);
    if (!report_.isComplete) {
      report_.until = request_.from;
      report_.reached.reset();
    }
    report_.atLeast = std::max(report_.atLeast - request_.rounding, request_.clearance);
    return report_;
  }

  /// The largest gap over directions, less what the boxes may come nearer along it.
  double bound(const NodeBox& a, const NodeBox& b) override {
    if (isSpent()) return unbounded;
    const Vec3 between = b.centre - a.centre;
    const Vec3 coming = b_.way->velocity(b.centre, middle_) - a_.way->velocity(a.centre, middle_);
    const double turningOfA = turningOf(a_, a), turningOfB = turningOf(b_, b);
    double most = -unbounded;
    const auto lookAlong = [&](const Vec3& n) {
      const double length = norm(n);
      if (!(length > 0)) return;
      double gap = std::abs(dot(between, n)) - a.reach(n) - b.reach(n) - half_ * std::abs(dot(coming, n));
      const auto turned = [&](const Body& body, const NodeBox& box, double turning) {
        if (!(body.turnRate > 0)) return;
        const Vec3 across = cross(n, body.way->turn);
        gap -= half_ * box.reach(across) + 0.5 * half_ * half_ * turning * norm(across);
      };
      turned(a_, a, turningOfA);
      turned(b_, b, turningOfB);
      most = std::max(most, gap / length);
    };
    const double apart = norm(between);
    const auto result = [&] { return most * (1 - 0x1p-44) - 0x1p-44 * apart; };
    lookAlong(between);
    for (const NodeBox* box : {&a, &b})
      for (std::size_t i = 0; i < 3 && !(result() >= limit); ++i)
        lookAlong(cross(box->axes[i], box->axes[(i + 1) % 3]));
    if (result() >= limit) report_.atLeast = std::min(report_.atLeast, result());
    return result();
  }

  void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) override {
    constexpr std::size_t most = 8;
    std::array<LeafTriangle, most> other;
    for (std::size_t k = 0; k < ofB.size(); ++k) other[k] = leafTriangle(b_, ofB[k], middle_);
    for (const TriangleId id : ofA) {
      const LeafTriangle one = leafTriangle(a_, id, middle_);
      for (std::size_t k = 0; k < ofB.size() && !isSpent(); ++k) look(one, other[k]);
    }
  }

 private:
  /// True if nothing more is to be found, or a limit has ended the search.
  bool isSpent() {
    if (report_.isComplete && (report_.pieces > request_.maxPieces || stop_.stop()))
      report_.isComplete = false;
    if (!report_.isComplete || !(report_.until > request_.from)) limit = -unbounded;
    return limit == -unbounded;
  }

  /// Bound on the speed with which points in the box turn.
  [[nodiscard]] double turningOf(const Body& body, const NodeBox& box) const {
    if (!(body.turnRate > 0)) return 0;
    double radius = box.grown;
    for (int k = 0; k < 3; ++k) radius += box.half[k] * norm(box.axes[static_cast<std::size_t>(k)]);
    return body.way->turningSpeed(box.centre, middle_) + body.turnRate * radius;
  }

  void look(const LeafTriangle& a, const LeafTriangle& b) {
    const double coming = norm(b.velocity - a.velocity) + a_.turnRate * a.radius + b_.turnRate * b.radius;
    const double bend = 0.5 * half_ * half_ * (a_.turnRate * a.turning + b_.turnRate * b.turning);
    const double apart = norm(b.centre - a.centre) - a.radius - b.radius - half_ * coming - bend;
    if (apart >= limit) {
      report_.atLeast = std::min(report_.atLeast, apart);
      return;
    }
    ++report_.pieces;
    const Facing now = facing(a.corners, b.corners, middle_);
    const double all = now.leastWithin(half_, -half_) - half_ * half_ * bendAlong(now.direction, a, b);
    if (now.isApart && all >= kept_ + 0.5 * request_.reserve) {
      report_.atLeast = std::min(report_.atLeast, all);
      return;
    }
    advance(a, b);
  }

  /// Two triangles at one time, and the gaps between their corners along the direction between them.
  struct Facing {
    bool isApart = false;
    double distance = 0;
    Vec3 direction;  ///< from the first one to the second
    std::array<double, 3> reachOfA{}, rateOfA{}, reachOfB{}, rateOfB{};

    /// The least gap while both move as at that time, for a while before and after it.
    [[nodiscard]] double leastWithin(double after, double before) const {
      double least = unbounded;
      for (const double t : {after, before}) {
        double ofA = -unbounded, ofB = unbounded;
        for (std::size_t i = 0; i < 3; ++i) {
          ofA = std::max(ofA, reachOfA[i] + t * rateOfA[i]);
          ofB = std::min(ofB, reachOfB[i] + t * rateOfB[i]);
        }
        least = std::min(least, ofB - ofA);
      }
      return least;
    }
    /// How long the gap certainly stays above `kept`, if it bends by at most `bend` times the square of the
    /// time.
    [[nodiscard]] double lasts(double kept, double bend) const {
      double time = unbounded;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
          const double margin = reachOfB[j] - reachOfA[i] - kept, closing = rateOfA[i] - rateOfB[j];
          if (!(margin > 0)) return 0;
          // The positive root of margin - closing t - bend t^2, in a form without cancellation.
          const double root = std::sqrt(closing * closing + 4 * bend * margin);
          if (closing + root > 0) time = std::min(time, 2 * margin / (closing + root));
        }
      return time;
    }
  };

  [[nodiscard]] Facing facing(const Triangle& a, const Triangle& b, double s) const {
    Facing f;
    const ClosestPoints points = distanceTriangleTriangle(a, b);
    f.distance = points.distance;
    if (!(points.distance > 0)) return f;
    const Vec3 n = f.direction = normalized(points.onB - points.onA);
    for (std::size_t i = 0; i < 3; ++i) {
      f.reachOfA[i] = dot(n, a.v[i] - points.onA);
      f.reachOfB[i] = dot(n, b.v[i] - points.onA);
      f.rateOfA[i] = dot(n, a_.way->velocity(a.v[i], s));
      f.rateOfB[i] = dot(n, b_.way->velocity(b.v[i], s));
    }
    f.isApart = true;
    return f;
  }

  /// Half the acceleration, along a direction, with which two triangles may come nearer.
  [[nodiscard]] double bendAlong(const Vec3& n, const LeafTriangle& a, const LeafTriangle& b) const {
    return 0.5 * (norm(cross(a_.way->turn, n)) * a.turning + norm(cross(b_.way->turn, n)) * b.turning);
  }

  /// Advances two triangles from the start of the interval until they are near the clearance.
  void advance(const LeafTriangle& a, const LeafTriangle& b) {
    constexpr int mostSteps = 200;
    // Never as near as the clearance itself: half of the reserve always remains.
    const double kept = kept_ + 0.5 * request_.reserve;
    double s = request_.from;
    for (int step = 0; s < report_.until; ++step) {
      ++report_.pieces;
      const Facing now = facing(a_.triangleAt(a.id, s), b_.triangleAt(b.id, s), s);
      const bool isNear = !now.isApart || now.distance < kept_ + request_.reserve;
      // A fourth of the margin is kept, so that the bound says more than that the clearance is kept.
      const double margin = now.distance - kept;
      const double time = isNear ? 0 : now.lasts(kept + 0.25 * margin, bendAlong(now.direction, a, b));
      if (isNear || step == mostSteps || !(s + time > s)) {
        report_.until = s;
        report_.reached = TrianglePair{a.id, b.id};
        return;
      }
      report_.atLeast = std::min(report_.atLeast, kept + 0.25 * margin);
      s += time;
    }
  }

  const DistanceAlongRequest& request_;
  double middle_, half_;
  Body a_, b_;
  StopCheck stop_;
  double kept_ = 0;
  DistanceAlongReport report_;
};

}  // namespace

DistanceAlongReport distanceAlong(const CollisionModel& first, const UniformWay& firstWay,
                                  const CollisionModel& second, const UniformWay& secondWay,
                                  const DistanceAlongRequest& request) {
  if (!(request.reserve > 0)) throw InputError("distance along a way", "reserve", "is not above zero");
  return Search(first, firstWay, second, secondWay, request).run();
}

}  // namespace fitup
