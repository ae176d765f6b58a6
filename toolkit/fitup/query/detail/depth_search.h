#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
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
  Vec3 point, nearest;  ///< the point and the nearest point of the target's surface, in the target's local
                        ///< frame
  double depth = 0;     ///< distance of the two
  TriangleId source{};  ///< triangle of the part whose surface contains the point
  TriangleId target{};  ///< triangle of the target's `SolidModel::outer` that contains `nearest`
};

/// The goal of a search. Lengths are in the target's unit.
struct DepthGoal {
  double deeperThan = 0;   ///< Points that are not deeper do not count. Those deeper by up to `accuracy` may
                           ///< be missed.
  double accuracy = 0;     ///< the search ends when nothing can be deeper than the best point by more than
                           ///< this
  double relative = 0;     ///< the same as a fraction of the best depth; the larger of the two holds
  bool anyDeeper = false;  ///< the first point deeper than `deeperThan` ends the search; there is then no
                           ///< bound
  bool unknownIsInside = false;  ///< as in `PenetrationRequest`
  std::size_t maxPieces = ~std::size_t{0};
  std::size_t maxCutPieces = ~std::size_t{0};  ///< number of pieces that triangles were cut into
  std::size_t cutPiecesEach = 0;  ///< the same for each triangle to cut; the larger of the two limits holds
  /// Says whether a point inside counts. The point is in the target's frame, on a source triangle. Called
  /// with points whose answer holds for the whole piece around them if the piece does not reach the target's
  /// surface.
  std::function<bool(const Vec3&, TriangleId)> counts;
  /// The lines in which the two surfaces meet, in the target's frame. Pieces are cut along them; an uncrossed
  /// piece is inside or outside as a whole, and counts as a whole. If null, the lines are unknown and
  /// distances decide all of this. With `counts`, the border of the part that counts is sufficient.
  BordersOfSide* border = nullptr;
};

struct DepthResult {
  std::optional<DeepPoint> deepest;
  /// Upper bound on the depth of the points that count.
  double upper = 0;
  std::size_t pieces = 0;  ///< number of pieces examined
  bool stopped = false;    ///< `stop` ended the search
  bool limited = false;    ///< `maxPieces` or `maxCutPieces` ended the search
};

/// Finds the point of one part's surface that lies deepest inside another part (the target). It maximises the
/// signed distance to the target's surface over the whole continuous surface, not only over its corners, by
/// branch and bound over pieces of triangles.
///
/// Bounds of a piece with corners v_i, any point c of which lies at distance d from the target's surface:
/// - Signed distance is 1-Lipschitz: no point is deeper than s(c) + max |v_i - c|, where s(c) = d inside and
///   -d outside.
/// - Distance to one triangle of the target is convex: no point is farther from the surface than the farthest
///   corner is from that triangle. On parallel planes this bound is sharp. Mated faces therefore take as many
///   pieces as the overlay of the two tessellations has, because a piece is cut along the prism over the
///   triangle.
/// - Over a flat surface of the target, the distance from it is the distance from its plane, whatever
///   triangles it consists of; the same holds for bores and shafts (`SurfacePatches`).
/// - Nothing inside a closed target is deeper than in the box around it.
/// - A weighted mean of the distances to two triangles is convex too and not less than the smaller one, so
///   its largest value at a corner is a bound. Along a ridge, where two triangles are equally near and one
///   distance grows as the other shrinks, the best weights cancel both slopes. Pieces are cut along ridges,
///   so that the deepest points are corners. The number of pieces then hardly depends on the accuracy.
/// - A piece whose middle is outside and that does not meet the target's surface is outside. If it was shrunk
///   from its border by e, it may have met that surface up to a depth of e.
/// - If the lines in which the surfaces meet are known (`DepthGoal::border`), pieces are cut along them into
///   uncrossed cells, which are inside or outside as their middles are.
///
/// Rounding: 2^-43 of the largest coordinate is added to each bound, half of it for slivers that are left
/// out. Holds scratch memory; each thread needs its own.
class DepthSearch {
 public:
  /// All three arguments must outlive the search. `targetFromSource` maps between local frames and is rigid
  /// or mirrored.
  DepthSearch(const SolidModel& target, const SolidModel& source, const Transform& targetFromSource);

