#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <fitup/base/progress.h>
#include <fitup/query/verify.h>

namespace FITUP_EXPORT fitup {

/// Says whether two parts show a difference; nothing if they do not.
using PairCheck = std::function<std::optional<Discrepancy>(const PosedModel&, const PosedModel&)>;

/// Two parts, cut down to few triangles, and the difference that they still show.
struct Reproduction {
  std::shared_ptr<const TriangleMesh> first, second;
  Transform worldFromFirst, worldFromSecond;
  Discrepancy discrepancy;
  /// False if the difference did not come back when the whole parts were asked again: both parts are whole
  /// then.
  bool comesBack = true;
  /// Complete: no single triangle can be left out. Truncated: `mostChecks` ended it before.
  ReportStatus status = ReportStatus::complete;
  std::size_t checks = 0;  ///< how often it was asked
};

/// Leaves out triangles of both parts as long as the difference remains, halves first, then smaller and
/// smaller pieces down to single triangles (Zeller and Hildebrandt, Simplifying and Isolating
/// Failure-Inducing Input, 2002: ddmin), in turn until neither part gets smaller. `known` is the difference
/// of the whole parts: its triangles are tried first.
Reproduction smallestReproduction(const PosedModel& first, const PosedModel& second, const PairCheck& check,
                                  const Discrepancy& known, const Progress& progress = {},
                                  std::size_t mostChecks = 2000);

}  // namespace fitup
