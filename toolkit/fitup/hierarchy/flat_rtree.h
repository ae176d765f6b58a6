#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/aabb.h>

namespace FITUP_EXPORT fitup {

/// An entry of a flattened R-tree node: a box and the child node or value that it bounds. 32 bytes, two
/// aligned 16-byte halves.
struct alignas(16) RTreeEntry {
  Point3f min;
  std::uint32_t first;  ///< inner entry: index of the child node's first entry; leaf entry: the value
  Point3f max;
  std::uint32_t count;  ///< inner entry: number of entries of the child node; leaf entry: 0

  [[nodiscard]] Aabb box() const noexcept { return {min, max}; }
  [[nodiscard]] bool isLeaf() const noexcept { return count == 0; }
};
static_assert(sizeof(RTreeEntry) == 32);

/// The root node of a tree in an entry array, and the box of the whole tree. An empty tree has count 0.
struct RTreeRoot {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  Aabb box;
};

/// Method by which Boost.Geometry builds the trees before they are flattened.
enum class RTreeBuild {
  packed,   ///< bulk loading (the default: faster to build, smaller, and faster to query)
  guttman,  ///< one insertion after the other with Guttman's quadratic split, as the paper cites
};

/// Largest allowed `RTreeOptions::fanOut`.
inline constexpr std::uint32_t maxRTreeFanOut = 64;
/// Largest allowed depth of an R-tree. Only insertion with a tiny fan-out and coincident boxes reaches it.
inline constexpr std::uint32_t maxRTreeDepth = 1024;

/// Options of an R-tree.
struct RTreeOptions {
  RTreeBuild build = RTreeBuild::packed;
  /// Largest number of entries of a node, 2 to `maxRTreeFanOut`. A larger value makes trees flatter and adds
  /// box tests at each level.
  std::uint32_t fanOut = 8;
  friend bool operator==(const RTreeOptions&, const RTreeOptions&) = default;
};

/// Builds an R-tree of `boxes` (value i bounds boxes[i]) and appends its nodes to `entries`, parents before
/// children. Advances `meter` by `rtreeUnits` for each box. Throws InputError for a fan-out out of range,
/// RangeError for more than 2^31 boxes, and CancelledError.
RTreeRoot appendRTree(std::span<const Aabb> boxes, const RTreeOptions& options,
                      std::vector<RTreeEntry>& entries, const WorkMeter& meter = {});
inline constexpr std::uint64_t rtreeUnits = 3;

/// Calls `visit` with the values whose boxes overlap `box`, for callers that need no counts.
void visitOverlapping(std::span<const RTreeEntry> entries, const RTreeRoot& root, const Aabb& box,
                      const std::function<void(std::uint32_t)>& visit);

}  // namespace fitup
