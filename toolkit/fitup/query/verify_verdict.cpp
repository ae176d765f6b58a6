#include <fitup/query/verify.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/base/text.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/query/sort_and_sweep.h>

namespace fitup {
namespace {

/// A body in the world, without a hierarchy.
class WorldBody {
 public:
  explicit WorldBody(const PosedSolid& posed) : posed_(posed) {
    const TriangleMesh& mesh = posed.solid->mesh();
    const double turned = posed.worldFromPart.determinant() < 0 ? -1 : 1;
    for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
      const TriangleId id{i};
      Triangle t = mesh.triangle(id);
      for (Vec3& v : t.v) {
        v = posed.inWorld(v);
        box_.extend(v);
      }
      triangles_.push_back(t);
      sense_.push_back(turned * posed.solid->watertightness().outward(id));
    }
  }

  [[nodiscard]] bool closed() const { return posed_.solid->watertightness().closed(); }
  [[nodiscard]] const std::vector<Triangle>& triangles() const noexcept { return triangles_; }
  /// Returns +1 or -1 for the side on which the triangle bounds material.
  [[nodiscard]] double sense(std::uint32_t triangle) const noexcept { return sense_[triangle]; }
  [[nodiscard]] std::size_t componentCount() const noexcept {
    return posed_.solid->topology().componentCount();
  }
  [[nodiscard]] std::uint32_t componentOf(std::uint32_t triangle) const noexcept {
    return posed_.solid->topology().componentOf(TriangleId{triangle});
  }
  [[nodiscard]] bool nearBox(const Vec3& p, double within = 0) const noexcept {
    return box_.min.x - within <= p.x && p.x <= box_.max.x + within && box_.min.y - within <= p.y &&
           p.y <= box_.max.y + within && box_.min.z - within <= p.z && p.z <= box_.max.z + within;
  }
  [[nodiscard]] Box boxCommonWith(const WorldBody& other) const noexcept {
    const Box &a = box_, &b = other.box_;
    return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y), std::max(a.min.z, b.min.z)},
            {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y), std::min(a.max.z, b.max.z)}};
  }

  /// Returns true if the winding number is above one half, in an open body at least three quarters (Jacobson
  /// and others, Robust Inside-Outside Segmentation using Generalized Winding Numbers, 2013). It is computed
  /// by solid angles (Van Oosterom and Strackee, 1983).
  [[nodiscard]] bool contains(const Vec3& p) const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      const Vec3 a = triangles_[i].v[0] - p, b = triangles_[i].v[1] - p, c = triangles_[i].v[2] - p;
      const double la = norm(a), lb = norm(b), lc = norm(c);
      const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
      sum += sense_[i] * std::atan2(dot(a, cross(b, c)), below);
    }
    return closed() ? sum > std::numbers::pi : sum >= 1.5 * std::numbers::pi;
  }

  /// Returns true if the body contains the points round `p` that are nearer than `depth`, as far as a few
  /// show that, and not all of those a little farther away.
  [[nodiscard]] bool isAsDeep(const Vec3& p, double depth, double slack, bool exactly) const {
    slack = std::max(slack, depth / 1024);
    constexpr int turns = 128;
    for (int i = 0; i < turns; ++i) {
      // Fibonacci's lattice on the sphere.
      const double z = 1 - (2 * i + 1.0) / turns, angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
      const double r = std::sqrt(1 - z * z);
      const Vec3 way{r * std::cos(angle), r * std::sin(angle), z};
      if (!contains(p + std::max(0.0, depth - slack) * way)) return false;
    }
    return !exactly || std::ranges::any_of(triangles_, [&](const Triangle& t) {
      const ClosestPoints closest = distancePointTriangle(p, t);
      return closest.distance <= depth + slack && closest.distance > 0 &&
             !contains(closest.onB + slack * normalized(closest.onB - p));
    });
  }

  /// True if there is material on both sides of a triangle of the body at `p`: a wall inside a union.
  [[nodiscard]] bool isInnerWall(TriangleId triangle, const Vec3& p, double slack) const {
    const auto& v = triangles_[index(triangle)].v;
    const Vec3 normal = cross(v[1] - v[0], v[2] - v[0]);
    if (!(norm(normal) > 0)) return false;
    const Vec3 off = (4 * slack) * normalized(normal);
    return contains(p + off) && contains(p - off);
  }

  struct Nearest {
    double distance = std::numeric_limits<double>::infinity();
    TriangleId triangle{};
  };
  /// Returns true if two nearest points of the surface, of those that are equally near within `slack`, are
  /// seen from `p` under at least 119 degrees.
  [[nodiscard]] bool isMiddle(const Vec3& p, double slack) const {
    const double within = nearest(p).distance + slack;
    std::vector<Vec3> ways;
    for (const Triangle& t : triangles_) {
      const ClosestPoints closest = distancePointTriangle(p, t);
      if (closest.distance <= within && closest.distance > 0) ways.push_back(normalized(closest.onB - p));
    }
    for (std::size_t i = 0; i < ways.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (dot(ways[i], ways[k]) <= -0.485) return true;
    return false;
  }
  [[nodiscard]] Nearest nearest(const Vec3& p) const noexcept {
    Nearest result;
    for (std::uint32_t i = 0; i < triangles_.size(); ++i) {
      const double d = distancePointTriangle(p, triangles_[i]).distance;
      if (d < result.distance) result = {d, TriangleId{i}};
    }
    return result;
  }

 private:
  const PosedSolid& posed_;
  std::vector<Triangle> triangles_;
  std::vector<double> sense_;
  Box box_;
};

