#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/convex_polygon.h>
#include <fitup/query/detail/cut_graph.h>

namespace fitup::detail {

/// A point inside two bodies, in the local frame of the one whose core it belongs to.
struct CorePoint {
  Vec3 point, nearest;  ///< `nearest` on the surface of that body
  double depth = 0;     ///< distance of the two
};

struct CoreResult {
  std::optional<CorePoint> found;
  double upper = 0;        ///< where nothing is found, no point inside both is deeper
  std::size_t pieces = 0;  ///< number of pieces examined
  bool stopped = false;    ///< `stop` ended the search
  bool limited = false;    ///< `maxPieces` ended the search
};

/// Decides whether one body (`around`) encloses a core of the other one: a connected set of points that lie
/// deeper than a depth d below the surface of that other body.
///
/// Precondition: no point of the surface of `around` lies deeper than d. No such point is in a core then, so
/// a core is inside `around` as a whole or not at all, and one of its points decides that.
///
/// Each core has points near the surface that is offset inward by a little more than d: a point z of its
/// border at depth `most` has a nearest boundary point y; the way from y to z crosses the offset of the face,
/// edge or corner that contains y, at a depth between `least` and `most`, and y is the nearest boundary point
/// of all its points. Offsets of faces are triangles, those of reflex edges strips of cylinders, those of
/// corners at reflex edges pieces of spheres. Strips and pieces are flat and narrow enough to stay between
/// `least` and `most` of their edge or corner. The search examines these pieces.
///
/// Those are enough that look ahead, in any one direction u: of a core, take the points where depth exceeds
/// `most` by what grows against u as slowly as 2^-30, and of these the point z that is farthest along u. If
/// none of its nearest boundary points y were ahead of it, with (y - z) u at least 2^-30 |y - z|, depth would
/// grow from z along u by no less than that bound does (its derivative is the smallest of those of the
/// distances from all y), and z would not be the farthest. So the search takes the direction in which fewest
/// triangles look. All are examined for bodies that are not closed, and where shells cross, because lines
/// along which they cross have no pieces.
///
/// It drops those
/// - that are nearer than `least` to the surface everywhere, because they are so to one triangle, from which
///   distance is a convex function,
/// - that lie outside `around`: their middle does, and they do not meet its surface.
/// Others are cut along planes that lie about `least` behind the nearest triangle, or halved. Pieces smaller
/// than a quarter of `least - d` need no cut: if they meet the surface of `around`, their points are not as
/// deep as `least`, because otherwise that surface would be deeper than d.
///
/// For bodies that are not closed, a core that is found is one, and others may be missed.
/// Holds scratch memory; each thread needs its own.
class CoreSearch {
 public:
  /// All arguments must outlive the search, except for the map between local frames, which is rigid or
  /// mirrored.
  CoreSearch(const SolidModel& core, const SolidModel& around, const Transform& aroundFromCore);

  using Stop = std::function<bool()>;
  struct Goal {
    double notDeeper = 0;  ///< d; in the unit of both bodies
    double least = 0;      ///< above d
    double most = 0;       ///< above `least`; a core with a point deeper than this is found
    std::size_t maxPieces = 0;
    bool unknownIsInside = false;  ///< as in `PenetrationRequest`
  };

  CoreResult find(const Goal& goal, const Stop& stop);
  /// Climbs from a point inside both to a place where the depth has a maximum, as far as that is inside both.
  CorePoint climb(const CorePoint& from, const Stop& stop);

 private:
  struct Edge {
    Vec3 from, to;
  };

  void findCommonBox();
  void chooseDirection();
  [[nodiscard]] bool leadsAhead(const Vec3& outward) const noexcept {
    return norm(outward) > 0 && (!ahead_ || dot(outward, *ahead_) >= slope_ * norm(outward));
  }
  void searchFaces();
  void findReflexEdges();
  void searchEdges();
  void searchCorners();
  bool ended();
  [[nodiscard]] Vec3 outward(TriangleId id) const noexcept;
  [[nodiscard]] bool isReflex(std::uint32_t edge) const;
  void searchArc(const Edge& edge, const Vec3& from, const Vec3& towards, double angle);
  void searchDirections(const Vec3& corner, const std::array<Vec3, 3>& directions,
                        const std::vector<Vec3>& away);
  void search(const ConvexPolygon& whole);
  void examine(const ConvexPolygon& piece);
  bool cutBehind(const Triangle& facing, const ConvexPolygon& piece);
  [[nodiscard]] bool isInside(PointQuery& query, const SolidModel& body, const Vec3& p) const;
  [[nodiscard]] bool isInsideAround(const Vec3& p);
  /// The point with its depth if it lies inside both and deeper than `least`.
  std::optional<CorePoint> at(const Vec3& p, double least);

  const SolidModel &core_, &around_;
  Transform aroundFromCore_;
  PointQuery inCore_, onCore_, inAround_;
  // State of the running search:
  Goal goal_;
  /// Only pieces before which the surface lies in this direction are examined. Unset: all.
  std::optional<Vec3> ahead_;
  double slope_ = 0;  ///< cosine of the angle to it up to which that counts
  const Stop* stop_ = nullptr;
  Box common_;  ///< where cores of `around`'s box can be
  CoreResult result_;
  std::vector<TriangleId> triangles_;       ///< those whose offsets may be inside `around`
  std::vector<std::uint32_t> reflexEdges_;  ///< of these triangles
  std::vector<ConvexPolygon> open_;
  std::optional<TriangleId> hint_;  ///< of the boundary for distances
};

/// The deepest core of either of two bodies that the other one encloses.
struct EnclosedCore {
  std::optional<CorePoint> found;
  int coreOf = 0;  ///< 0 if it is a core of A of the pair
  /// No point inside both lies deeper than this in either, if neither surface does. Infinite if a limit or
  /// `stop` ended the search.
  double upper = 0;
  std::size_t pieces = 0;
  bool limited = false, stopped = false;
};
/// How closely a search for cores decides, in lengths. Narrow bands cost time: strips get narrow too.
struct CoreAccuracy {
  double gap = 0;   ///< between the depth of the surfaces and `CoreSearch::Goal::least`
  double band = 0;  ///< between `least` and `most`
};
/// Lengths in the unit of the pair; the placement is rigid or mirrored. No point of either surface may be
/// deeper in the other body than `notDeeper`. Cores deeper by gap and band of `first` are found; then, unless
/// `accuracyOf` is null, the deepest of them, with the accuracy that it returns for a depth.
EnclosedCore deepestCore(const BodyPair& pair, double notDeeper, bool unknownIsInside,
                         const CoreAccuracy& first, const std::function<CoreAccuracy(double)>& accuracyOf,
                         const CoreSearch::Stop& stop);

}  // namespace fitup::detail
