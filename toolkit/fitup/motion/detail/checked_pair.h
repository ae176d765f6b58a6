#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fitup/motion/detail/checked_body.h>
#include <fitup/motion/detail/checked_motion.h>
#include <fitup/motion/verify_certificate.h>

namespace fitup::detail {

/// What may still be spent on the check of an interval.
class CheckBudget {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;
  CheckBudget(std::size_t pieces, Deadline deadline, std::array<std::stop_token, 2> cancel)
      : left_(pieces), deadline_(deadline), cancel_(std::move(cancel)) {}
  /// Takes one piece, or as many as it costs. False once nothing is left; then `reason` says why.
  bool take(std::size_t cost = 1);
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] bool isOver() const noexcept { return !reason_.empty(); }

 private:
  std::size_t left_, looks_ = 0;
  Deadline deadline_;
  std::array<std::stop_token, 2> cancel_;
  std::string reason_;
};

/// A place that refutes a claim. Points in the frame of the second body.
struct Counterexample {
  double share = 0;  ///< of the step
  Vec3 a, b;
  /// One of the points is inside the other body, `value` deep. False: the surfaces are at most so far apart.
  bool isDepth = false;
  double value = 0;
};

/// The answer to one question, and a counterexample if it is `refuted`.
struct PairAnswer {
  IntervalCheck check = IntervalCheck::confirmed;
  std::string reason{};  ///< if unchecked
  std::optional<Counterexample> counterexample{};
};

/// A lower bound of the distance of two boxes within a window, the first of which moves; if it exceeds
/// `enough`, any such bound. Both boxes lie along the axes of their frames.
double gapOfBoxes(const MotionWindow& window, const CheckedBody::Node& a, const CheckedBody::Node& b,
                  double rounding, double enough);

/// The surfaces of two parts over a step of a track. The first one moves in the frame of the second one.
/// Lengths in the world's unit. Every bound is lessened, or raised, by `rounding`, which must exceed the
/// rounding of coordinates of placed points by a good factor.
class CheckedPair {
 public:
  /// `reverse`: the motion of the second part in the frame of the first.
  CheckedPair(const CheckedBody& first, const CheckedBody& second, const RelativeMotion& motion,
              const RelativeMotion& reverse, double rounding, CheckBudget& budget)
      : first_(first),
        second_(second),
        motion_(motion),
        reverse_(reverse),
        rounding_(rounding),
        budget_(budget) {}

  /// Whether the surfaces are farther apart than `distance` all the time. Refuted by surfaces that meet, or
  /// are nearer at a sampled time.
  [[nodiscard]] PairAnswer areApart(double from, double to, double distance) const;
  /// Whether no point of the first surface is ever deeper in the second body than `depth`, which is above
  /// `rounding`. Precondition: the second body is a solid.
  [[nodiscard]] PairAnswer isNowhereDeeper(double from, double to, double depth) const;
  /// Whether at a time no connected part of {x in the second body : depth of x > depth} lies inside the first
  /// body. Precondition: both are solids, and `isNowhereDeeper` then.
  [[nodiscard]] PairAnswer enclosesNoCore(double share, double depth) const;
  /// Whether at a time no shell of the first body has its corner (`cornersOfShells`) in the second. If the
  /// surfaces do not meet, no shell is then inside. Precondition: the second is a solid.
  [[nodiscard]] PairAnswer isNoShellInside(double share) const;

 private:
  using NodePair = std::pair<std::uint32_t, std::uint32_t>;
  struct Piece {
    std::uint32_t node = 0;  ///< of the tree of the first body, unless it is a piece of a triangle
    bool isTriangle = false;
    Corners corners{};  ///< of a piece of a triangle, in its frame
  };

  [[nodiscard]] PairAnswer areApart(double from, double to, std::vector<NodePair> open,
                                    double distance) const;
  [[nodiscard]] PairAnswer isNowhereDeeper(double from, double to, std::vector<Piece> open,
                                           double depth) const;
  /// The corners of a piece, or of the triangles of a node.
  [[nodiscard]] std::vector<Vec3> pointsOf(const Piece& piece) const;
  /// True if the convex hull of points of the first body is certainly no deeper within the window.
  [[nodiscard]] bool isShallow(const MotionWindow& window, const MotionWindow& reverse,
                               const std::vector<Vec3>& piece, double depth) const;
  /// A corner of it, or its middle, that is deeper in the middle of the window.
  [[nodiscard]] std::optional<Counterexample> deeperPoint(const MotionWindow& window, const Corners& piece,
                                                          double depth) const;
  /// Whether no enclosed core shows in a direction (see the implementation).
  [[nodiscard]] bool isNoCoreTowards(const Vec3& way, const Transform& firstFromSecond, double depth,
                                     std::size_t pieces) const;
  /// The polygon, in the frame of the second body, without some parts that are certainly less deep in it.
  [[nodiscard]] std::vector<Vec3> lessDeepRemoved(std::vector<Vec3> polygon, double depth) const;
  /// How far points of a ball in the frame of the second body may get from where they are in the middle.
  [[nodiscard]] static double reachOf(const MotionWindow& window, const Vec3& centre, double radius);
  /// Without a reason: the budget is over.
  [[nodiscard]] PairAnswer unchecked(const std::string& reason = {}) const;

  const CheckedBody &first_, &second_;
  const RelativeMotion &motion_, &reverse_;
  double rounding_;
  CheckBudget& budget_;
};

}  // namespace fitup::detail
