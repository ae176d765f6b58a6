// The triangles of a leaf, placed in the axes of the other tree, for one target. See lanes-inl.h for
// inclusion.

#if defined(FITUP_PLACED_TRIANGLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_PLACED_TRIANGLES_INL
#undef FITUP_PLACED_TRIANGLES_INL
#else
#define FITUP_PLACED_TRIANGLES_INL
#endif

#include <array>
#include <cstddef>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/short_boxes-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// The triangles of a leaf of B in A's own axes, relative to a nearby point with float coordinates. Floats
/// are thus as exact as the leaf is small, and each triangle is placed once instead of with every pair.
class PlacedTriangles {
 public:
  static constexpr std::size_t stride = 8;

  void place(const Packet& p, const Transform& aFromB, const WideQuery& query) {
    const Affine3f& way = query.untilted.aFromB;
    const float x = p.rows[0], y = p.rows[p.stride], z = p.rows[2 * p.stride];
    const LanePlacement<8> placement(aFromB);
    Double8 shift[3];
    for (std::size_t i = 0; i < 3; ++i) {
      origin_[i] = way.m[i][0] * x + way.m[i][1] * y + way.m[i][2] * z + way.t[i];
      shift[i] = placement.t[i] - Double8::all(origin_[i]);
    }
    const auto row = [&](std::size_t r) __attribute__((always_inline)) {
      return Double8::fromFloats(p.rows + r * p.stride);
    };
    const Double8 first[3] = {row(0), row(1), row(2)};
    LeafCorners<Beyond::anything> corners;
    corners.v[0] = placement.placed(first[0], first[1], first[2], shift);
    storeVec(corners.v[0], rows_);
    for (std::size_t c = 1; c < 3; ++c) {
      const Vec8 edge =
          placement.turned(row(3 * c) - first[0], row(3 * c + 1) - first[1], row(3 * c + 2) - first[2]);
      storeVec(edge, rows_ + 3 * c);
      corners.v[c] = corners.v[0] + edge;
    }
    const LeafBoxes tight = LeafBoxes::around(corners, p);
    const auto growth = [&](const Float8& low, const Float8& high) __attribute__((always_inline)) {
      return mulAdd(largerMagnitude(low, high), Float8::all(0x1p-21F), Float8::all(query.placedError));
    };
    boxes_ = tight.grown(Vec8{growth(tight.min.x, tight.max.x), growth(tight.min.y, tight.max.y),
                              growth(tight.min.z, tight.max.z)});
#if FITUP_AVX2
    shortBoxes_.set(boxes_);
#endif
  }

  /// The point, in A's own axes.
  [[nodiscard]] const float (&origin() const)[3] { return origin_; }
  /// Boxes relative to that point, grown by their errors. Let R be the largest magnitude of a triangle's
  /// coordinates along an axis, relative to the point. Its first corner is rounded to float from double
  /// precision (u R), an edge too (2 u R), and their sum (u R). A side of a box of A relative to the point is
  /// rounded by u R where it is not beyond R: 8 u R covers them, and `WideQuery::placedError` the double
  /// precision.
  [[nodiscard]] const LeafBoxes& boxes() const { return boxes_; }
  /// Returns which of these boxes meet which boxes of `a`, relative to that point: a mask of these for each
  /// of `a`.
  template <std::size_t lanes>
  [[nodiscard]] HWY_INLINE std::uint64_t meeting(const LeafBoxes& a) const {
#if FITUP_AVX2
    return allPairs(a, boxes_) & shortBoxes_.meeting(a);
#else
    return meetingBoxes<lanes>(a, boxes_);
#endif
  }
  /// Rows of eight, `stride` apart: x, y, z of the first corner, relative to that point, and of the edges
  /// from it to the second and third corner. Lanes beyond the leaf's count are undefined.
  [[nodiscard]] const float* rows() const { return rows_[0]; }

 private:
  LeafBoxes boxes_;
#if FITUP_AVX2
  ShortBoxes shortBoxes_;
#endif
  alignas(64) float rows_[9][stride];
  float origin_[3];
};

/// Recently placed leaves of B: the last one for each place of a table. Other leaves of A, below other nodes,
/// often meet them again. `size` is a power of two.
template <std::size_t size>
class PlacedLeaves {
 public:
  /// Returns null if the leaf is not stored.
  [[nodiscard]] HWY_INLINE const PlacedTriangles* find(WideChild leaf) const {
    const std::size_t i = placeOf(leaf);
    return leaf_[i] == leaf ? &placed_[i] : nullptr;
  }
  /// Returns the place for a leaf to be placed. Precondition: the leaf is not stored.
  [[nodiscard]] HWY_INLINE PlacedTriangles& put(WideChild leaf) {
    const std::size_t i = placeOf(leaf);
    leaf_[i] = leaf;
    return placed_[i];
  }

 private:
  static HWY_INLINE std::size_t placeOf(WideChild leaf) { return leaf.firstSlot() / 8 % size; }

  std::array<WideChild, size> leaf_{};  // no leaves
  PlacedTriangles placed_[size];
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
