#pragma once

#include <optional>

#include <fitup/query/pair_frame.h>

// What is asked of two posed parts before any tree is: whether their boxes, each in the axes of its part, are
// apart, so that no placed triangles can meet; which part plays A; and where B is placed in it. By vectors of
// four doubles where the processor has them (pair_vectors-inl.h), with the bits of plain code.
//
// Boxes are never said to be apart where that cannot be judged: placements that are not rigid or mirrored,
// numbers that are not finite or too large, meshes without triangles.

namespace fitup::detail {

/// Bounds what the coordinates of a part's placed box are sums of.
double magnitudeOf(const PosedModel& posed) noexcept;

/// True only if the boxes are certainly apart along an axis of either or one across both.
bool boxesApartAlongAxes(const PosedModel& first, const PosedModel& second) noexcept;
/// True only if they are certainly apart along the connection of their centres, for less: separates most
/// pairs of an assembly.
bool areSeparatedAlongCentres(const PosedModel& first, const PosedModel& second) noexcept;
/// A direction of the world, of unit length or less, along which they are far apart; none where neither of
/// these says so.
std::optional<Vec3> findSeparatingAxis(const PosedModel& first, const PosedModel& second) noexcept;
/// True only if they are certainly apart along this direction of unit length or less. Costs a third of what
/// asking all axes does; parts that are dragged past each other stay apart along one direction for long.
bool isSeparatingAxis(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept;

/// Which part of a pair plays A (stays) and which B (is placed), and where.
struct PairRoles {
  bool swapped = false;  ///< as in `PairFrame`
  Transform aFromB;      ///< between local coordinates

  /// Throws PlacementError for placements that are singular or not finite, as far as that shows here, and
  /// RangeError outside limits.h.
  static PairRoles of(const PosedModel& first, const PosedModel& second);
  /// Nothing if the boxes are certainly apart, as `boxesApartAlongAxes` but for less, as the axes of B are
  /// known in those of A. Throws as `of` does, but not then.
  static std::optional<PairRoles> ifBoxesOverlap(const PosedModel& first, const PosedModel& second);
};

/// `PairFrame::of` with roles found before.
PairFrame frameOf(const PosedModel& first, const PosedModel& second, const PairRoles& roles);
/// `PairPlacement::of`, with its bits and its errors.
PairPlacement placementOf(const Transform& aFromB, const Aabb& boundsInB);

}  // namespace fitup::detail
