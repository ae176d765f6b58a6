#pragma once

#include <cstdint>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Options of `CollisionModel::refit`.
struct RefitOptions {
  /// Same as `WideBvhOptions::orientNodes`. A tree does not store the value with which it was built.
  bool orientNodes = true;
  /// Number of threads; 0 means one for each core. The result does not depend on it.
  unsigned threads = 1;
};

/// Operation counts of a refit. Both grow linearly with the number of triangles.
struct RefitCounts {
  /// Corners of triangles that boxes or cylinders were fitted around, each counted every time.
  std::uint64_t corners = 0;
  /// Boxes and cylinders that were fitted around others.
  std::uint64_t merges = 0;

  /// Number of comparisons if all of these were axis-aligned boxes, as van den Bergen (1998, section 4)
  /// counts: two for each axis, for each corner except a triangle's first and for each merge.
  [[nodiscard]] std::uint64_t comparisons() const noexcept { return corners / 3 * 12 + merges * 6; }
};

}  // namespace fitup