struct Sample {
  Vec3 point;
  TriangleId triangle{};
};

/// Returns corners, middles of edges and centroids that lie in the other body's box, at most `most`, evenly
/// spread.
std::vector<Sample> samplesOf(const WorldBody& body, const WorldBody& in, std::size_t most) {
  std::vector<Sample> all;
  for (std::uint32_t i = 0; i < body.triangles().size(); ++i) {
    const auto& v = body.triangles()[i].v;
    for (const Vec3& p : {v[0], v[1], v[2], 0.5 * (v[0] + v[1]), 0.5 * (v[1] + v[2]), 0.5 * (v[2] + v[0]),
                          (1.0 / 3) * (v[0] + v[1] + v[2])})
      if (in.nearBox(p)) all.push_back({p, TriangleId{i}});
  }
  if (all.size() <= most) return all;
  std::vector<Sample> some;
  for (std::size_t k = 0; k < most; ++k) some.push_back(all[k * all.size() / most]);
  return some;
}

/// Returns the first point beyond `beyond` at which the ray from `p` along `way` meets the surface, as a
/// multiple of `way`. Unset if it does not meet it.
std::optional<double> firstHit(const WorldBody& body, const Vec3& p, const Vec3& way, double beyond) {
  std::optional<double> first;
  for (const Triangle& t : body.triangles()) {
    // Moeller and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997.
    const Vec3 e1 = t.v[1] - t.v[0], e2 = t.v[2] - t.v[0], h = cross(way, e2);
    const double det = dot(e1, h);
    if (det == 0) continue;
    const Vec3 s = p - t.v[0], q = cross(s, e1);
    const double u = dot(s, h) / det, v = dot(way, q) / det, at = dot(e2, q) / det;
    if (u < 0 || v < 0 || u + v > 1 || !(at > beyond) || (first && *first <= at)) continue;
    first = at;
  }
  return first;
}

