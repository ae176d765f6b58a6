#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/swept_depth.h>

namespace fitup::detail {

/// Proves the same as `SweptDepth` for one short motion after another, and keeps from each what the next one
/// can use: pieces that cover the surface of the source, each with the reason why no point of it is too deep.
///
/// The reasons:
///  - near: all corners are near enough to one triangle of the target, at both ends of the motion. Distance
///    to a triangle is convex in the points of a piece and along a chord, so nothing between is farther.
///  - over: the piece lies over a flat or round surface of the target (`SurfacePatches::heightOver`).
///  - away: the piece lies beside the box of the target, or its middle is outside, by so much that points
///    would have to move farther than they have since.
///  - outside: the same of a piece that does not meet the surface of the target. It stays outside as long as
///    the surface is farther away than its size, so no sides are asked for.
/// They take a few distances to check again, where a search needs a descent for each piece. Pieces without
/// such a reason, most of which pass the border of a surface, are searched by `SweptDepth` each time. Once
/// that has cost twice as much as it takes, the triangle is divided anew.
///
/// Triangles of the source that are outside and farther from the target than a reach r are left out until the
/// source has moved by r near the target: in the region of points that were less than 2 r away from the box
/// around the target, which is taken in the axes of the source. A point at a distance d from the region moves
/// by at most r + a d, where a is the angle by which the source has turned meanwhile. It was at least d + 2 r
/// away from that box, so it does not get there while a is below 1.
///
/// Holds scratch memory; not thread-safe.
class DepthCover {
 public:
  /// The bodies must outlive it. Precondition: the target is closed.
  DepthCover(const SolidModel& target, const SolidModel& source);

  /// The reach of a pair.
  [[nodiscard]] static double reachOf(const SolidModel& one, const SolidModel& other);

  using Stop = SweptDepth::Stop;
  /// As `SweptDepth::staysWithin`. The motion need not begin where the last one ended. `maxPieces` counts
  /// those that are searched.
  bool staysWithin(const SweptMotion& motion, double depth, double rounding, std::size_t maxPieces,
                   const Stop& stop);

 private:
  enum class Reason : std::uint8_t { none, near, over, away, outside };
  struct Piece {
    ConvexPolygon polygon;  ///< in the local frame of the source
    Reason reason = Reason::none;
    TriangleId facing{};  ///< of the target
    /// The reason holds as long as the points have moved by less, in the sense of `travelEnd_`.
    double until = -std::numeric_limits<double>::infinity();
  };
  struct Face {
    TriangleId id{};
    std::vector<Piece> pieces{};
    std::size_t searched = 0;  ///< pieces that were searched since it was divided
    std::size_t divided = 0;   ///< pieces that were examined then
  };

  void collect();
  [[nodiscard]] bool holds(Piece& piece);
  void divide(Face& face);
  [[nodiscard]] bool isClear(const ConvexPolygon& placed);
  void open(const ConvexPolygon& piece);
  [[nodiscard]] bool findReason(Piece& piece, const ConvexPolygon& between, double bend);
  [[nodiscard]] double besideBy(const Box& box) const noexcept;
  [[nodiscard]] double farthest(const ConvexPolygon& polygon, const Transform& place,
                                TriangleId facing) const;
  [[nodiscard]] double displacement(const Transform& from, const Transform& to) const;
  [[nodiscard]] double displacement() const;
  [[nodiscard]] Box regionHere() const;
  [[nodiscard]] bool isInRegion(const Piece& piece) const noexcept;

  const SolidModel *target_, *source_;
  PointQuery inTarget_, onOuter_;
  double reach_ = 0;
  double rounding_ = 0;  ///< of coordinates
  std::vector<Face> faces_;
  std::size_t first_ = 0;  ///< in `faces_`: where the next search begins
  Box region_;             ///< where `travelEnd_` bounds the way of points, in the local frame of the source
  /// How far points of the region have moved since the first motion, at most: at its start and at its end.
  double travelStart_ = 0, travelEnd_ = 0;
  double collectedAt_ = 0;         ///< `travelStart_` when the triangles were collected
  double turned_ = 0;              ///< since then
  std::optional<Transform> pose_;  ///< at the end of the last motion
  double useful_ = 0;              ///< what all reasons show
  SweptMotion motion_;
  // Scratch:
  TriangleId hint_{};
  std::vector<ConvexPolygon> open_;
};

}  // namespace fitup::detail
