#pragma once

#include <cstdint>
#include <string_view>

namespace fitup {

/// Axes that a test of two boxes tries. More axes reject more pairs and cost more. The report is the same.
enum class BoxTest {
  usual,    ///< default of the kind: `full` for obb and opcode, `lite` for the others
  full,     ///< all fifteen axes of the separating axis theorem (Gottschalk 1996)
  lite,     ///< the six face normals (SAT lite, van den Bergen 1998)
  aligned,  ///< the three axes of A's box, with an aligned box around B's box (Zachmann 2002)
};
std::string_view name(BoxTest test) noexcept;

/// Position at which a box is split across its longest axis (van den Bergen 1998, section 2).
enum class AabbSplit {
  middle,        ///< at the box's middle, by the middle of each triangle's projection: the paper's choice
  balanced,      ///< into halves; the paper rejects it
  halfBalanced,  ///< the larger group at most twice the smaller, least overlap of projections; the paper
                 ///< rejects it
};

/// Source of the axes of an oriented box: eigenvectors of a covariance (Gottschalk, Lin and Manocha 1996,
/// section 4).
enum class ObbAxes {
  convexHull,  ///< covariance over the surface of the convex hull; flat groups: over all triangles
  triangles,   ///< covariance over the surface of all triangles; builds faster, boxes fit less well
  identity,    ///< the axes of the model, as in the paper's AABB curve
};

/// Polytopes of 9 or 12 slabs.
enum class DopKind : std::uint8_t { dop18, dop24 };

/// Parameters that the papers' experiments vary. The defaults are the papers' choices. A kind ignores the
/// members that it does not use. No option changes a report.
struct ResearchOptions {
  /// aabb, obb, box, opcode, opcodeQuantized; a query uses the option of the part in role A.
  BoxTest boxTest = BoxTest::usual;
  AabbSplit split = AabbSplit::middle;  ///< aabb, opcode, opcodeQuantized
  ObbAxes axes = ObbAxes::convexHull;   ///< obb
  /// obb: the paper's error margin, added to each entry of the absolute matrix in addition to the proven
  /// bound (4e-6). Larger: more box tests.
  double epsilon = 0;
  /// box: search for a split across the longest axis only, instead of all three; builds a little faster.
  bool longestAxisOnly = false;
  /// box: cuts of empty space in addition to one per node, per triangle; each takes 8 bytes. Larger: fewer
  /// box tests. With the paper's 9 bytes per node, there is memory for a quarter. At most 1.75.
  float spareCuts = 0.25F;
  DopKind k = DopKind::dop24;  ///< dop
  /// opcode, opcodeQuantized: leaves are nodes with boxes of their own. Off: a node's children are boxes or
  /// triangles, which takes half the memory.
  bool withLeaves = false;
};

}  // namespace fitup
