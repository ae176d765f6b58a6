#pragma once

#include <cstdint>

#include <fitup/hierarchy/aabb_split.h>

namespace FITUP_EXPORT fitup {

/// `AabbTree`, SOLID's.
struct AabbTreeOptions {
  AabbSplit split = AabbSplit::middle;
  friend bool operator==(const AabbTreeOptions&, const AabbTreeOptions&) = default;
};

/// What the axes of an oriented box are the eigenvectors of (Gottschalk, Lin and Manocha 1996, section 4).
enum class ObbAxes {
  convexHull,  ///< covariance over the surface of the convex hull; flat groups: of all triangles
  triangles,   ///< covariance over the surface of all triangles; builds faster, boxes fit less well
  identity,    ///< none: axes of the model, the paper's AABB curve
};

/// `ObbTree`, RAPID's.
struct ObbTreeOptions {
  ObbAxes axes = ObbAxes::convexHull;
  /// The paper's error margin, added to each entry of the absolute matrix beyond what the proven bound asks
  /// for (4e-6). Raising it costs box tests and changes no answer.
  double epsilon = 0;
  friend bool operator==(const ObbTreeOptions&, const ObbTreeOptions&) = default;
};

/// `BoxTree`, Zachmann's restricted boxtree.
struct BoxTreeOptions {
  /// Look for a split across the longest axis only instead of all three; builds three times as fast.
  bool longestAxisOnly = false;
  friend bool operator==(const BoxTreeOptions&, const BoxTreeOptions&) = default;
};

/// `DopTree`: 9 or 12 slabs.
enum class DopKind : std::uint8_t { dop18, dop24 };
struct DopTreeOptions {
  DopKind k = DopKind::dop24;
  friend bool operator==(const DopTreeOptions&, const DopTreeOptions&) = default;
};

/// `CompactAabbTree`, OPCODE's; whether boxes are quantized is the kind's.
struct CompactAabbOptions {
  /// Leaves are nodes with boxes of their own; off: a node's children are boxes or triangles, half the
  /// memory.
  bool withLeaves = false;
  AabbSplit split = AabbSplit::middle;
  friend bool operator==(const CompactAabbOptions&, const CompactAabbOptions&) = default;
};

}  // namespace fitup