/// Returns points that may lie inside both bodies: points halfway through the material behind centroids of
/// triangles of both (about `most`, evenly spread, and one for each component), and a lattice of about as
/// many points in the common part of the boxes.
std::vector<Vec3> interiorSamples(const WorldBody& first, const WorldBody& second, double deeperThan,
                                  std::size_t most) {
  const Box box = first.boxCommonWith(second);
  const Vec3 size = box.max - box.min;
  // No ball of the required size fits.
  if (!(std::min({size.x, size.y, size.z}) > 2 * deeperThan)) return {};
  std::vector<Vec3> points;
  for (const WorldBody* body : {&first, &second}) {
    const WorldBody& other = body == &first ? second : first;
    const std::size_t stride = std::max<std::size_t>(1, body->triangles().size() / most);
    std::vector<char> known(body->componentCount(), 0);
    for (std::uint32_t i = 0; i < body->triangles().size(); ++i) {
      const auto& v = body->triangles()[i].v;
      const Vec3 normal = body->sense(i) * cross(v[1] - v[0], v[2] - v[0]);
      const Vec3 centroid = (1.0 / 3) * (v[0] + v[1] + v[2]);
      if (!(norm(normal) > 0) || !other.nearBox(centroid, deeperThan)) continue;
      char& componentKnown = known[body->componentOf(i)];
      if (componentKnown && i % stride != 0) continue;
      componentKnown = 1;
      const Vec3 inward = -1.0 * normalized(normal);
      if (const auto hit = firstHit(*body, centroid, inward, deeperThan))
        points.push_back(centroid + (0.5 * *hit) * inward);
    }
  }
  const auto steps = static_cast<int>(std::cbrt(static_cast<double>(most)));
  for (int x = 0; x < steps; ++x)
    for (int y = 0; y < steps; ++y)
      for (int z = 0; z < steps; ++z) {
        const Vec3 share = (1.0 / steps) * Vec3{x + 0.5, y + 0.5, z + 0.5};
        points.push_back(box.min + Vec3{share.x * size.x, share.y * size.y, share.z * size.z});
      }
  return points;
}

/// Checks a clash on its own.
std::optional<std::string> wrongClash(const VerdictReport& answer, const WorldBody& first,
                                      const WorldBody& second, double slop) {
  if (answer.regions.empty() || !answer.depth || !answer.point) return "a clash without a region";
  const PenetrationRegion& region = answer.regions.front();
  if (region.depth != *answer.depth || region.point != *answer.point)
    return "the deepest region is not that of the depth";
  if (!region.pierced && !(*answer.depth > answer.tolerance))
    return "a clash that is not deeper than the tolerance";
  if (region.coincident) {
    const auto isDeepIn = [&](const WorldBody& body) {
      return body.nearest(region.point).distance >= *answer.depth - slop ||
             body.isAsDeep(region.point, *answer.depth, slop, false);
    };
    if (!first.contains(region.point) || !second.contains(region.point))
      return "the point of bodies that coincide is not inside both";
    if (!isDeepIn(first) && !isDeepIn(second))
      return "the point of bodies that coincide is not as deep in either as reported";
    return std::nullopt;
  }
  const WorldBody &owner = region.pointOfFirst ? first : second,
                  &other = region.pointOfFirst ? second : first;
  // A middle may be enclosed by the other part, without a surface near it.
  const bool isEnclosed = region.pierced && owner.contains(region.point);
  if (const double off = owner.nearest(region.point).distance; !isEnclosed && !(off <= slop))
    return "the deepest point lies " + numberText(off) + " off its surface";
  if (other.closed() && !other.contains(region.point)) return "the deepest point lies outside the other part";
  // Inner walls of a union are nearer than its boundary.
  const double depth = other.nearest(region.point).distance;
  const bool isAsDeep = std::abs(depth - *answer.depth) <= slop ||
                        (depth < *answer.depth && other.isAsDeep(region.point, *answer.depth, slop, true));
  if (!isAsDeep)
    return "the deepest point is " + numberText(depth) + " deep, not " + numberText(*answer.depth);
  if (region.pierced && !other.isMiddle(region.point, *answer.depth / 8 + slop))
    return "the point where one part pierces the other is not in the middle of a wall";
  return std::nullopt;
}

}  // namespace

