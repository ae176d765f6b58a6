#pragma once

#include <optional>
#include <string_view>

#include <fitup/geometry/transform.h>
#include <fitup/query/verdict.h>

namespace FITUP_EXPORT fitup {

/// How bad a finding is, from what may stay to what may not. Console, reports, page, viewer and exit codes go
/// by it.
enum class Severity {
  undecided,     ///< it was cut short before anything was known
  intersection,  ///< triangles meet, and nobody asked for more
  clear,
  contact,
  tooNear,  ///< nearer than the clearance of the pair's rule
  clash,
};
/// True if somebody has to act: a clash, or without verdicts an intersection; less than a rule's clearance.
constexpr bool needsAction(Severity severity) noexcept {
  return severity == Severity::intersection || severity >= Severity::tooNear;
}

/// What a check says of a pair of instances, or a report of one of its findings; unset where nobody asked or
/// where it is not known. In the world's frame and unit.
struct Assessment {
  std::optional<Verdict> verdict{};
  std::optional<double> tolerance{};  ///< of the verdict, also of one that was cut short
  std::optional<double> depth{};      ///< of the deepest point
  double depthErrorBound = 0;         ///< the depth is at most this much more
  bool depthIsLowerBound = false;     ///< of open parts
  /// Of pairs that are clear or in contact, or nearer than a rule allows; 0 where they intersect.
  std::optional<double> distance{};
  std::optional<Vec3> point{};      ///< where to look: the deepest point, else a point of the intersection
  std::optional<Vec3> direction{};  ///< unit, the way out from `point`
  bool tooNear = false;             ///< nearer than the clearance of the pair's rule

  /// Of a pair or finding that is listed because it intersects, where there is no verdict.
  [[nodiscard]] constexpr Severity severity() const noexcept {
    if (verdict == Verdict::clash) return Severity::clash;
    if (tooNear) return Severity::tooNear;
    if (verdict) return *verdict == Verdict::contact ? Severity::contact : Severity::clear;
    return tolerance ? Severity::undecided : Severity::intersection;
  }
  friend bool operator==(const Assessment&, const Assessment&) = default;
};

}  // namespace fitup
