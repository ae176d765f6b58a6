#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <fitup/geometry/symmetric_eigen.h>
#include <fitup/motion/track.h>

namespace fitup::detail {

/// A small motion to first order: a point p moves by shift + turn x (p - centre).
struct Twist {
  Vec3 shift;  ///< of the centre
  Vec3 turn;   ///< about it, radians
  [[nodiscard]] Vec3 displacement(const Vec3& fromCentre) const noexcept {
    return shift + cross(turn, fromCentre);
  }
  /// The largest displacement of some points, to first order.
  [[nodiscard]] double farthest(std::span<const Vec3> points, const Vec3& centre) const noexcept {
    double most = 0;
    for (const Vec3& point : points) most = std::max(most, norm(displacement(point - centre)));
    return most;
  }
  friend Twist operator*(double s, const Twist& t) noexcept { return {s * t.shift, s * t.turn}; }
  friend Twist operator-(const Twist& a, const Twist& b) noexcept {
    return {a.shift - b.shift, a.turn - b.turn};
  }
};

/// The motion that the twist about `centre` stands for: a turn about the centre, then the shift.
RigidMotion motionOf(const Twist& twist, const Vec3& centre);
/// The twist about `centre` that leads from the identity to a motion, by the shorter arc.
Twist twistOf(const RigidMotion& motion, const Vec3& centre);

/// Which motions count as large: the mean squared displacement of the points of a body. With the points
/// relative to their centre, that is |shift|^2 + turn . (tr(C) 1 - C) turn, where C is the mean of their
/// products: shifting and turning do not mix, and a turn counts by what it does to the points.
class MeanDisplacement {
 public:
  /// The mean is over the area of the triangles, given by their corners in one frame.
  explicit MeanDisplacement(std::span<const Triangle> triangles);

  [[nodiscard]] const Vec3& centre() const noexcept { return centre_; }
  /// The same for the body moved from where it was given.
  [[nodiscard]] MeanDisplacement moved(const RigidMotion& motion) const;

  /// Root of the mean squared displacement.
  [[nodiscard]] double of(const Twist& twist) const noexcept;

  /// Coordinates in which that is the length of the vector: the shift, and the turn about each of three axes
  /// times its radius of gyration.
  [[nodiscard]] std::array<double, 6> coordinates(const Twist& twist) const noexcept;
  [[nodiscard]] Twist twist(const std::array<double, 6>& coordinates) const noexcept;
  /// The vector whose product with the coordinates of a twist is the speed of `point` along `direction`.
  [[nodiscard]] std::array<double, 6> gradient(const Vec3& point, const Vec3& direction) const noexcept;

 private:
  Vec3 centre_;
  std::array<Vec3, 3> axes_{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::array<double, 3> radii_{1, 1, 1};  ///< of gyration about the axes, above 0
};

/// A limit of the motion of a point: normal . displacement >= least.
struct MotionRow {
  Vec3 point;   ///< in the world
  Vec3 normal;  ///< unit, away from what the point must not enter
  double least = 0;
};

enum class Freedom : unsigned char { shift, shiftAndTurn };

/// The feasible motion that is nearest to a wanted one.
struct LeastMotion {
  struct Held {
    std::size_t row = 0;
    double multiplier = 0;  ///< above 0; a force on the row's point, in units of the mean displacement
  };
  Twist twist;
  std::vector<Held> holding;
  bool isFeasible = true;  ///< false: no motion keeps all rows, and the twist is zero
};

/// Among the motions that keep all rows up to `tolerance` (a length), finds the one whose points are, in the
/// mean of squares, nearest to where `wanted` would take them. `displacement` is at the pose of the body.
LeastMotion leastMotion(const MeanDisplacement& displacement, const Twist& wanted,
                        std::span<const MotionRow> rows, Freedom freedom, double tolerance);

/// The same, but moves none of `points` (in the world) farther than `longest`: the wanted motion is shortened
/// until its answer is short enough, because what the rows do not let through may be long. If rows contradict
/// each other, those that ask for a motion only have to get no worse, which staying does.
LeastMotion leastMotionWithin(const MeanDisplacement& displacement, const Twist& wanted,
                              std::vector<MotionRow> rows, Freedom freedom, double tolerance,
                              std::span<const Vec3> points, double longest);

}  // namespace fitup::detail
