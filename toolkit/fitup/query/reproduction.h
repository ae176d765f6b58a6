#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <fitup/base/progress.h>
#include <fitup/query/verify.h>

namespace FITUP_EXPORT fitup {

/// Compares two parts and returns the discrepancy that they show, or nothing.
using PairCheck = std::function<std::optional<Discrepancy>(const PosedModel&, const PosedModel&)>;

/// Two parts reduced to few triangles, and the discrepancy that they still show.
struct Reproduction {
  std::shared_ptr<const TriangleMesh> first, second;
  Transform worldFromFirst, worldFromSecond;
  Discrepancy discrepancy;
  /// False if the discrepancy did not recur when the whole parts were checked again. Both parts are then
  /// whole.
  bool comesBack = true;
  /// Complete means that no single triangle can be left out. Truncated means that `mostChecks` ended the
  /// reduction earlier.
  ReportStatus status = ReportStatus::complete;
  std::size_t checks = 0;  ///< number of checks made
};

/// Removes triangles from both parts as long as the discrepancy remains: first halves, then smaller and
/// smaller pieces down to single triangles (Zeller and Hildebrandt, Simplifying and Isolating
/// Failure-Inducing Input, 2002: ddmin). It alternates between the parts until neither shrinks. `known` is
/// the discrepancy of the whole parts; its triangles are tried first.
Reproduction smallestReproduction(const PosedModel& first, const PosedModel& second, const PairCheck& check,
                                  const Discrepancy& known, const Progress& progress = {},
                                  std::size_t mostChecks = 2000);

}  // namespace fitup
