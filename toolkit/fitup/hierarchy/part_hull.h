#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fitup/geometry/vec3.h>
#include <fitup/hierarchy/query_mode.h>

namespace FITUP_EXPORT fitup {

class TriangleMesh;
struct WideBvh;

/// The corners of a convex body around a part: of the convex hull of its points, or, where those or the
/// corners are many, of the hull of boxes of its wide tree, which is a little larger. To make it takes
/// milliseconds for any part. In the part's axes and unit, seen from the centre of its box (`PartBox`).
///
/// For telling parts apart along a direction where their boxes are not. Immutable and thread-safe.
class PartHull {
 public:
  /// More points, or more corners of their hull, are not used: it would take long to make or to ask.
  static constexpr std::size_t mostPoints = 2048, mostCorners = 1024;

  PartHull() = default;
  /// Empty for meshes whose points do not span three dimensions, or hardly.
  static PartHull of(const TriangleMesh& mesh, const WideBvh& tree);

  struct Farthest {
    float reach;           ///< of the corner along the direction
    std::uint32_t corner;  ///< its number
  };
  /// The corner that reaches farthest along a direction. No corner and so no point of the part reaches
  /// farther than `reach` + `slack`, for directions of unit length or less, rounded to 32 bits or not.
  /// Precondition: not empty.
  [[nodiscard]] Farthest farthest(const std::array<float, 3>& direction,
                                  VectorUse vectorUse = VectorUse::best) const noexcept;

  /// Its reach alone takes two thirds of the time.
  [[nodiscard]] float reach(const std::array<float, 3>& direction) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Some corners are there twice, so that vectors are full.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Vec3 corner(std::uint32_t i) const noexcept { return {row(0)[i], row(1)[i], row(2)[i]}; }
  /// What roundings of corners and of `farthest` can lose, and what points may lie beyond the hull.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// x, y or z of all corners.
  [[nodiscard]] const float* row(std::size_t axis) const noexcept { return rows_.data() + axis * size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return rows_.size() * sizeof(float); }

 private:
  std::size_t size_ = 0;
  std::vector<float> rows_;
  double slack_ = 0;
};

}  // namespace fitup
