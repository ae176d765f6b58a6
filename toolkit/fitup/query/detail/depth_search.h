#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/border_cutter.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/triangle_borders.h>

namespace fitup::detail {

/// A point of one part's surface inside another part.
struct DeepPoint {
  Vec3 point, nearest;  ///< in the target's local frame: the point, and the target's surface nearest to it
  double depth = 0;     ///< their distance
  TriangleId source{};  ///< of the part whose surface the point belongs to
  TriangleId target{};  ///< that `nearest` lies on
};

/// What to look for. Lengths in the target's unit.
struct DepthGoal {
  double deeperThan = 0;   ///< points not deeper do not count; those deeper by up to `accuracy` may not
  double accuracy = 0;     ///< the search ends when nothing can be deeper than the best by more
  double relative = 0;     ///< the same as a part of the best depth; the larger of the two holds
  bool anyDeeper = false;  ///< the first point deeper than `deeperThan` ends the search; then without bound
  std::size_t maxPieces = ~std::size_t{0};
  std::size_t maxCutPieces = ~std::size_t{0};  ///< of those that triangles were cut into
  /// Of a point inside, in the target's frame, on a source triangle: whether it counts. Called with points
  /// whose answer holds for the whole piece round them if the piece does not reach the target's surface.
  std::function<bool(const Vec3&, TriangleId)> counts;
  /// Where the surfaces of the two meet, in the target's frame: pieces are cut there, and what is not cut is
  /// inside or outside as a whole, and counts as a whole. Null: not known, then all of that is decided by
  /// distances. With `counts`, the border of what counts is enough.
  BordersOfSide* border = nullptr;
};

struct DepthResult {
  std::optional<DeepPoint> deepest;
  /// No point that counts is deeper than this.
  double upper = 0;
  std::size_t pieces = 0;  ///< looked at
  bool stopped = false;    ///< by `stop`
  bool limited = false;    ///< by `maxPieces` or `maxCutPieces`
};

/// Finds the point of one part's surface that lies deepest inside another part (the target): the largest
/// signed distance to the target's surface, over the whole continuous surface and not over its corners, by
/// branch and bound over pieces of triangles.
///
/// Bounds of a piece with corners v_i, any point c of which lies at distance d from the target's surface:
/// - signed distance is 1-Lipschitz: no point is deeper than s(c) + max |v_i - c|, s(c) = d inside and -d
///   outside;
/// - distance to one triangle of the target is convex: no point is farther from the surface than the farthest
///   corner is from that triangle. On parallel planes this bound is sharp, so that mated faces are settled by
///   as many pieces as the two tessellations overlaid have: a piece is cut along the prism over the triangle.
/// - a mean of the distances to two triangles, in any weights, is convex too and no less than the smaller
///   one, so its largest value at a corner is a bound. Along a ridge, where two triangles are as near and one
///   distance grows as the other shrinks, the best weights take off what both gain and lose. Pieces are cut
///   along ridges, so that the deepest points are corners; how many there are hardly depends on the accuracy.
/// - a piece whose middle is outside and that does not meet the target's surface is outside; drawn in from
///   its border by e, it may have met that surface up to a depth of e.
/// - where the lines are known in which the surfaces meet (`DepthGoal::border`), pieces are cut along them
///   into cells that none crosses, which are inside or outside as their middles are.
/// Rounding: 2^-44 of the largest coordinate is added to each bound.
///
/// Holds scratch memory; one a thread.
class DepthSearch {
 public:
  /// All three must outlive it. `targetFromSource` between local frames, rigid or mirrored.
  DepthSearch(const SolidModel& target, const SolidModel& source, const Transform& targetFromSource);

  using Stop = std::function<bool()>;
  /// Over the whole surface of the source; subtrees that cannot hold a deeper point are dropped.
  DepthResult overAll(const DepthGoal& goal, const Stop& stop);
  /// What a search over the whole surface that was limited has left, for the same depth; now perhaps with a
  /// border.
  DepthResult resume(const DepthGoal& goal, const Stop& stop);
  /// Over some of its triangles.
  DepthResult over(std::span<const TriangleId> triangles, const DepthGoal& goal, const Stop& stop);

  [[nodiscard]] PointQuery& target() noexcept { return query_; }
  /// Corners of a source triangle in the target's frame.
  [[nodiscard]] Triangle placed(TriangleId source) const noexcept;

 private:
  struct Corner {
    Vec3 p;
    TriangleId nearest{};
    double distance = 0;
  };
  /// Of a piece's corners from one triangle of the target.
  using CornerDistances = std::array<double, 3>;
  struct Piece {
    std::array<Corner, 3> corner;
    double upper = 0;
    TriangleId source{}, facing{};  ///< facing: the target's triangle nearest to the middle
    bool inside = false;            ///< all of it is known to be
    /// All of it is inside and counts. Where `inside` is false that is what its border says: believed, not
    /// proven, so points are asked before they are reported.
    bool whole = false;
    /// Of the two triangles of the target whose mean bounds the piece best: how much farther the corners are
    /// from the one. Where that is 0 a ridge may run.
    std::optional<CornerDistances> acrossRidge;
    /// Stretches of the border that may run through it: as many places in `stretches_` from one on. Unset:
    /// all of the source triangle.
    std::optional<std::size_t> firstStretch;
    std::uint32_t stretchCount = 0;
    bool cutAtRidge = false;   ///< was, by the last cut
    bool borderFails = false;  ///< a point of a whole piece was outside: rounding; the border is left alone
    bool operator<(const Piece& o) const noexcept { return upper < o.upper; }
  };

  void begin(const DepthGoal& goal);
  DepthResult search(const DepthGoal& goal, const Stop& stop);
  void collect(const DepthGoal& goal, const Stop& stop);
  [[nodiscard]] bool isBeside(const Vec3& middle, const Vec3& half) const noexcept;
  void addTriangle(TriangleId id);
  Corner cornerAt(const Vec3& p, TriangleId hint);
  bool offer(const Corner& corner, bool knownInside, const Piece& piece);
  [[nodiscard]] CornerDistances distancesFrom(TriangleId triangle, const Piece& piece) const noexcept;
  bool staysOutside(const Piece& piece, const Vec3& middle);
  void add(Piece piece);
  std::optional<BorderCrossings> borderCrossings(Piece& piece);
  void split(const Piece& piece);
  bool cutAlongBorder(Piece& piece);
  void addCell(const Piece& piece, const BorderCutter::Cell& cell);
  void addParts(const Piece& piece, std::span<const ConvexPolygon> polygons);
  void addFan(const Piece& piece, const ConvexPolygon& polygon);
  static ConvexPolygon polygonOf(const Piece& piece) noexcept;
  bool cutAlongRidge(const Piece& piece);
  bool cutAlongPrism(const Piece& piece);
  void bisect(const Piece& piece);
  [[nodiscard]] double floor() const noexcept;

  const SolidModel* targetBody_;
  const SolidModel* source_;
  Transform targetFromSource_;
  PointQuery query_;
  double rounding_;
  // Of the search that runs:
  const DepthGoal* goal_ = nullptr;
  std::priority_queue<Piece> open_;
  DepthResult result_;
  std::vector<std::uint32_t> stretches_;  ///< places in the borders of source triangles
  std::vector<std::uint32_t> allPlaces_;  ///< 0, 1, ...
  std::vector<Corner> cutCorners_;
};

}  // namespace fitup::detail
