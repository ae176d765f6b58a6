#include <fitup/motion/detail/least_motion.h>

#include <algorithm>
#include <cmath>

#include <fitup/motion/detail/nearest_in_polyhedron.h>

namespace fitup::detail {
namespace {

/// Smallest radius of gyration in shares of the largest: a needle that turns about itself hardly moves its
/// points, yet the metric has to stay strictly convex.
constexpr double leastShareOfRadius = 1e-3;
/// Attempts to find a wanted motion whose answer is short enough; then the answer is cut.
constexpr int mostShortenings = 8;

}  // namespace

RigidMotion motionOf(const Twist& twist, const Vec3& centre) {
  const double angle = norm(twist.turn);
  const Quaternion rotation = angle > 0 ? axisAngle(twist.turn, angle) : Quaternion{};
  return motionAbout(centre, rotation, twist.shift);
}

Twist twistOf(const RigidMotion& motion, const Vec3& centre) {
  Quaternion q = motion.rotation;
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const Vec3 v{q.x, q.y, q.z};
  const double sine = norm(v), angle = 2 * std::atan2(sine, q.w);
  // For small angles the ratio tends to 2, and rounding keeps it there.
  const double factor = sine > 0 ? angle / sine : 2;
  return {motion.transform().apply(centre) - centre, factor * v};
}

MeanDisplacement::MeanDisplacement(std::span<const Triangle> triangles) {
  double area = 0;
  Vec3 sum;
  const auto areaOf = [](const Triangle& t) { return norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0])); };
  for (const Triangle& t : triangles) {
    area += areaOf(t);
    sum = sum + areaOf(t) * ((1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]));
  }
  if (!(area > 0)) return;
  centre_ = (1 / area) * sum;
  // The mean of products over a triangle is that of the middles of its edges (exact for quadratic functions).
  Symmetric3 c{};
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 r = 0.5 * (t.v[k] + t.v[(k + 1) % 3]) - centre_;
      const double weight = areaOf(t) / (3 * area);
      const Symmetric3 products{r.x * r.x, r.y * r.y, r.z * r.z, r.x * r.y, r.x * r.z, r.y * r.z};
      for (std::size_t i = 0; i < 6; ++i) c[i] += weight * products[i];
    }
  const Eigen3 eigen = symmetricEigen(c);
  const double trace = c[0] + c[1] + c[2];
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    axes_[i] = {eigen.rows[i][0], eigen.rows[i][1], eigen.rows[i][2]};
    radii_[i] = std::sqrt(std::max(0.0, trace - eigen.values[i]));
    largest = std::max(largest, radii_[i]);
  }
  for (double& radius : radii_) radius = largest > 0 ? std::max(radius, leastShareOfRadius * largest) : 1;
}

MeanDisplacement MeanDisplacement::moved(const RigidMotion& motion) const {
  MeanDisplacement result = *this;
  const Transform map = motion.transform();
  result.centre_ = map.apply(centre_);
  for (Vec3& axis : result.axes_) axis = map.applyToVector(axis);
  return result;
}

double MeanDisplacement::of(const Twist& twist) const noexcept {
  double squares = 0;
  for (const double v : coordinates(twist)) squares += v * v;
  return std::sqrt(squares);
}

std::array<double, 6> MeanDisplacement::coordinates(const Twist& twist) const noexcept {
  std::array<double, 6> y{twist.shift.x, twist.shift.y, twist.shift.z};
  for (std::size_t i = 0; i < 3; ++i) y[3 + i] = radii_[i] * dot(axes_[i], twist.turn);
  return y;
}

Twist MeanDisplacement::twist(const std::array<double, 6>& y) const noexcept {
  Twist twist{{y[0], y[1], y[2]}, {}};
  for (std::size_t i = 0; i < 3; ++i) twist.turn = twist.turn + (y[3 + i] / radii_[i]) * axes_[i];
  return twist;
}

std::array<double, 6> MeanDisplacement::gradient(const Vec3& point, const Vec3& direction) const noexcept {
  const Vec3 lever = cross(point - centre_, direction);
  std::array<double, 6> y{direction.x, direction.y, direction.z};
  for (std::size_t i = 0; i < 3; ++i) y[3 + i] = dot(axes_[i], lever) / radii_[i];
  return y;
}

LeastMotion leastMotion(const MeanDisplacement& displacement, const Twist& wanted,
                        std::span<const MotionRow> rows, Freedom freedom, double tolerance) {
  const auto allowed = [&](Point6 y) {
    if (freedom == Freedom::shift) std::fill(y.begin() + 3, y.end(), 0.0);
    return y;
  };
  std::vector<HalfSpace> halfSpaces;
  halfSpaces.reserve(rows.size());
  for (const MotionRow& row : rows)
    halfSpaces.push_back({allowed(displacement.gradient(row.point, row.normal)), row.least});
  const NearestInPolyhedron nearest =
      nearestInPolyhedron(allowed(displacement.coordinates(wanted)), halfSpaces, tolerance);
  LeastMotion result;
  result.isFeasible = nearest.isFeasible;
  if (!nearest.isFeasible) return result;
  result.twist = displacement.twist(nearest.point);
  for (const auto& [row, multiplier] : nearest.active) result.holding.push_back({row, multiplier});
  return result;
}

LeastMotion leastMotionWithin(const MeanDisplacement& displacement, const Twist& wanted,
                              std::vector<MotionRow> rows, Freedom freedom, double tolerance,
                              std::span<const Vec3> points, double longest) {
  const auto leastFor = [&](double share) {
    LeastMotion least = leastMotion(displacement, share * wanted, rows, freedom, tolerance);
    if (least.isFeasible) return least;
    for (MotionRow& row : rows) row.least = std::min(row.least, 0.0);
    return leastMotion(displacement, share * wanted, rows, freedom, tolerance);
  };
  LeastMotion least = leastFor(1);
  double length = least.twist.farthest(points, displacement.centre());
  if (length <= longest) return least;
  double tooLong = 1;
  for (int i = 0; i < mostShortenings; ++i) {
    // The length grows with the wanted motion, without contacts in proportion.
    const double share = std::min(tooLong * longest / length, tooLong);
    LeastMotion shorter = leastFor(share);
    const double its = shorter.twist.farthest(points, displacement.centre());
    if (its <= longest) return shorter;
    tooLong = share;
    least = std::move(shorter);
    length = its;
  }
  least.twist = (longest / length) * least.twist;
  return least;
}

}  // namespace fitup::detail
