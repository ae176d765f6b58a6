#pragma once

#include <functional>
#include <map>
#include <utility>

#include <fitup/scene/interference_report.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// True if a clash is only known to be deeper than reported: with `VerdictOptions::regions` off its depth is
/// that of the first point that was found beyond the tolerance.
[[nodiscard]] bool needsDepth(const PairInterference& pair) noexcept;
[[nodiscard]] bool needsDepths(const InterferenceReport& report) noexcept;

/// Depths of clashes, kept for as long as the two parts stand where they were measured. One thread.
class ClashDepths {
 public:
  /// Puts those that are known into a report of the scene with these poses; nothing is measured. Linear in
  /// the clashes.
  void recall(const Scene& scene, const Poses& poses, InterferenceReport& report) const;
  /// Measures the others, until cancelled; `onDepth` is called after each. Afterwards the report is that of a
  /// check with regions. Throws as `verdict`.
  void measure(const Scene& scene, const Poses& poses, InterferenceReport& report,
               const Progress& progress = {}, const std::function<void()>& onDepth = {});
  /// The tolerance, or another model, makes all of them untrue.
  void clear() { known_.clear(); }

 private:
  struct Known {
    Transform worldFromA, worldFromB;
    VerdictReport verdict;
  };
  std::map<std::pair<NodeId, NodeId>, Known> known_;
};

}  // namespace fitup