  using Stop = std::function<bool()>;
  /// Searches the whole surface of the source. Subtrees that cannot hold a deeper point are dropped.
  DepthResult overAll(const DepthGoal& goal, const Stop& stop);
  /// Continues a search over the whole surface that ended at a limit, for the same `deeperThan`, possibly
  /// with a border.
  DepthResult resume(const DepthGoal& goal, const Stop& stop);
  /// Searches some triangles of the source.
  DepthResult over(std::span<const TriangleId> triangles, const DepthGoal& goal, const Stop& stop);

  /// Corners of a source triangle in the target's frame.
  [[nodiscard]] Triangle placed(TriangleId source) const noexcept;

 private:
  struct Corner {
    Vec3 p;
    TriangleId nearest{};
    double distance = 0;
  };
  /// Distances of the corners of a piece from one triangle of the target.
  using CornerDistances = std::array<double, 3>;
  struct Piece {
    std::array<Corner, 3> corner;
    double upper = 0;
    TriangleId source{}, facing{};  ///< `facing` is the target's triangle nearest to the middle
    bool inside = false;            ///< all of the piece is known to be inside
    /// All of the piece is inside and counts. If `inside` is false, this follows from the border and is not
    /// proven, so points are tested before they are reported.
    bool whole = false;
    /// Difference of the corner distances to the two triangles of the target whose mean bounds the piece
    /// best. A ridge may run where it is 0.
    std::optional<CornerDistances> acrossRidge;
    /// Stretches of the border that may run through the piece: `stretchCount` indices in `stretches_` from
    /// this one on. If unset, all stretches of the source triangle.
    std::optional<std::size_t> firstStretch;
    std::uint32_t stretchCount = 0;
    bool cutAtRidge = false;   ///< the last cut was along a ridge
    bool borderFails = false;  ///< a point of a whole piece was outside because of rounding; the border is
                               ///< then ignored
    bool operator<(const Piece& o) const noexcept { return upper < o.upper; }
    [[nodiscard]] std::array<Vec3, 3> corners() const noexcept {
      return {corner[0].p, corner[1].p, corner[2].p};
    }
  };

  /// Whether a point of the target's frame counts as inside the target.
  [[nodiscard]] bool isInside(const Vec3& p);
  /// False if no point of the source within `radius` of `p` belongs to its boundary: on inner walls of a
  /// union.
  [[nodiscard]] bool isOnSource(const Vec3& p, double radius);
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
  bool cutAlongPatch(const Piece& piece);
  bool cutAlongPlane(const Piece& piece);
  bool cutAlongPrism(const Piece& piece, bool mustSettle);
  void bisect(const Piece& piece);
  [[nodiscard]] double floor() const noexcept;

  const SolidModel* targetBody_;
  const SolidModel* source_;
  Transform targetFromSource_;
  PointQuery query_;    ///< sides
  PointQuery onOuter_;  ///< distances
  const SurfacePatches* patches_;
  /// Of the source, if it has inner walls.
  std::optional<PointQuery> sourceOuter_;
  Transform sourceFromTarget_;
  double rounding_;
  // State of the running search:
  const DepthGoal* goal_ = nullptr;
  std::priority_queue<Piece> open_;
  std::unordered_map<std::uint32_t, Corner> ofPoint_;  ///< by point of the source, which triangles share
  DepthResult result_;
  std::vector<std::uint32_t> stretches_;  ///< indices in the borders of source triangles
  std::vector<std::uint32_t> allPlaces_;  ///< 0, 1, ...
  std::vector<Corner> cutCorners_;
};

}  // namespace fitup::detail
