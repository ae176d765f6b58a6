#pragma once

#include <cstddef>
#include <cstdint>

// Every number that was tuned, with its unit, its reason, and what changes with it. These numbers decide how
// long something takes (or how well a search without an end of its own does), never whether an answer is
// right; bounds of errors stand beside their proofs. Where no figure is given the neighbourhood is flat, or
// was not measured on its own. Factors are of time, on Zen 3 (docs/lab/wide-notes.md).

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

// ---- questions of a drag, with coherence ----

/// Directions that are tried where hulls were apart at the last question, and where they were not. More find
/// a direction that has turned far; each costs a pass over the corners of both hulls.
inline constexpr unsigned directionsKept = 2, directionsSought = 8;
/// Questions after which boxes are asked again while hulls separate parts. Lowered, boxes that meet are
/// asked in vain; raised, parts whose boxes are apart again are separated by hulls, for longer.
inline constexpr unsigned askBoxesEach = 4;
/// Questions for which hulls that were found to meet are left alone, doubled each time in a row, up to so
/// many times. Raised, parts that come apart are found so later.
inline constexpr unsigned restOfHulls = 8, mostRestDoublings = 4;
/// Where steps were of no use so many times in a row, each 2^n-th traversal alone is asked for them.
/// Raised, parts that begin to slide past each other are asked for later; lowered, counting steps costs every
/// traversal some per cent in vain.
inline constexpr unsigned longestMissStreak = 2;
/// Part of a motion that counts in each direction, though hardly anything moved that way: the next step may.
/// Raised, steps last less long along the way; lowered, the first step aside ends them.
inline constexpr float leastPartOfMotion = 1.0F / 64;

// ---- sorting of answers, in pairs ----

/// Fewer are compared: to pack keys costs more than it gains.
inline constexpr std::size_t fewPairs = 24, fewSurfacePairs = 8;
/// From here on answers are sorted in buckets, of so many pairs on average (0.90 of the time of all triangles
/// of the wrinkled pair); others' buckets would be too small to pay for two passes.
inline constexpr std::size_t manyPairs = 8192, pairsInBucket = 1024;
/// Rounds in which neighbours change places before keys are sorted otherwise. Raised, keys far off their
/// places take long in vain.
inline constexpr int mostRounds = 16;

// ---- verdicts and depths ----

/// Pieces of a side that triangles were cut into, without a point that is deep enough, after which the
/// surfaces are cut where they meet. Of 100 to 2,000 all take about as long on assemblies of CAD parts.
inline constexpr std::size_t piecesBeforeCuts = 500;
/// Pieces that a cut along a border makes at once, at most; what is left crossed comes back.
inline constexpr std::size_t mostCells = 4096;
/// A cut is as good as so many pieces. Raised, pieces are halved for longer before they are cut.
inline constexpr double piecesForCut = 0.2;
/// Corners found last that are looked for again before new ones are made.
inline constexpr std::size_t lastCorners = 64;
/// Stretches across a polygon from which on it is halved: a cut goes on beyond the ends of its stretch,
/// through others.
inline constexpr std::size_t mostCrossings = 8;
/// Triangles of a round, spread over the body, after which a search for a common point ends if it has found
/// something. More are surer of the deepest, and take longer.
inline constexpr std::size_t roundOf = 16;
/// Part of the depth that is asked for, from which on an ascent is tried: overlaps within the tolerance have
/// many lower points. In a cube it is reached below the middles of its triangles, however small the cube.
inline constexpr double worthAnAscent = 0.5;
/// Ascents without success, after which rays are all that is tried: thin plates that coincide have a slope
/// everywhere that leads nowhere.
inline constexpr unsigned mostAscents = 64;
/// Triangles of each side, spread over it, whose pairs bound a distance before the search. More cost their
/// product.
inline constexpr std::size_t sampledForDistance = 64;

// ---- sweep and prune, in boxes ----

/// Where more than one in so many boxes moves, the lists are gone through as a whole. Raised, a few moves in
/// a crowd cost a pass over all; lowered, many moves are sorted in one by one.
inline constexpr std::size_t manyMoved = 16;

}  // namespace fitup::tuning
