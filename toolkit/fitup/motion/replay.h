#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// A moved node of a track and the instances below it, in an assembly.
struct MovedGroup {
  NodeId node{};
  std::vector<NodeId> instances;
};

/// Finds the track's paths in the assembly. Throws InputError for a path that does not exist, a path below
/// another one, a step without a pose for each path, a way that does not lead to its pose and, unless
/// `force`, a model hash that differs.
std::vector<MovedGroup> resolve(const Track& track, const Assembly& assembly, bool force = false);

/// The result of a replay for one step of the track.
struct ReplayStep {
  std::size_t step = 0;
  InterferenceReport interference;
};

/// The result of `replay`: one entry for each step of the track.
struct ReplayReport {
  std::vector<ReplayStep> steps;
  ReportStatus status = ReportStatus::complete;
  /// L of the pairs that overlap at the first step by so much that it is more than the tolerance
  /// (`ReplayOptions::initialContacts`). Null: there are none.
  std::shared_ptr<const std::map<std::pair<NodeId, NodeId>, double>> depthLimits{};

  /// False if a verdict of any step is undecided.
  [[nodiscard]] bool isDecided() const {
    return std::ranges::all_of(steps, [](const ReplayStep& s) { return s.interference.isDecided(); });
  }
  /// The union of `InterferenceReport::openParts` over all steps.
  [[nodiscard]] std::set<PartId> openParts() const {
    std::set<PartId> open;
    for (const ReplayStep& s : steps)
      open.insert(s.interference.openParts.begin(), s.interference.openParts.end());
    return open;
  }
};

/// The treatment of pairs that are in contact at the start of a motion.
enum class InitialContacts {
  report,  ///< the result is then time 0
  /// They may stay in contact, slide and separate. They count once they get deeper than L = max(t, q + e),
  /// where t is the tolerance, q their depth at the start, and e the sum of both chord errors, at least t /
  /// 2; and if they come to pierce each other's walls (`PenetrationRegion::pierced`). These limits hold for
  /// the whole motion, also after they have separated.
  keepLimits,
};

/// Options of a replay.
struct ReplayOptions {
  InterferenceOptions interference;
  /// Accepts a track recorded on a model with a different hash.
  bool force = false;
  /// `keepLimits`: overlaps of pairs that are in contact at the first step count as contact up to L. Needs
  /// `interference.verdict`.
  InitialContacts initialContacts = InitialContacts::report;
};

/// Checks every step of the track: moved instances against all resting ones, and against moved instances of
/// other groups, unless both groups move together at every step and between (one rigid group). Pairs of
/// resting instances are not checked. Moved instances are at the poses of the step, all others at `poses`.
/// With `interference.verdict` every step has verdicts. Throws as `resolve` and `checkPairs`, and InputError
/// for a selection of pairs, which does not apply here, and for `keepLimits` without verdicts.
ReplayReport replay(const Scene& scene, const Poses& poses, const Track& track, const ReplayOptions& options,
                    const Progress& progress = {});

}  // namespace fitup
