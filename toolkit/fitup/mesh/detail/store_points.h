#pragma once

#include <span>

#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// Area and area-weighted centroid of triangles given by their corners in the part frame.
class FingerprintSum {
 public:
  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double twice = norm(cross(b - a, c - a));
    const Vec3 middle = (a + b + c) * (1.0 / 3.0);
    weighted_ = weighted_ + middle * twice;
    plain_ = plain_ + middle;
    twiceArea_ += twice;
    ++count_;
  }
  [[nodiscard]] SurfaceFingerprint of(const Surface& surface) const {
    SurfaceFingerprint result;
    result.kind = surface.description ? surface.description->kind : SurfaceKind::unknown;
    result.area = 0.5 * twiceArea_;
    if (twiceArea_ > 0)
      result.centroid = weighted_ * (1 / twiceArea_);
    else if (count_ > 0)
      result.centroid = plain_ * (1.0 / count_);
    return result;
  }

 private:
  Vec3 weighted_, plain_;
  double twiceArea_ = 0;
  int count_ = 0;
};

/// The stored value of a coordinate relative to the origin.
float toStorage(double offset) noexcept;

/// Stores the points of a mesh whose triangles and surfaces are set: chooses the origin, rounds to storage,
/// counts degenerate triangles and computes fingerprints. All positions become points through this function.
/// Precondition: finite positions in the part frame, one for each index.
void storePoints(TriangleMesh::Data& data, std::span<const Vec3> points);

}  // namespace fitup::detail
