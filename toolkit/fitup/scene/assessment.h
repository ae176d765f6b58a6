#pragma once

#include <optional>
#include <string_view>

#include <fitup/geometry/transform.h>
#include <fitup/query/verdict.h>

namespace FITUP_EXPORT fitup {

/// Severity of a finding, in ascending order. The console, reports, the report page, the viewer and exit
/// codes use it.
enum class Severity {
  intersection,  ///< triangles intersect, and no verdict was requested
  clear,
  contact,
  undecided,  ///< not known
  tooNear,    ///< nearer than the clearance that the rule of the pair requires
  clash,
};
/// True for findings that need a correction: a clash, an intersection without a verdict, or a violated
/// clearance.
constexpr bool needsAction(Severity severity) noexcept {
  return severity == Severity::intersection || severity >= Severity::tooNear;
}

/// The result for a pair of instances in a check, or for a finding in a report. Fields that were not
/// requested or are not known are unset. World frame and unit.
struct Assessment {
  std::optional<Verdict> verdict{};
  std::optional<double> tolerance{};  ///< tolerance of the verdict
  std::optional<double> depth{};      ///< depth of the deepest point
  double depthErrorBound = 0;         ///< the true depth is at most this much larger
  bool depthIsLowerBound = false;     ///< true if a part is not closed
  /// By how much depth and distance of the exact shapes may differ from these, on top of `depthErrorBound`; 0
  /// if the triangles were judged.
  double chordError = 0;
  double rounding =
      0;  ///< by how much depth and distance may be off by rounding, on top of both; 0: not known
  /// Distance of pairs that are clear, in contact, or nearer than a rule allows; 0 where they intersect.
  std::optional<double> distance{};
  std::optional<Vec3> point{};  ///< where to look: the deepest point, otherwise a point of the intersection
  std::optional<Vec3> direction{};  ///< unit vector, the way out from `point`
  bool tooNear = false;             ///< nearer than the clearance that the rule of the pair requires
  /// The volume that the two have in common, in the world's unit cubed. It does not affect the severity, and
  /// neither does the way out.
  std::optional<double> volume{};
  double volumeErrorBound = 0;   ///< the true volume differs by at most this much
  std::optional<Vec3> wayOut{};  ///< translation of the first one that frees the two (`WayOut`)

  /// Severity of the pair or finding. Without a verdict it is taken to be listed because it intersects.
  [[nodiscard]] constexpr Severity severity() const noexcept {
    if (verdict == Verdict::clash) return Severity::clash;
    if (tooNear) return Severity::tooNear;
    // Reports of versions before 3 have a tolerance alone.
    if (verdict == Verdict::undecided || (!verdict && tolerance)) return Severity::undecided;
    if (verdict) return *verdict == Verdict::contact ? Severity::contact : Severity::clear;
    return Severity::intersection;
  }
  friend bool operator==(const Assessment&, const Assessment&) = default;
};

}  // namespace fitup
