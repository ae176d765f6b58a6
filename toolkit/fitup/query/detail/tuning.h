#pragma once

#include <cstddef>

// Numbers of the queries that were tuned: unit, reason, and what changes with them. They decide how long
// something takes (or how well a search without an end of its own does), never whether an answer is right;
// bounds of errors stand beside their proofs. Where no figure is given the neighbourhood is flat, or was not
// measured on its own.

namespace fitup::tuning {

// ---- questions of a drag, with coherence ----

/// Directions that are tried where hulls were apart at the last question, and where they were not. More find
/// a direction that has turned far;
/// each costs a pass over the corners of both hulls.
inline constexpr unsigned directionsKept = 2, directionsSought = 8;
/// Questions after which boxes are asked again while hulls tell parts apart. Lowered, boxes that meet are
/// asked in vain; raised, parts whose boxes are apart again are separated by hulls, for longer.
inline constexpr unsigned askBoxesEach = 4;
/// Questions for which hulls that were found to meet are left alone, doubled each time in a row, up to so
/// many times. Raised, parts that come apart are found so later.
inline constexpr unsigned restOfHulls = 8, mostRestDoublings = 4;
/// Where steps were of no use so many times in a row, each 2^n-th traversal alone is asked for them.
/// Raised, parts that begin to slide past each other are asked for later; lowered, telling steps costs every
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

}  // namespace fitup::tuning
