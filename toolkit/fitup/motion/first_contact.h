#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fitup/motion/replay.h>
#include <fitup/query/distance.h>

namespace FITUP_EXPORT fitup {

/// What a search for the first contact makes of pairs that are in contact at the very start.
enum class InitialContacts {
  report,  ///< the answer is then time 0
  /// They do not count until they have come apart by the clearance and twice the resolution (for these pairs
  /// the default one, where a coarser one is asked for), which is looked for at 16 evenly spaced times of
  /// each step of the track: a pair that comes apart and meets again between two of these, or comes apart by
  /// less, is not seen. From then on they count like all others.
  ignoreUntilSeparated,
};

/// How to look for the first contact along a motion. Lengths in the world's unit.
struct FirstContactOptions {
  /// Counts as contact: being at most so far apart.
  double clearance = 0;
  /// How much farther than `clearance` a pair may be apart at the time that is reported as that of contact.
  /// Unset: 2^-20 of the diagonal of everything. Smaller: more queries, along faces that slide past each
  /// other in inverse proportion. Raised where rounding asks for it.
  std::optional<double> resolution{};
  InitialContacts initialContacts = InitialContacts::report;
  /// Pairs that are ignored, or outside the sets to check, do not count; those of a rule with a clearance
  /// count as in contact at that distance, if it is more than the clearance above. `allowContact` has no
  /// meaning here.
  Rules rules{};
  VectorUse vectorUse = VectorUse::best;
  /// `maxPairs` is not used.
  QueryLimits limits{};
  /// Distances measured at most; then the report is truncated.
  std::size_t maxQueries = 10'000'000;
  /// Accepts a track recorded on a model with another hash.
  bool force = false;
};

/// A contact of a moved instance (a) with one at rest or of another moved group (b).
struct MotionContact {
  double time = 0;  ///< in steps of the track: 2.25 is a quarter of the way from step 2 to step 3
  NodeId a{}, b{};
  double clearance = 0;            ///< that counts for the pair
  NearestPair nearest;             ///< at that time; points in the world
  std::vector<RigidMotion> poses;  ///< of the track's moved paths at that time
};

struct FirstContactReport {
  std::optional<MotionContact> contact;
  /// Nothing is in contact before; the time of the contact, the end of the track, or how far the search came.
  double clearUntil = 0;
  double clearance = 0, resolution = 0;  ///< that were used
  double longestClearance = 0;           ///< of any pair: that, or a rule's
  std::size_t consideredPairs = 0;       ///< of instances that move against each other, in the sets
  /// Pairs in contact at the start that were ignored.
  std::vector<std::pair<NodeId, NodeId>> initialContacts;
  ReportStatus status = ReportStatus::complete;
  std::size_t queries = 0;  ///< distances measured
  DistanceStats stats;
  double milliseconds = 0;  ///< wall clock
};

/// The first time along the whole track, poses between steps interpolated as in track.h, at which a moved
/// instance comes within the clearance of one at rest (where `poses` have it) or of one that moves otherwise.
///
/// By conservative advancement: a pair whose distance is d is looked at again when it has had the time to
/// come nearer by d - clearance, at the bound on its speed (RigidPath). So nothing is tunnelled through,
/// however thin or fast: at every time before `clearUntil` every pair that counts is farther apart than its
/// clearance, and at the time of the contact its pair is at most that and the resolution apart. The time is
/// never later than that of the true first contact (of pairs that count, see `InitialContacts`); it is
/// earlier where parts pass each other at less than the resolution, and no more than that. Distances are
/// those of surfaces: parts that are inside one another from the start are not in contact.
///
/// Throws as `resolve` and `distance`; InputError for lengths that are negative or no numbers, and for steps
/// so far away that rounding would hide contact (by 1/64 of the diagonal of everything).
FirstContactReport firstContact(const Scene& scene, const Poses& poses, const Track& track,
                                const FirstContactOptions& options = {}, const Progress& progress = {});

/// The same for one node moved between two poses (from the design placement); times are in [0, 1].
FirstContactReport firstContact(const Scene& scene, const Poses& poses, NodeId moved, const RigidMotion& from,
                                const RigidMotion& to, const FirstContactOptions& options = {},
                                const Progress& progress = {});

}  // namespace fitup
