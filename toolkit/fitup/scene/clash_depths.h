#pragma once

#include <functional>
#include <map>
#include <utility>

#include <fitup/scene/interference.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// True if a check without `VerdictOptions::regions` has found a clash, which ends at the first point that is
/// deeper than the tolerance: only a lower bound of the depth is known, and not which surfaces clash. False
/// for parts that pierce each other and for copies in one place, of which no more can be known.
[[nodiscard]] bool needsDepth(const PairInterference& pair) noexcept;
[[nodiscard]] bool needsDepths(const InterferenceReport& report) noexcept;

/// Depths of clashes, kept while the two parts stay where they were measured. Not thread-safe.
class ClashDepths {
 public:
  /// Copies known depths into a report of the scene with these poses; measures nothing. Linear in the number
  /// of clashes.
  void recall(const Scene& scene, const Poses& poses, InterferenceReport& report) const;
  /// Measures the missing depths until it is cancelled, and calls `onDepth` after each. The report is then
  /// that of a check with regions. `options` are those of the check; of them, those about exact shapes apply.
  /// Throws as `verdict`.
  void measure(const Scene& scene, const Poses& poses, InterferenceReport& report,
               const VerdictOptions& options = {}, const Progress& progress = {},
               const std::function<void()>& onDepth = {});
  /// Forgets all depths. Call this when the options or a model change.
  void clear() { known_.clear(); }

 private:
  struct Known {
    Transform worldFromA, worldFromB;
    VerdictReport verdict;
  };
  std::map<std::pair<NodeId, NodeId>, Known> known_;
};

}  // namespace fitup