VerdictCheck verifyVerdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                           const VerdictReport& answer, const OracleOptions& oracle,
                           std::size_t mostSamples) {
  VerdictCheck check;
  const auto problem = [&](std::string text, std::vector<TrianglePair> triangles = {}) {
    check.discrepancy = Discrepancy{std::move(text), std::move(triangles)};
    return check;
  };
  const double slop = distanceSlop(first.posedPart(), second.posedPart()) + coordinateRounding(first, second);
  const double tolerance = effectiveTolerance(request.tolerance, first, second);
  if (answer.tolerance != tolerance)
    return problem("tolerance " + numberText(answer.tolerance) + ", not " + numberText(tolerance));

  const WorldBody worldFirst(first), worldSecond(second);
  const bool clash = answer.verdict == Verdict::clash;
  if (clash) {
    if (auto wrong = wrongClash(answer, worldFirst, worldSecond, slop)) return problem(std::move(*wrong));
  } else if (answer.verdict == Verdict::undecided) {
    if (answer.status == ReportStatus::complete && worldFirst.closed() && worldSecond.closed())
      return problem("undecided, and both parts are closed");
    return check;
  } else if (answer.status == ReportStatus::complete) {
    // A contact must be within the tolerance. A clear pair must be farther apart, and as far as reported.
    const bool contact = answer.verdict == Verdict::contact;
    DistanceRequest near;
    near.ignoreBeyond = answer.distance ? std::max(tolerance, *answer.distance) : tolerance;
    *near.ignoreBeyond += slop;
    near.limits.cancel = oracle.cancel;
    const bool brute = isForBruteForce(first.posedPart(), second.posedPart(), oracle);
    const DistanceReport truth = brute ? bruteForceDistance(first.posedPart(), second.posedPart(), near)
                                       : sweepDistance(first.posedPart(), second.posedPart(), near);
    if (truth.status != ReportStatus::complete) return check;
    const std::vector<TrianglePair> witness =
        truth.nearest ? std::vector{truth.nearest->triangles} : std::vector<TrianglePair>{};
    if (contact && !(truth.distance() <= tolerance + slop))
      return problem("reported as contact, and nothing touches", witness);
    if (!contact && truth.distance() < tolerance - slop)
      return problem("reported as clear, though " + numberText(truth.distance()) + " apart", witness);
    if (answer.distance && !(std::abs(truth.distance() - *answer.distance) <= slop))
      return problem(
          "reported to be " + numberText(*answer.distance) + " apart, not " + numberText(truth.distance()),
          witness);
  }
  if (answer.status != ReportStatus::complete || (clash && !request.regions)) return check;

  const double deepest = answer.depth ? *answer.depth + answer.depthErrorBound : tolerance;
  for (const bool ofFirst : {true, false}) {
    const WorldBody &owner = ofFirst ? worldFirst : worldSecond, &other = ofFirst ? worldSecond : worldFirst;
    if (!other.closed()) continue;
    const std::size_t affordable = 40'000'000 / std::max<std::size_t>(1, other.triangles().size());
    for (const Sample& sample :
         samplesOf(owner, other, std::min(mostSamples, std::max<std::size_t>(100, affordable)))) {
      if (oracle.cancel.stop_requested()) return check;
      ++check.samples;
      const WorldBody::Nearest nearest = other.nearest(sample.point);
      if (!(nearest.distance > deepest + slop) || !other.contains(sample.point) ||
          owner.isInnerWall(sample.triangle, sample.point, slop))
        continue;
      const TrianglePair pair = ofFirst ? TrianglePair{sample.triangle, nearest.triangle}
                                        : TrianglePair{nearest.triangle, sample.triangle};
      return problem("a point lies " + numberText(nearest.distance) + " deep, but reported was " +
                         (answer.depth ? "at most " + numberText(deepest)
                                       : std::string(name(answer.verdict)) + " at " + numberText(tolerance)),
                     {pair});
    }
  }
  const std::size_t both = worldFirst.triangles().size() + worldSecond.triangles().size();
  const std::size_t affordable = 5'000'000 / std::max<std::size_t>(1, both);
  const double deepestInside = (clash ? deepest : tolerance + tolerance / 8) + slop;
  for (const Vec3& p : interiorSamples(
           worldFirst, worldSecond, tolerance,
           std::min(std::max<std::size_t>(1, mostSamples / 4), std::max<std::size_t>(100, affordable)))) {
    if (oracle.cancel.stop_requested()) return check;
    ++check.samples;
    if (!worldFirst.nearBox(p) || !worldSecond.nearBox(p)) continue;
    if (!worldFirst.contains(p) || !worldSecond.contains(p)) continue;
    const WorldBody::Nearest a = worldFirst.nearest(p), b = worldSecond.nearest(p);
    const double depth = std::max(a.distance, b.distance);
    if (depth > deepestInside)
      return problem("a point inside both lies " + numberText(depth) + " deep, but reported was " +
                         (clash ? "at most " + numberText(deepest)
                                : std::string(name(answer.verdict)) + " at " + numberText(tolerance)),
                     {TrianglePair{a.triangle, b.triangle}});
  }
  return check;
}

}  // namespace fitup
