#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/query/penetration.h>

namespace FITUP_EXPORT fitup {

/// The relation of two parts at a tolerance t.
enum class Verdict {
  clear,      ///< farther apart than t
  contact,    ///< at most t apart, and no point of the overlap lies deeper than t
  clash,      ///< some point of the overlap lies deeper than t, or the two pierce each other
  undecided,  ///< not known, for the reason in `VerdictReport::undecidedBecause`
};
/// Returns "clear", "contact", "clash" or "undecided".
std::string_view name(Verdict verdict) noexcept;

/// The rounding of the coordinates of a pair, in world units. It covers rounding to storage of both parts,
/// the rounding of the copies that are made if a placement is neither rigid nor mirrored, and the rounding of
/// the placement. Distances and depths are not more accurate than this.
double coordinateRounding(const PosedSolid& first, const PosedSolid& second);
/// The contribution of one part to it: everything except the rounding of the relative placement and of
/// copies.
double coordinateRounding(const TriangleMesh& mesh, const Transform& worldFromPart);

/// The rounding within which a clearance counts as kept, in world units: that of both parts to storage, and
/// at least that of 32-bit coordinates, in which many files are written. A gap of 0.3 in the decimals of a
/// file therefore keeps a clearance of 0.3.
double clearanceRounding(const PosedModel& first, const PosedModel& second);

/// The smallest tolerance of a verdict, in world units: `coordinateRounding` or 2^-36 of the size of the
/// larger part, whichever is larger. From that size on, the depth search can distinguish an overlap from
/// contact in double precision.
double minimumTolerance(const PosedSolid& first, const PosedSolid& second);
/// The contribution of one part to it.
double minimumTolerance(const TriangleMesh& mesh, const Transform& worldFromPart);

/// The bound on the chord error of a mesh, converted to world units. Throws InputError that names the part if
/// the bound is unknown, as for meshes without one.
double deflectionInWorld(const TriangleMesh& mesh, const Transform& worldFromPart);

/// Twice the larger chord error of the two meshes in world units, because each surface may be off by its own;
/// at least `minimumTolerance`. Throws InputError that names the part if a chord error is unknown; the caller
/// must then give a tolerance.
double defaultTolerance(const PosedSolid& first, const PosedSolid& second);

/// The tolerance that a verdict uses: `given` raised to `minimumTolerance`, or else `defaultTolerance`, which
/// may throw InputError.
double effectiveTolerance(const std::optional<double>& given, const PosedSolid& first,
                          const PosedSolid& second);

/// Options of a verdict. Lengths are in world units.
struct VerdictRequest {
  /// Tolerance t. If unset, `defaultTolerance`. Values below `minimumTolerance` are raised to it.
  std::optional<double> tolerance{};
  /// If off, the report gives only the verdict, and for a clash any point deeper than t. Much faster for deep
  /// overlaps.
  bool regions = true;
  /// If on, how deep parts in contact overlap is measured. Takes up to four times as long.
  bool overlaps = false;
  /// If on, the distance of a clear pair is measured, up to `ignoreBeyond`. If off, the report says only that
  /// it exceeds t.
  bool measureDistance = true;
  std::optional<double> ignoreBeyond{};
  std::optional<double> depthAccuracy{};  ///< accuracy of depths, as in `PenetrationRequest`
  QueryLimits limits{};
};

/// Result of a verdict. Points and directions are in the world, lengths in world units.
struct VerdictReport {
  Verdict verdict = Verdict::clear;
  double tolerance = 0;  ///< tolerance that was used
  /// Depth of the deepest region of a clash. For a contact of surfaces that meet (`distance` is 0), how deep
  /// the parts overlap, at most about t; 0 if they touch. Unset for contacts without
  /// `VerdictRequest::overlaps`, or if a limit ended the measurement. The true depth is at most
  /// `depthErrorBound` larger.
  std::optional<double> depth;
  double depthErrorBound = 0;
  /// True if a part is not closed. The overlap may then be deeper than reported.
  bool depthIsLowerBound = false;
  /// Set by `resolvedVerdict`: by how much depths and distances of the exact shapes may differ from those of
  /// the triangles, on top of `depthErrorBound`.
  double chordError = 0;
  /// By how much depths and distances may be off by rounding (`lengthRounding`).
  double rounding = 0;
  /// If undecided, the reason, and what would decide it. For people.
  std::string undecidedBecause;
  /// Regions of a clash that are deeper than t, deepest first.
  std::vector<PenetrationRegion> regions;
  /// True if the regions of a clash are known, and so which surfaces border them: they were searched for
  /// (`VerdictRequest::regions`), and no limit ended that. Set by checks of scenes.
  bool hasRegions = false;
  /// Distance of the surfaces. For a clear pair it is set if it was measured and lies within `ignoreBeyond`.
  /// For a contact it is at most t. For a clash it is not set.
  std::optional<double> distance;
  /// For a clash, the deepest point. Otherwise a point of the first part at which `distance` is attained.
  std::optional<Vec3> point;
  /// For a clash, `PenetrationRegion::direction`, the way out. Otherwise the unit vector from `point` to the
  /// nearest point of the second part, if the distance is above zero.
  std::optional<Vec3> direction;
  /// Complete, or the reason why the query ended early. The verdict is then undecided, unless a clash was
  /// found before.
  ReportStatus status = ReportStatus::complete;

  /// Returns true if the query ended before the verdict was known.
  [[nodiscard]] bool isOpen() const noexcept {
    return status != ReportStatus::complete && verdict != Verdict::clash;
  }
};

/// Decides whether two parts clash, touch or are clear of each other. The depth is that of the deepest point
/// inside both (see `penetration`). A depth that exceeds t by at most t / 64 may be reported as contact (by
/// at most t / 8 if t is below 2^-11 of the size of the smaller part, or if the point lies in a core that the
/// other part encloses).
///
/// Parts that pierce each other clash at any t, although in a thin wall no point is deep: if each of them has
/// a point of the middle of a wall of the other (`PenetrationRegion::pierced`), on its surface or inside it.
/// So do thin solids in one place.
///
/// The inside of a part that is not closed is known only where its surface clearly encloses a point
/// (`PointQuery::side`). The verdict is a clash if such a point lies deeper than t, and undecided if that
/// depends on points whose side is unknown. A contact with a part that was closed over seams wider than t
/// (`BoundaryRepairs::joinedWithin`) is undecided too.
///
/// Exchanging the bodies exchanges the report, except that points of a contact then lie on the other part.
/// Thread-safe for distinct contexts. Throws as `penetration`, and InputError if no tolerance is given and
/// none is known, or if a length of the request is negative or NaN.
VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                      QueryContext& context);
/// Same as above with a context of its own, for single queries.
VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request = {});

}  // namespace fitup
