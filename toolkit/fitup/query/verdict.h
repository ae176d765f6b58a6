#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <fitup/query/penetration.h>

namespace FITUP_EXPORT fitup {

/// What a pair of parts is to people who assemble them, at a tolerance t.
enum class Verdict {
  clear,    ///< farther apart than t
  contact,  ///< at most t apart, and no point of an overlap lies deeper than t
  clash,    ///< some point of an overlap lies deeper than t
};
/// "clear", "contact", "clash".
std::string_view name(Verdict verdict) noexcept;

/// How exactly the coordinates of a pair are known: the rounding to storage of both parts, also of copies
/// that are made where a placement is neither rigid nor mirrored, and that of placing them. World units. No
/// distance or depth means more than this.
double coordinateRounding(const PosedSolid& first, const PosedSolid& second);
/// What one part contributes to it: all but the rounding of placing one in the frame of the other, and of
/// copies.
double coordinateRounding(const TriangleMesh& mesh, const Transform& worldFromPart);

/// The least tolerance that a verdict is given at: `coordinateRounding`, or 2^-36 of the larger part, from
/// which on the search for depth distinguishes an overlap from contact in double precision. World units.
double leastTolerance(const PosedSolid& first, const PosedSolid& second);
/// What one part contributes to it.
double leastTolerance(const TriangleMesh& mesh, const Transform& worldFromPart);

/// The bound on a mesh's chord error, carried to the world. Throws InputError that names the part if it is
/// not known, as for meshes that come without.
double deflectionInWorld(const TriangleMesh& mesh, const Transform& worldFromPart);

/// Twice the larger deflection of the two meshes, carried to the world, as each surface may lie off by its
/// deflection; at least `leastTolerance`. Throws InputError that names the part if the deflection of one
/// is not known, as for meshes that come without: a tolerance must then be given.
double defaultTolerance(const PosedSolid& first, const PosedSolid& second);

/// The tolerance of a verdict: the one that is given, raised to `leastTolerance`, or `defaultTolerance`,
/// which says when it throws.
double toleranceFor(const std::optional<double>& given, const PosedSolid& first, const PosedSolid& second);

struct VerdictRequest {
  /// World units; unset: `defaultTolerance`. Raised to `leastTolerance` where it is less.
  std::optional<double> tolerance{};
  /// Off: the verdict only, with any point deeper than t for a clash; much faster for deep overlaps.
  bool regions = true;
  /// On: of a clear pair the distance is measured, up to `ignoreBeyond`. Off: only that it is above t.
  bool measureDistance = true;
  std::optional<double> ignoreBeyond{};
  std::optional<double> depthAccuracy{};  ///< as in `PenetrationRequest`
  QueryLimits limits{};
};

struct VerdictReport {
  Verdict verdict = Verdict::clear;
  double tolerance = 0;  ///< that was used
  /// Of a clash: the deepest region's, with its error bound.
  std::optional<double> depth;
  double depthErrorBound = 0;
  /// A part is not closed: the overlap may be deeper than reported, and a contact or clear pair a clash.
  bool depthIsLowerBound = false;
  /// Of a clash: deeper than t, deepest first.
  std::vector<PenetrationRegion> regions;
  /// Of a clear pair: how far the surfaces are apart, if it was measured and lies within `ignoreBeyond`. Of a
  /// contact: at most t. Nothing for a clash.
  std::optional<double> distance;
  /// Clash: the deepest point. Else a point of the first part where `distance` is taken.
  std::optional<Vec3> point;
  /// Clash: `PenetrationRegion::direction`, the way out. Else unit, from `point` to the nearest point of the
  /// second part, if they are apart.
  std::optional<Vec3> direction;
  /// Complete, or what ended it; the verdict is then what is known so far (a clash is one).
  ReportStatus status = ReportStatus::complete;

  /// It ended before the verdict was known.
  [[nodiscard]] bool isOpen() const noexcept {
    return status != ReportStatus::complete && verdict != Verdict::clash;
  }
};

/// Clash, contact or clear. Depth is measured at points of surfaces (see `penetration`): one that exceeds t
/// by no more than t / 64 (t / 8 where t is below 2^-11 of the smaller part) may be reported as contact.
///
/// Solids of the two that stand in one place within t have no point of a surface deep in each other: they
/// clash where a point inside both lies deeper than t from either surface, whatever else the parts consist
/// of (`PenetrationRegion::coincident`). So a plate of less than twice t that stands there twice is in
/// contact; where it is little thicker it may be reported as contact, as such points are found by samples.
///
/// Exchanging the bodies exchanges the report, but for points of contact, which then lie on the other part.
/// Thread-safe for distinct contexts. Throws as `penetration`; InputError where no tolerance is given and
/// none known, or a length of the request is negative or not a number.
VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                      QueryContext& context);
VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request = {});

}  // namespace fitup
