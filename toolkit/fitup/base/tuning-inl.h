#pragma once

#include <cstddef>
#include <cstdint>

// All tuned numbers, with their units, their reasons, and the effects of changing them. They affect the
// running time (or the quality of a search without an end of its own), never whether an answer is correct.
// Bounds on errors are given beside their proofs. A number without figures has no clear optimum or was not
// measured on its own. Figures are factors of time on Zen 3 (docs/lab/wide-notes.md).

namespace fitup::tuning {

// ---- memory of wide trees, in bytes ----

/// Size of both trees' leaves up to which nothing is prefetched, because all of it stays in a core's
/// second-level cache (0.5 to 2 MB). If lowered, plant and small torus take 2 % longer; if raised, the
/// triangles of the wrinkled pair wait for memory, a fifth of their time.
inline constexpr std::size_t bytesNearby = std::size_t{1} << 20;
/// Size of both trees' leaves above which pairs wait in queues until memory has delivered their data. Below
/// it they are visited depth first, which takes a few per cent less if prefetched data arrives in time.
/// Lowered to 1 MB: large torus 0.92, wrinkled pair 1.00; lowered to 0: plant and small torus 1.1.
inline constexpr std::size_t bytesWithoutQueues = std::size_t{4} << 20;
/// Size of an array from which it gets its own memory in large pages. At most a third of that is wasted,
/// because whole pages of 2 MB are allocated; lowering it wastes more.
inline constexpr std::size_t leastForLargePages = std::size_t{3} << 20;
/// Number of pairs for which a distance search prefetches memory while their predecessors are processed. With
/// more, prefetched data may be evicted before it is used.
inline constexpr std::size_t nearestAskedAhead = 4;

// ---- shape of wide trees ----

/// Bins on each axis when a node is split by the surface area heuristic. More bins make building slower and
/// trees hardly better.
inline constexpr std::uint32_t binCount = 16;
/// Number of triangles up to which a group is split at any position instead of between bins. It is also the
/// size of arrays on the stack.
inline constexpr std::uint32_t smallGroup = 64;
/// Largest number of groups for which a body's node is left out. With more, the groups are much smaller than
/// the neighbouring bodies, and queries for the first pair start with the larger boxes.
inline constexpr std::uint32_t fewGroups = 2;
/// Number of triangles of a surface, and average number of triangles of its shells, below which the surface
/// is not split into shells. If lowered, builds search to no effect.
inline constexpr std::uint32_t smallSurface = 512, smallShell = 32;
/// Triangles in the sample that decides whether shells pay off: for each shell, and at least in all. A
/// smaller sample is faster and misjudges more.
inline constexpr std::uint32_t sampledPerShell = 32, sampledAtLeast = 4096;
/// Largest fraction of the area of boxes that splitting into shells may leave. If raised, surfaces are split
/// for smaller gains.
inline constexpr double worthSplitting = 0.8;
/// When surfaces are split into pieces together. `fewToMix`: not below this number of triangles. `goodSplit`,
/// `worthTrying`: only if eight groups of surfaces have boxes of more than this fraction of the area of the
/// box around all, and eight groups of pieces have less than that fraction of this. Raising these makes
/// builds slower. `worthMixing`: largest fraction of the area of all nodes which pieces may leave. If raised,
/// subtrees of one surface, which queries for all surfaces skip, are lost for smaller gains.
/// `levelsBetweenTrials`: after a trial that failed, halves are tried again so many levels below.
inline constexpr std::uint32_t fewToMix = 128, levelsBetweenTrials = 2;
inline constexpr double goodSplit = 0.4, worthTrying = 0.9, worthMixing = 0.6;
/// Fraction to which the boxes of a node's children must shrink in area before its axes may differ from the
/// model's. If raised, composing frames costs queries more than smaller boxes save; if lowered, rotated parts
/// have loose boxes.
inline constexpr float minGainOfRotation = 0.8F;
/// Ratio of two scatters from which the axes along them count as hardly determined, so that those of a triangle
/// are tried too. If lowered, builds take longer.
inline constexpr double alikeScatter = 0.7;
/// Length of the mean normal of a patch (1 for a flat patch) from which the axis of its cylinder follows the
/// normal. Below it, the axis follows the shortest edge of the box. A closed surface has a mean normal of 0.
inline constexpr float minNormalLength = 0.25F;
/// Largest average ratio of the heights of the children's cylinders to the shortest edges of their boxes for
/// which a node is flat, so that queries test its cylinders. If raised, more cylinders are tested in vain.
inline constexpr float flatness = 0.7F;
/// Number of pairs of children of two nodes that meet, of 64, from which long boxes are compared along the
/// cross products of their edges too, and how many times as long as wide boxes must be for that. If lowered,
/// more are compared in vain; if raised, bundles of rods that are askew take longer.
inline constexpr int manyMeeting = 8;
inline constexpr float longBox = 4;
/// Number of such pairs of nodes after which the edges are compared for once, unless they separated some
/// pairs of children the last time. If lowered, queries that need no edges take longer.
inline constexpr int edgesAskedEach = 96, separatedByEdges = 2;
/// Number of pairs of nodes with close boxes after which a query for the first pair looks at such boxes closer.
/// If lowered, first pairs of faces that touch take up to twice as long.
inline constexpr int closeUntilLook = 6;
/// Ratio of sizes from which only the larger of two nodes is opened in a distance search. If lowered, more
/// steps open just eight boxes; if raised, pairs of boxes of very different size give weak bounds.
inline constexpr float muchLarger = 4;

// ---- tasks and checks of a handle, in triangles or reads ----

/// Number of triangles of a subtree from which it is built as a separate task. If lowered, tasks cost more
/// than they distribute; if raised, threads idle at the end.
inline constexpr std::uint32_t subtreeTask = 1U << 14;
/// Triangles for each thread of a model build. Smaller parts are finished before another thread has started.
inline constexpr std::size_t trianglesForThread = 20'000;
/// Reads of entries between two checks of a cancel handle. If lowered, checks cost time; if raised, Ctrl-C
/// takes longer.
inline constexpr std::uint32_t readsAtOnce = 4096;

// ---- hulls of parts ----

/// Number of boxes of the wide tree whose corners replace the points of a part with many points. More boxes
/// make the hull tighter and take longer (it takes milliseconds).
inline constexpr std::size_t hullBoxes = 512;

// ---- queries of a drag, with coherence ----

/// Number of directions to try if the hulls were separated at the last query, and if they were not. More
/// directions find one that has turned far; each costs a pass over the corners of both hulls.
inline constexpr unsigned directionsKept = 2, directionsSought = 8;
/// Number of queries after which boxes are tested again while hulls separate parts. If lowered, overlapping
/// boxes are tested in vain; if raised, parts whose boxes are separated again are separated by hulls for
/// longer.
inline constexpr unsigned askBoxesEach = 4;
/// Number of queries for which hulls that were found to intersect are not tested, doubled for each time in a
/// row (including the first), and the largest number of doublings. If raised, separated hulls are noticed
/// later.
inline constexpr unsigned restOfHulls = 8, mostRestDoublings = 4;
/// Largest number n of failures in a row that counts: after n useless step counts, only each 2^n-th traversal
/// counts steps. If raised, parts that begin to slide past each other are noticed later; if lowered, counting
/// steps slows every traversal by a few per cent in vain.
inline constexpr unsigned longestMissStreak = 2;
/// Fraction of a motion that is assumed in each direction, even if there was hardly any motion that way,
/// because the next step may go there. If raised, safe steps run out earlier along the motion; if lowered,
/// the first sideways step ends them.
inline constexpr float leastPartOfMotion = 1.0F / 64;

// ---- sorting of answers, in pairs ----

/// Number of pairs below which they are sorted by comparison, because packing keys costs more than it saves.
inline constexpr std::size_t fewPairs = 24, fewSurfacePairs = 8;
/// Number of pairs from which they are sorted in buckets, and the average number of pairs in a bucket (0.90
/// of the time for all triangles of the wrinkled pair). Shorter lists have buckets too small to pay for two
/// passes.
inline constexpr std::size_t manyPairs = 8192, pairsInBucket = 1024;
/// Number of rounds of exchanging neighbours before keys are sorted by another method. If raised, keys far
/// from their places take long in vain.
inline constexpr int mostRounds = 16;

// ---- verdicts and depths ----

/// Number of pieces of a side that triangles were cut into without finding a point deep enough, after which
/// the surfaces are cut where they intersect. 100 to 2,000 take about the same time on assemblies of CAD
/// parts.
inline constexpr std::size_t piecesBeforeCuts = 500;
/// The same for each triangle that is not settled as a whole, if that is more: the overlay of two finely
/// tessellated faces in contact has so many pieces, and far more lines in which triangles intersect.
inline constexpr std::size_t overlayPieces = 12;
/// Largest number of cells that one cut along a border makes. Cells that are still crossed are cut again
/// later.
inline constexpr std::size_t mostCells = 4096;
/// Number of pieces that a cut is worth. If raised, pieces are halved for longer before they are cut.
inline constexpr double piecesForCut = 0.2;
/// Number of latest corners that are searched before a new one is made.
inline constexpr std::size_t lastCorners = 64;
/// Number of stretches across a polygon from which it is halved instead, because a cut continues beyond the
/// ends of its stretch and crosses others.
inline constexpr std::size_t mostCrossings = 8;
/// Number of triangles of each side, spread over it, whose pairs bound a distance before the search. The cost
/// is the product of the two numbers.
inline constexpr std::size_t sampledForDistance = 64;

// ---- sweep and prune, in boxes ----

/// If more than one in this many boxes moves, the lists are processed as a whole. If raised, a few moves in a
/// crowd cost a pass over all boxes; if lowered, many moves are inserted one by one.
inline constexpr std::size_t manyMoved = 16;

}  // namespace fitup::tuning
