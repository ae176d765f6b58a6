#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/motion/replay.h>
#include <fitup/query/distance_error.h>
#include <fitup/scene/clearance.h>

namespace FITUP_EXPORT fitup {

/// Options of a search for the first contact along a motion. Lengths in the world's unit.
struct FirstContactOptions {
  /// Largest distance that counts as contact.
  double clearance = 0;
  /// Largest distance beyond `clearance` that a pair may have at the reported time of contact. Unset: 2^-20
  /// of the diagonal of the scene. Smaller: more queries, in inverse proportion along faces that slide past
  /// each other. It is raised if rounding requires it.
  std::optional<double> resolution{};
  InitialContacts initialContacts = InitialContacts::report;
  /// t, for `keepLimits`: pairs that are nearer at the start than this or their clearance are in contact.
  /// Unset: `defaultTolerance` of each pair; for meshes without a known chord error, the default resolution.
  /// Raised to `minimumTolerance`. Pairs reach their limit with at most t / 4, or `resolution` if that is
  /// less, to spare.
  std::optional<double> tolerance{};
  /// Ignored pairs, and pairs outside the sets to check, do not count. The clearance of a rule applies to its
  /// pairs if it is larger than the one above, and the depth of `allowOverlap` as their t if that is larger.
  /// `allowContact` has no effect.
  Rules rules{};
  /// Looks for the contact of the exact shapes instead of the triangles. Pairs in contact at the start are
  /// followed by their triangles.
  std::optional<ExactDistances> exact{};
  VectorUse vectorUse = VectorUse::best;
  /// `maxPairs` is not used.
  QueryLimits limits{};
  /// Maximum number of distances measured; beyond it the report is truncated.
  std::size_t maxQueries = 10'000'000;
  /// Accepts a track recorded on a model with a different hash.
  bool force = false;
};

/// What ends a motion.
enum class MotionEvent {
  contact,   ///< the pair comes as near as its clearance
  depth,     ///< the pair was in contact at the start, and gets deeper than its limit
  piercing,  ///< the pair was in contact at the start, and each part comes to reach the middle of a wall of
             ///< the other
};

/// Returns "contact", "depth" or "piercing".
std::string_view name(MotionEvent event) noexcept;

/// A contact of a moved instance (a) with one that rests or belongs to another moved group (b).
struct MotionContact {
  double time = 0;  ///< in steps of the track: 2.25 is a quarter of the way from step 2 to step 3
  NodeId a{}, b{};
  double clearance = 0;  ///< clearance that applies to the pair
  NearestPair nearest;   ///< at that time; points in the world
  DistanceError error;   ///< of the distance of `nearest`
  /// Of the exact shapes of these two: by this time they have been as near as their clearance. Unset if that
  /// is not bounded: for the events `depth` and `piercing`, without chord errors, and where nothing along the
  /// rest of the track is certain, as in sliding contact.
  std::optional<double> exactLatest;
  std::vector<RigidMotion> poses;  ///< of the moved paths of the track, at that time
  MotionEvent event = MotionEvent::contact;
  double depthLimit = 0;  ///< L of the pair, if it was in contact at the start
};

/// The result of `firstContact`. Lengths in the world's unit, times in steps of the track.
struct FirstContactReport {
  std::optional<MotionContact> contact;
  /// No pair is in contact before this time: the time of the contact, the end of the track, or the time that
  /// the search reached.
  double clearUntil = 0;
  /// The same for the exact shapes, at most `clearUntil`: before this time, no two exact shapes are as near
  /// as their clearance, except for `initialContacts`. Set if a part has chord errors. Parts without them
  /// count as exact.
  std::optional<double> exactClearUntil;
  double clearance = 0, resolution = 0;  ///< values that were used
  double longestClearance = 0;           ///< the largest clearance of any pair, including rules
  std::size_t consideredPairs = 0;       ///< of instances in relative motion, in the sets to check
  /// Pairs in contact at the start that kept, or are to keep, their limits (`InitialContacts::keepLimits`).
  std::vector<std::pair<NodeId, NodeId>> initialContacts;
  /// Those of them that were not followed, or not in every respect: a part is not closed, or it is not
  /// certain at the start that they do not pierce each other, or whether one lies inside the other.
  std::vector<std::pair<NodeId, NodeId>> unknownContacts;
  ReportStatus status = ReportStatus::complete;
  std::size_t queries = 0;  ///< distances measured
  DistanceStats stats;
  double milliseconds = 0;  ///< wall clock
};

/// Finds the first time along the track at which a moved instance comes within the clearance of an instance
/// that rests (at `poses`) or moves differently. Poses between steps are interpolated as in track.h.
///
/// The method is conservative advancement: a pair at distance d is examined again after the shortest time in
/// which it can come nearer by d - clearance, given the bound on its speed (RigidPath). No contact is
/// therefore missed, however thin or fast the parts are. At every time before `clearUntil` every counted pair
/// is farther apart than its clearance. At the time of the contact, its pair is at most the clearance plus
/// the resolution apart. The time is never later than that of the true first contact of counted pairs (see
/// `InitialContacts`). It may be earlier, because parts that pass each other within the resolution are
/// reported too. Distances are those of surfaces: parts that lie inside one another from the start are not in
/// contact, except with `keepLimits`, where they count among those that are. Depths, which limit pairs in contact at the start, are those of `penetration`.
///
/// The exact shapes of CAD parts may meet earlier or later than their triangles. `exactClearUntil` is found
/// like the time of the contact, from the least distances that the chord errors of the near faces allow
/// (`exactDistance`), so it holds for any motion. `exactLatest` is a time after the contact at which the
/// distance of the two is certainly at most the clearance or, for closed parts of one shell, none inside the
/// other, at which a point of one lies deeper in the other than the chord errors; so the shapes have met by
/// then. It is looked for at times that are ever farther from the contact.
///
/// With `exact`, parts are made finer where they come so near that chord errors matter (`resolvedDistance`),
/// and the contact is that of the exact shapes: its time is not later than theirs, and the two are at most
/// the clearance, the resolution and twice `error` apart.
///
/// Throws as `resolve` and `distance`, and InputError for lengths that are negative or not finite, and for
/// steps so far away that rounding would hide contact (by 1/64 of the diagonal of the scene).
FirstContactReport firstContact(const Scene& scene, const Poses& poses, const Track& track,
                                const FirstContactOptions& options = {}, const Progress& progress = {});

/// The same for one node that moves between two poses, given as motions from its design placement. Times are
/// in [0, 1].
FirstContactReport firstContact(const Scene& scene, const Poses& poses, NodeId moved, const RigidMotion& from,
                                const RigidMotion& to, const FirstContactOptions& options = {},
                                const Progress& progress = {});

}  // namespace fitup
