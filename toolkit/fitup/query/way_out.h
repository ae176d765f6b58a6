#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <fitup/query/intersect.h>
#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// Options of a search for a way out.
struct WayOutRequest {
  /// Directions in the world to try first, of any length but 0, such as `PenetrationRegion::direction`.
  std::vector<Vec3> directions{};
  /// No shorter translation can free the bodies, in world units; the depth is such a length. Only saves time.
  double atLeast = 0;
  /// Number of poses to try. If unset, 4,000, fewer for pairs of more than 50,000 triangles.
  std::optional<std::size_t> maxPoses{};
  QueryLimits limits{};  ///< `maxPairs` is ignored
};

/// A translation that frees two bodies of each other.
struct WayOut {
  /// Translation of the first body in the world, after which no triangles of the two intersect and neither
  /// body is inside the other. Moving the second body by the opposite frees them too. Unset if a limit ended
  /// the search first.
  std::optional<Vec3> translation;
  std::size_t poses = 0;  ///< number of poses that were tried
  /// `truncated` or `cancelled`: a limit ended the search; a longer one may find a shorter translation.
  ReportStatus status = ReportStatus::complete;

  /// Length of the translation; 0 if there is none.
  [[nodiscard]] double length() const noexcept { return translation ? norm(*translation) : 0; }
};

/// Searches for a short translation that frees two bodies of each other.
///
/// The result is checked with `intersect` and `PointQuery::side`, so it is an upper bound on the least
/// translation. It frees the *end pose*: on the way there, the bodies may pass through each other. A shorter
/// translation may exist. If the bodies are free already, the translation is 0.
///
/// The search tries these directions: those of the request, the axes of both parts, the line of the centres
/// of the boxes, the largest face normals, axes of cylinders, and the cross products of normals. Along each
/// one it knows the translation that separates the convex hulls, and looks for shorter ones at fixed
/// fractions, in case a free place lies between (out of a wall into a cavity). From the best result it turns
/// the direction in ever smaller steps.
///
/// Parts that are not closed are free where no triangles intersect and no point may be inside. Works for
/// every affine placement. Exchanging the bodies turns the translation round. Thread-safe for distinct
/// contexts. Throws as `intersect`, and InputError for a null solid, a direction that is 0 or not finite, or
/// a length that is negative or NaN.
WayOut wayOut(const PosedSolid& first, const PosedSolid& second, const WayOutRequest& request,
              QueryContext& context);
/// Same as above with a context of its own, for single queries.
WayOut wayOut(const PosedSolid& first, const PosedSolid& second, const WayOutRequest& request = {});

}  // namespace fitup
