#pragma once

#include <cstdint>
#include <string_view>

namespace fitup {

/// Which axes a test of two boxes tries. More axes reject more pairs and cost more. Reports are the same.
enum class BoxTest {
  usual,    ///< the one of the kind: obb and opcode `full`, the others `lite`
  full,     ///< all fifteen of the separating axis theorem (Gottschalk 1996)
  lite,     ///< the six normals of faces (SAT lite, van den Bergen 1998)
  aligned,  ///< the three of A's box: B's box is enclosed by an aligned one (Zachmann 2002)
};
std::string_view name(BoxTest test) noexcept;

/// Where a box is split across its longest axis (van den Bergen 1998, section 2).
enum class AabbSplit {
  middle,        ///< at the box's middle, by the middle of each triangle's projection: his choice
  balanced,      ///< into halves; rejected by him
  halfBalanced,  ///< the larger group at most twice the smaller, projections overlapping least; rejected by
                 ///< him
};

/// What the axes of an oriented box are the eigenvectors of (Gottschalk, Lin and Manocha 1996, section 4).
enum class ObbAxes {
  convexHull,  ///< covariance over the surface of the convex hull; flat groups: of all triangles
  triangles,   ///< covariance over the surface of all triangles; builds faster, boxes fit less well
  identity,    ///< none: axes of the model, the paper's AABB curve
};

/// 9 or 12 slabs.
enum class DopKind : std::uint8_t { dop18, dop24 };

/// What the papers' experiments vary. The defaults are the papers' choices. A kind ignores the members that
/// are not its own. No option changes a report.
struct ResearchOptions {
  /// aabb, obb, box, opcode, opcodeQuantized; in a query that of the part that plays A counts.
  BoxTest boxTest = BoxTest::usual;
  AabbSplit split = AabbSplit::middle;  ///< aabb, opcode, opcodeQuantized
  ObbAxes axes = ObbAxes::convexHull;   ///< obb
  /// obb: the paper's error margin, added to each entry of the absolute matrix beyond what the proven bound
  /// asks for (4e-6). Raising it costs box tests.
  double epsilon = 0;
  /// box: look for a split across the longest axis only instead of all three; builds three times as fast.
  bool longestAxisOnly = false;
  DopKind k = DopKind::dop24;  ///< dop
  /// opcode, opcodeQuantized: leaves are nodes with boxes of their own. Off: a node's children are boxes or
  /// triangles, half the memory.
  bool withLeaves = false;
};

}  // namespace fitup
