#pragma once

#include <cstdint>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// How `CollisionModel::refit` makes the new version.
struct RefitOptions {
  /// As `WideBvhOptions::orientNodes`; a tree does not remember what it was built with.
  bool orientNodes = true;
  /// 0: one for each core. The result does not depend on it.
  unsigned threads = 1;
};

/// What a refit had to do. Both grow linearly with the triangles.
struct RefitCounts {
  /// Corners of triangles that boxes or cylinders were put around, each time anew.
  std::uint64_t corners = 0;
  /// Boxes and cylinders that were put around others.
  std::uint64_t merges = 0;

  /// Comparisons if all of them were boxes along the axes, as van den Bergen (1998, section 4) counts: two an
  /// axis for each corner but a triangle's first and for each merge.
  [[nodiscard]] std::uint64_t comparisons() const noexcept { return corners / 3 * 12 + merges * 6; }
};

}  // namespace fitup
