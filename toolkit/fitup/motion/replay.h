#pragma once

#include <set>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// A moved node of a track with the instances below it, resolved against an assembly.
struct MovedGroup {
  NodeId node{};
  std::vector<NodeId> instances;
};

/// Finds the track's paths in the assembly. Throws InputError for a path that does not exist, for one that
/// lies below another, for a step without a pose for each path, and for a model hash that differs (unless
/// `force`).
std::vector<MovedGroup> resolve(const Track& track, const Assembly& assembly, bool force = false);

/// What a replay reports for one step of the track.
struct ReplayStep {
  std::size_t step = 0;
  InterferenceReport interference;
};

struct ReplayReport {
  std::vector<ReplayStep> steps;
  ReportStatus status = ReportStatus::complete;

  /// `InterferenceReport::openParts` of all steps together.
  [[nodiscard]] std::set<PartId> openParts() const {
    std::set<PartId> open;
    for (const ReplayStep& s : steps)
      open.insert(s.interference.openParts.begin(), s.interference.openParts.end());
    return open;
  }
};

struct ReplayOptions {
  InterferenceOptions interference;
  /// Accepts a track recorded on a model with another hash.
  bool force = false;
};

/// Checks every step of the track: moved instances against all that rest, and against moved instances of
/// other groups unless both groups move alike in every step (one rigid group). Rest against rest is not
/// checked. Moved instances stand as the step says, all others where `poses` have them. With
/// `interference.verdict` every step says clash, contact or clear. Throws as `resolve` and `checkPairs`;
/// InputError for a selection of pairs, which does not apply here.
ReplayReport replay(const Scene& scene, const Poses& poses, const Track& track, const ReplayOptions& options,
                    const Progress& progress = {});

}  // namespace fitup
