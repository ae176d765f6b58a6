#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fitup/motion/track.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace fitup::test {

/// Points of a part with weights, by which its distance from the hand is measured.
class WeightedPoints {
 public:
  /// The middles of the edges of all triangles, by area: exact for means of squares.
  WeightedPoints(const MeshPtr& mesh, const Transform& place) {
    for (const Triangle& t : trianglesOf(mesh)) {
      const double area = norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
      for (int k = 0; k < 3; ++k) {
        points_.push_back(place.apply(0.5 * (t.v[k] + t.v[(k + 1) % 3])));
        weights_.push_back(area);
        sum_ += area;
        centre_ = centre_ + area * points_.back();
      }
    }
    centre_ = (1 / sum_) * centre_;
    for (const Vec3& p : points_) size_ = std::max(size_, norm(p - centre_));
  }
  /// Root of the mean squared distance of the points at two poses.
  [[nodiscard]] double distance(const RigidMotion& a, const RigidMotion& b) const {
    const Transform ta = a.transform(), tb = b.transform();
    double squares = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 d = ta.apply(points_[i]) - tb.apply(points_[i]);
      squares += weights_[i] * dot(d, d);
    }
    return std::sqrt(squares / sum_);
  }
  [[nodiscard]] const Vec3& centre() const { return centre_; }
  [[nodiscard]] double size() const { return size_; }

 private:
  std::vector<Vec3> points_;
  std::vector<double> weights_;
  double sum_ = 0, size_ = 0;
  Vec3 centre_;
};

/// How near a part gets to the hand from a pose by small feasible motions, found by trial alone: a random
/// walk that accepts what is feasible and nearer (an evolution strategy of one parent and one child with the
/// rule of one fifth; Rechenberg 1973). Each coordinate of a trial has a magnitude of its own, so that narrow
/// passages along an axis are found. It shares nothing with contacts, normals and quadratic programs.
struct LocalSearch {
  std::function<bool(const RigidMotion&)> isFeasible;
  bool turns = true;
  double reach = 0.1;  ///< no farther from the pose, in the mean of the points
  int trials = 1500;

  /// The distance from the hand that was reached.
  [[nodiscard]] double nearest(const WeightedPoints& points, const RigidMotion& from, const RigidMotion& hand,
                               std::uint64_t seed) const {
    Random random(seed);
    RigidMotion best = from;
    double least = points.distance(best, hand), sigma = 0.2 * reach;
    const auto trial = [&] {
      return random.below(2) == 0 ? 0 : std::pow(10, -3 * random.unit()) * random.between(-sigma, sigma);
    };
    for (int i = 0; i < trials; ++i) {
      const Vec3 shift{trial(), trial(), trial()};
      const Vec3 turn = turns ? (1 / points.size()) * Vec3{trial(), trial(), trial()} : Vec3{};
      const double angle = norm(turn);
      const RigidMotion step = motionAbout(best.transform().apply(points.centre()),
                                           angle > 0 ? axisAngle(turn, angle) : Quaternion{}, shift);
      RigidMotion next = step * best;
      next.rotation = normalized(next.rotation);
      const double distance = points.distance(next, hand);
      const bool isBetter = distance < least && points.distance(next, from) <= reach && isFeasible(next);
      if (isBetter) {
        best = next;
        least = distance;
      }
      sigma = std::clamp(sigma * (isBetter ? 1.5 : 0.9), 1e-4 * reach, reach);
    }
    return least;
  }
};

}  // namespace fitup::test
