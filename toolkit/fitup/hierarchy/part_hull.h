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

/// The corners of a convex body around a part: of the convex hull of its points or, if there are many points
/// or corners, of the hull of boxes of its wide tree, which is slightly larger. Takes milliseconds to make
/// for any part. Corners are in the part's axes and unit, relative to the centre of its box (`PartBox`).
///
/// Used to separate parts along a direction when their boxes overlap. Immutable and thread-safe.
class PartHull {
 public:
  /// Limits on points and on hull corners. Larger hulls would take too long to make or to test.
  static constexpr std::size_t mostPoints = 2048, mostCorners = 1024;

  PartHull() = default;
  /// Returns an empty hull for meshes whose points do not span three dimensions, or hardly do.
  static PartHull of(const TriangleMesh& mesh, const WideBvh& tree);

  struct Farthest {
    float reach;           ///< distance of the corner along the direction
    std::uint32_t corner;  ///< index of the corner
  };
  /// Returns the corner that is farthest along a direction. No corner, and so no point of the part, is
  /// farther than `reach` + `slack`, for directions of unit length or less, rounded to 32 bits or not.
  /// Precondition: not empty.
  [[nodiscard]] Farthest farthest(const std::array<float, 3>& direction,
                                  VectorUse vectorUse = VectorUse::best) const noexcept;

  /// Returns only the reach of that corner, in two thirds of the time.
  [[nodiscard]] float reach(const std::array<float, 3>& direction) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Number of corners. Some are repeated to fill vectors.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Vec3 corner(std::uint32_t i) const noexcept { return {row(0)[i], row(1)[i], row(2)[i]}; }
  /// Bound on the rounding of corners and of `farthest`, and on how far points lie outside the hull.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// The x, y or z of all corners.
  [[nodiscard]] const float* row(std::size_t axis) const noexcept { return rows_.data() + axis * size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return rows_.size() * sizeof(float); }

 private:
  std::size_t size_ = 0;
  std::vector<float> rows_;
  double slack_ = 0;
};

}  // namespace fitup
