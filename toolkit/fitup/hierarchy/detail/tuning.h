#pragma once

#include <cstddef>
#include <cstdint>

// Numbers of the hierarchies that were tuned: unit, reason, and what changes with them. They decide how long
// something takes, never what it answers; bounds of errors stand beside their proofs. Where no figure is
// given the neighbourhood is flat, or was not measured on its own. Factors are of time, on Zen 3
// (docs/lab/wide-notes.md).

namespace fitup::tuning {

// ---- memory of wide trees, in bytes ----

/// Of both trees' leaves: up to here nothing is asked for ahead, as all stays in a core's second cache
/// (processors have 0.5 to 2 MB). Lowered, plant and small torus take 2 % longer; raised, the wrinkled pair's
/// triangles wait for memory, a fifth of their time.
inline constexpr std::size_t bytesNearby = std::size_t{1} << 20;
/// Of both trees' leaves: beyond, pairs stand in queues until memory has brought what they ask for; up to
/// here they go depth first, which takes a few per cent less where what is asked for ahead comes in time.
/// Lowered to 1 MB: large torus 0.92, wrinkled pair 1.00; to nothing: plant and small torus 1.1.
inline constexpr std::size_t bytesWithoutQueues = std::size_t{4} << 20;
/// Of an array: from here on it has memory of its own in large pages. A third of that is lost at most, as
/// whole pages of 2 MB are taken; lowered, more is.
inline constexpr std::size_t leastForLargePages = std::size_t{3} << 20;
/// Pairs that a search for distances asks memory for while their predecessors are worked on. More may be
/// visited too late to find what they asked for.
inline constexpr std::size_t nearestAskedAhead = 4;

// ---- shape of wide trees ----

/// Bins of each axis where a node is split by the surface area heuristic. More make building longer, trees
/// hardly better.
inline constexpr std::uint32_t binCount = 16;
/// Triangles: groups up to here are split at any position instead of between bins. Also the room on the
/// stack.
inline constexpr std::uint32_t smallGroup = 64;
/// Groups for which a body's node is left out, at most: with more its groups are much smaller than the bodies
/// beside them, and queries for the first pair begin with the larger boxes.
inline constexpr std::uint32_t fewGroups = 2;
/// Triangles: surfaces of fewer, and shells of fewer on average, are not split into shells. Lowered, building
/// looks in vain.
inline constexpr std::uint32_t smallSurface = 512, smallShell = 32;
/// Triangles in the sample that decides whether shells are worth while: for each shell, and at least. Fewer
/// are built sooner and misjudge more.
inline constexpr std::uint32_t sampledPerShell = 32, sampledAtLeast = 4096;
/// Part of the area of boxes that shells must leave, at most. Raised, surfaces are split for less.
inline constexpr double worthSplitting = 0.8;
/// Part of their area that a node's children's boxes must shrink to where its axes may differ from the
/// model's. Raised, more frames are composed by queries than boxes save; lowered, turned parts are boxed
/// loosely.
inline constexpr float worthTurning = 0.8F;
/// Length of the mean normal of a patch, 1 where it is flat, from which the axis of its cylinder follows it;
/// below, the shortest edge of the box. A closed surface has none.
inline constexpr float worthFollowing = 0.25F;
/// Height of the children's cylinders as a part of their boxes' along the shortest edges, on average, up to
/// which a node is flat, so that queries look at its cylinders. Raised, more pairs are looked at in vain.
inline constexpr float flatness = 0.7F;
/// A node so many times as large as the other one is opened alone in searches for distances. Lowered, more
/// steps each open eight boxes; raised, pairs of boxes of unlike size bound little.
inline constexpr float muchLarger = 4;

// ---- tasks and looks at a handle, in triangles or reads ----

/// Triangles of a subtree from which on it is built as a task of its own. Lowered, tasks cost more than they
/// spread; raised, threads wait at the end.
inline constexpr std::uint32_t subtreeTask = 1U << 14;
/// Triangles for each thread that builds a model: fewer are built before another thread has begun.
inline constexpr std::size_t trianglesForThread = 20'000;
/// Reads of entries between two looks at a cancel handle. Lowered, looks cost; raised, Ctrl-C waits.
inline constexpr std::uint32_t readsAtOnce = 4096;

// ---- hulls of parts ----

/// Boxes of the wide tree whose corners stand for the points of a part that has many. More make the hull
/// tighter, and making it longer (it takes milliseconds).
inline constexpr std::size_t hullBoxes = 512;

}  // namespace fitup::tuning
