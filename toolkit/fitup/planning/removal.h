#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/motion/certify.h>
#include <fitup/motion/contact_freedom.h>
#include <fitup/planning/pose_search.h>
#include <fitup/planning/removal_relief.h>
#include <fitup/planning/way_profile.h>

namespace FITUP_EXPORT fitup {

/// What a search for a way is doing.
struct RemovalSight {
  RigidMotion pose;       ///< that was reached or tried: a motion from where the moved instances are
  std::size_t poses = 0;  ///< reached so far by the search among poses
  std::size_t ways = 0;   ///< tried so far
};

/// The largest number of searches at the same time.
inline constexpr std::size_t mostRemovalSearches = 256;

/// Options of `findRemoval`. Lengths in the world's unit.
struct RemovalOptions {
  /// Where the moved instances shall go: a motion from where they are. Unset: *out*, so far that the box
  /// about them has left the box about everything else.
  std::optional<RigidMotion> goal{};
  /// Motions of the moved instances from where they are, that the way shall pass, in this order.
  std::vector<RigidMotion> guides{};
  /// As in `CertifyOptions`.
  double clearance = 0;
  std::optional<double> tolerance{};
  std::optional<double> resolution{};
  bool exactShapes = false;
  Rules rules{};
  /// `timeBudget` is for the whole search. `maxPairs` is not used. Without a budget of time, the answer is
  /// always the same.
  QueryLimits limits{};
  std::size_t maxWays = 600;  ///< that are tried; beyond it the search ends
  /// Of one way that is tried. A way that needs more counts as undecided.
  std::size_t maxQueriesPerWay = 100'000;
  std::size_t maxPieces = 3;  ///< of a way: 1 tries straight ways only
  /// Goes on after the first certain way, for a shorter one of no more pieces, until all are tried or a limit
  /// ends the search.
  bool shortest = false;
  /// Looks for a way among poses when the straight ways and the ways of pieces lead nowhere (`treeSearch`).
  /// Null: it ends there.
  std::shared_ptr<const PoseSearch> search{};
  /// Of that search: the same seed finds the same way, unless a budget of time ends it.
  std::uint64_t seed = 1;
  /// Searches with different seeds, each on a thread of its own. The one that finds a way with the least work
  /// wins: the way depends on this number, but not on that of the cores.
  std::size_t searches = 1;       ///< from 1 to `mostRemovalSearches`
  std::size_t maxWork = 500'000;  ///< `FreeSpace::work` of each search
  /// Called in the course of the search, on its thread.
  std::function<void(const RemovalSight&)> watch{};
  /// How many of the directions that get farthest are asked for the parts in the way (`RemovalWitness`).
  std::size_t witnessDirections = 8;
  /// The same for the faces that need to yield (`RemovalRelief`). All of them together take about 160 ways
  /// and 40,000 distances at most, after the search among poses.
  std::size_t reliefDirections = 4;
};

/// Where a direction to try comes from.
enum class RemovalSource {
  contactFace,  ///< the normal or the axis of a face that touches the moved parts at the start
  ownFace,      ///< the normal or the axis of a face of the moved parts
  partAxis,     ///< an axis of a moved part's frame
  worldAxis,
  goal,   ///< towards the goal
  screw,  ///< a thread of the moved parts
};
/// Returns "contact face", "own face", "part axis", "world axis", "goal" or "screw".
std::string_view name(RemovalSource source) noexcept;

/// A direction that was tried from the start.
struct RemovalDirection {
  Vec3 direction;  ///< unit, in the world
  RemovalSource source = RemovalSource::worldAxis;
  /// It leads no contact place into the part there, to first order. False is no proof that it is blocked:
  /// contacts may have play.
  bool keepsContacts = false;
  /// Of a screw: the turn about the direction, for the whole way, in degrees.
  double degrees = 0;
  double wanted = 0;   ///< length of the way
  double reached = 0;  ///< length of its beginning that is certain
  CertifyAnswer answer = CertifyAnswer::undecided;
  std::optional<MotionContact> stop{};  ///< what ends it, if `answer` is violated
};

/// Instances that are in the way in one direction: without them, the way along it is certain. This shows that
/// taking them away suffices, and that each of them is in this way. Other ways may need fewer.
struct RemovalWitness {
  std::size_t direction = 0;  ///< position in `RemovalReport::directions`
  std::vector<NodeId> without;
};

/// What the search among poses did: the one that won or, if none did, the first one.
struct RemovalSearch {
  std::size_t steps = 0;   ///< extensions of trees
  std::size_t poses = 0;   ///< reached
  std::size_t checks = 0;  ///< ways between poses that were examined
  std::size_t work = 0;    ///< `FreeSpace::work`
  /// The part of the way, between guides, at which it ended: 0 leads to the first guide.
  std::size_t leg = 0;
  /// A way was found first with larger tolerances of contacts and a smaller clearance, and led the search.
  bool relaxed = false;
  bool isEndFree = true;  ///< false: the ends of that part are not free, so that nothing was searched
};

/// A pair of faces that stopped ways, straight ones and those at the frontier of the search among poses, and
/// how many. A hint, no proof.
struct RemovalHint {
  NodeId moved{}, other{};
  SurfacePair surfaces;
  std::size_t count = 0;
};

enum class RemovalAnswer {
  certain,  ///< there is a way, with its certificate
  /// Within the limits of the search. That never shows that there is none. The status is *truncated* if more
  /// of the search could have followed.
  notFound,
  undecided,  ///< the search was cancelled, or of the only ways left nothing is certain
};
/// Returns "certain", "not found" or "undecided".
std::string_view name(RemovalAnswer answer) noexcept;

/// The result of `findRemoval`. Lengths in the world's unit.
struct RemovalReport {
  RemovalAnswer answer = RemovalAnswer::notFound;
  /// Of the way that was found: `way->certificate.track` is its track. With the answer *undecided*, a way
  /// that nothing is known to stop, if there is one.
  std::optional<CertifyReport> way;
  /// How near the moved instances come to others on a certain way, and on what they slide.
  std::optional<WayProfile> profile;
  double length = 0;  ///< of the way: the path of the centre of the box about the moved instances
  std::vector<RemovalDirection> directions;  ///< from the start, in the order in which they were tried
  /// What exact contacts at the start leave, to first order. See `ContactFreedom` for what it proves.
  ContactFreedom freedom;
  std::vector<ContactPlace> places;  ///< at the start, to which `freedom` refers
  /// Fewest instances first. Empty if a way was found, or if none was found within the limits.
  std::vector<RemovalWitness> witnesses;
  /// Fewest faces first, then the least sum of offsets. Empty in the same cases, if `reliefDirections` is 0,
  /// and where up to three faces are not enough.
  std::vector<RemovalRelief> reliefs;
  std::vector<RemovalHint> hints;  ///< most frequent first; empty if a way was found
  RemovalSearch search;
  std::size_t tried = 0;    ///< ways
  std::size_t queries = 0;  ///< distances measured
  ReportStatus status = ReportStatus::complete;
  double milliseconds = 0;  ///< wall clock
};

/// Finds a way that takes instances (one rigid group) out of a scene whose other instances rest at `poses`,
/// or to a goal, and certifies it: at every time of the way, pairs in contact at the start keep their limits,
/// and all others keep more than the clearance (`certify`).
///
/// Tried are straight ways along directions that the model suggests: axes and normals of the faces in contact
/// and of the moved parts, axes of the moved parts and of the world, in both senses. Those that keep all
/// contacts to first order come first, then those that open them most. Screws follow if moved parts have
/// threads with helical faces. If none of them is certain, ways of
/// several pieces follow: along a direction as far as it is free, or a part of that, then along another one.
/// Turns about axes of the moved parts' round faces are tried as first pieces (bayonets).
///
/// If these lead nowhere, or if there are guides, `RemovalOptions::search` looks for a way among poses, first
/// with much room and then with less (`FreeSpaceOptions::room`).
///
/// It is no complete search: that nothing is found does not mean that there is no way.
///
/// Thread-safe. Throws as `certify`; InputError if nothing is moved, for guides without a search, for a
/// number of searches out of range, if a moved instance has triangles of no rigid pose relative to its
/// design, or for a goal that is not rigid.
RemovalReport findRemoval(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                          const RemovalOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
