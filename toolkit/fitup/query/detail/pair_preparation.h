#pragma once

#include <optional>

#include <fitup/query/pair_frame.h>

// Tests and preparation of two posed parts before any tree is used: whether their boxes, each in the axes of
// its part, are separated, so that no placed triangles can meet; which part plays A; and how B is placed in
// it. Processors with vectors of four doubles use them (pair_vectors-inl.h), with the same bits as plain
// code.
//
// Boxes are never reported as separated if that cannot be decided: for placements that are not rigid or
// mirrored, numbers that are not finite or too large, and meshes without triangles.

namespace fitup::detail {

/// Bounds the terms of the coordinates of a part's placed box.
double magnitudeOf(const PosedModel& posed) noexcept;

/// Returns true only if the boxes are certainly separated along an axis of either box or a cross product of
/// two axes.
bool boxesApartAlongAxes(const PosedModel& first, const PosedModel& second) noexcept;
/// Returns true only if the boxes are certainly separated along the connection of their centres. Cheaper, and
/// separates most pairs of an assembly.
bool areSeparatedAlongCentres(const PosedModel& first, const PosedModel& second) noexcept;
/// Returns the world direction, of unit length or less, along which the boxes are farthest apart. Returns
/// nothing if neither of the two tests above separates them.
std::optional<Vec3> findSeparatingAxis(const PosedModel& first, const PosedModel& second) noexcept;
/// Returns true only if the boxes are certainly separated along this direction of unit length or less. Costs
/// a third of testing all axes. Parts that are dragged past each other stay separated along one direction for
/// a long time.
bool isSeparatingAxis(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept;

/// The roles of a pair, A (stays) and B (is placed), and the placement of B in A.
struct PairRoles {
  bool swapped = false;  ///< as in `PairFrame`
  Transform aFromB;      ///< between local coordinates

  /// Throws PlacementError for placements that are singular or not finite, as far as that is noticed here,
  /// and RangeError for numbers outside limits.h.
  static PairRoles of(const PosedModel& first, const PosedModel& second);
  /// Returns nothing if the boxes are certainly separated. The test is that of `boxesApartAlongAxes`, but
  /// cheaper, because the axes of B are known in those of A. Otherwise throws as `of` does.
  static std::optional<PairRoles> ifBoxesOverlap(const PosedModel& first, const PosedModel& second);
};

/// Same as `PairFrame::of`, with known roles.
PairFrame frameOf(const PosedModel& first, const PosedModel& second, const PairRoles& roles);
/// Same as `PairPlacement::of`, with the same bits and errors.
PairPlacement placementOf(const Transform& aFromB, const Aabb& boundsInB);

}  // namespace fitup::detail
