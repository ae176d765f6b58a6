#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/convex_polygon.h>

namespace fitup::detail {

/// The motion of one body relative to another from s = 0 to s = 1: a centre moves along a line at constant
/// speed, and the body turns uniformly about it, or the inverse of such a motion. In the other body's local
/// frame and unit; rigid or mirrored.
struct SweptMotion {
  Transform start, end;  ///< from the local frame of the moving body
  Vec3 centre;           ///< at the start
  double turn = 0;       ///< radians
  double shift = 0;      ///< way of the centre

  /// Bound on how far a point that starts at `p` is, at any s, from the point at s between its ends.
  ///
  /// From c + s v + exp(s theta a) r: its acceleration is at most theta^2 |r|. The inverse motion,
  /// exp(-s theta a) (p - c - s v), has at most theta^2 |p - c - s v| + 2 theta |v|. The distance from the
  /// chord is at most an eighth of that.
  [[nodiscard]] double bend(const Vec3& p) const noexcept {
    return turn * (turn * (norm(p - centre) + shift) + 2 * shift) / 8;
  }
};

/// Proves that no point of the surface of one body (the source) gets deeper into a closed body (the target)
/// than a depth while it moves, at any s: for all poses in one search, so that what slides along a plane or
/// in a bore is not examined pose by pose.
///
/// A triangle sweeps the hull of its corners at both ends, apart from `SweptMotion::bend`. All bounds of
/// `DepthSearch` that hold for convex pieces hold for that hull: distance to a triangle of the target is
/// convex; over a flat or round surface of the target (`SurfacePatches`) nothing is farther from it than the
/// corners; what is outside at its middle and does not meet the target's surface is outside, and may be
/// shrunk from its border by as much as counts for nothing. Triangles that move within their planes, as those
/// of a pin in its bore and of plates on each other do, sweep flat polygons, which are cut where they pass
/// the border of a surface, and no time is left in them. The ways of others are halved until they are flat.
///
/// Holds scratch memory; each thread needs its own.
class SweptDepth {
 public:
  /// The bodies must outlive it. Precondition: the target is closed.
  SweptDepth(const SolidModel& target, const SolidModel& source, const SweptMotion& motion);

  /// Of a piece. What it sweeps has twice as many at most, and two more when it is halved: no more than a
  /// polygon holds.
  static constexpr std::size_t mostCorners = 5;
  static_assert(2 * mostCorners + 2 <= ConvexPolygon::most);

  using Stop = std::function<bool()>;
  /// True if no point gets deeper than `depth`, up to `rounding` of the motion. False if one does, or if that
  /// many pieces or `stop` ended the search. In the target's unit.
  bool staysWithin(double depth, double rounding, std::size_t maxPieces, const Stop& stop);
  /// The same for some flat pieces of the source's surface, of at most `mostCorners` corners in its local
  /// frame.
  bool staysWithin(std::span<const ConvexPolygon> some, double depth, double rounding, std::size_t maxPieces,
                   const Stop& stop);
  /// The number of pieces examined.
  [[nodiscard]] std::size_t pieces() const noexcept { return pieces_; }

 private:
  /// A flat polygon of the target's frame that contains what a piece of a triangle sweeps; or a piece of a
  /// triangle on a part of its way.
  struct Piece {
    bool isFlat = false;
    ConvexPolygon polygon;  ///< of a piece of a triangle: at the start
    ConvexPolygon atEnd;    ///< unless flat: its corners at the end
    double slack = 0;       ///< distance of what is swept from the hull of the corners
  };
  bool begin(double depth, double rounding);
  bool search(std::size_t maxPieces, const Stop& stop);
  [[nodiscard]] static std::optional<Piece> flattened(const Piece& moving, double most);
  void addPiece(const ConvexPolygon& ofSource);
  void addMoving(const Piece& moving);
  /// What is known of a piece.
  struct Finding {
    enum class Depth : std::uint8_t {
      fine,
      tooDeep,  ///< a point of it, at some time
      unknown
    };
    Depth depth = Depth::unknown;
    TriangleId facing{};  ///< of the target, if unknown: nearest to the middle
  };
  [[nodiscard]] Finding examine(const Piece& piece);
  [[nodiscard]] bool isBeside(const Box& box, double slack) const noexcept;
  [[nodiscard]] bool isClear(const Piece& piece, const ConvexPolygon& corners, const Vec3& middle,
                             double in);
  void divideFlat(const Piece& piece, TriangleId facing, double useful);
  void divideMoving(const Piece& piece, double useful);
  void push(Piece piece, const ConvexPolygon& polygon);
  [[nodiscard]] static ConvexPolygon cornersOf(const Piece& piece);

  const SolidModel *target_, *source_;
  SweptMotion motion_;
  Transform endFromStart_;
  PointQuery inTarget_, onOuter_;
  double rounding_ = 0;  ///< of coordinates
  // State of the running search:
  double depth_ = 0, useful_ = 0;
  std::size_t pieces_ = 0;
  bool fails_ = false;
  std::deque<Piece> open_;
  std::vector<TriangleId> near_;
  std::vector<Vec3> edges_;
  TriangleId hint_{};
};

}  // namespace fitup::detail
