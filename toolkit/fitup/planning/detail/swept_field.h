#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/planning/detail/near_pieces.h>
#include <fitup/planning/detail/swept_motion.h>

namespace fitup::detail {

/// A point of the lattice on which the field is known, by its indices.
using LatticePoint = std::array<std::int32_t, 3>;

struct LatticeHash {
  std::size_t operator()(const LatticePoint& p) const noexcept {
    std::size_t hash = 0;
    for (const std::int32_t i : p) hash = (hash ^ static_cast<std::uint32_t>(i)) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29;
  }
};

/// The lattice and the accuracy of a field. Lengths in the world.
struct FieldGrid {
  Vec3 origin;       ///< of the lattice, in the world
  double voxel = 0;  ///< h, the distance of neighbours
  double level = 0;  ///< distances around this one are wanted
  double band = 0;   ///< farther from the level, only the side of the level is known
  double sag = 0;    ///< largest error of a distance, from curved ways
  /// A distance may be larger than the least one by this.
  double tolerance = 0;

  [[nodiscard]] Vec3 inWorld(const Vec3& index) const noexcept { return origin + index * voxel; }
};

/// The field at 8 x 8 x 8 points of the lattice.
struct FieldBlock {
  static constexpr std::int32_t size = 8;
  LatticePoint first{};  ///< indices are multiples of `size`
  /// Distances, z fastest; at least `level` + `band` where that is certain, and `level` - `band` where less
  /// is.
  std::array<float, 512> values{};
  /// All that may be nearest to a point between `first` and `first` + `size`, among what is nearer than the
  /// level and two voxels.
  std::vector<NearName> near;
};

/// The centre of a cube of the lattice, in the world.
inline Vec3 centreOf(const FieldGrid& grid, const LatticePoint& first, double size) noexcept {
  return grid.inWorld(Vec3{first[0] + 0.5 * size, first[1] + 0.5 * size, first[2] + 0.5 * size});
}

/// A cube of points of the lattice that are certainly nearer than `level` - `band`.
struct InnerCube {
  LatticePoint first{};
  std::int32_t size = 0;
};

/// Where a field passes its level. Everything else is farther away.
struct SweptField {
  std::vector<FieldBlock> blocks;
  std::vector<InnerCube> inside;
  std::size_t queries = 0;
};

/// The part that comes nearest to a point.
struct NearestSweep {
  double distance = std::numeric_limits<double>::infinity();
  double sag = 0;  ///< bound on its error
  std::uint32_t piece = 0;
  TriangleId triangle{};
  double at = 0;  ///< s of the way
  Vec3 point;     ///< of the part at that time, in the world, to within `sag`
};

/// Distances from the swept set of a motion. Holds scratch memory: each thread needs its own. Refers to its
/// arguments.
class SweptDistance {
 public:
  SweptDistance(const SweptMotion& motion, const FieldGrid& grid);

  /// What is known of a ball.
  struct Ball {
    bool isInside = false;                                  ///< nearer than level - band everywhere
    double low = std::numeric_limits<double>::infinity();   ///< bounds on the distance of the centre from
    double high = std::numeric_limits<double>::infinity();  ///< the surfaces, if that is near the level
  };
  /// Finds the pieces among `from` that may be nearest to a point of a cube, among what is nearer to it than
  /// the level and two voxels: in `found`, by `low`. Pieces that are nearer nowhere by more than a part of
  /// the tolerance are left out, `mostDrops` times from the root to a point. Ends early if the ball around
  /// the cube is inside. Pieces with a larger sag than `finest` are halved. If `divide`, pieces are divided
  /// into triangles where these are few.
  Ball look(const WorldCube& cube, const NearList& from, double finest, bool divide,
            std::vector<NearPiece>& found);
  /// The same for a cube of which only the names of the pieces are known.
  Ball look(const WorldCube& cube, std::span<const NearName> from, double finest, bool divide,
            std::vector<NearPiece>& found);
  /// The same without a list. `low` is a bound up to a little above what matters to the side of the level.
  Ball lookRoughly(const WorldCube& cube, const NearList& from);
  /// Distance from the swept surfaces, to within the sag and the tolerance of the grid. If it is at least
  /// `upTo`, that.
  double distance(const Vec3& x, const NearList& from, double upTo);
  /// The nearest one nearer than `upTo`, if there is any. Others may be nearer by less than sag and
  /// tolerance.
  std::optional<NearestSweep> nearest(const Vec3& x, const NearList& from, double upTo);
  /// True if x is inside a closed part when the motion starts. If no surface ever comes to x, then it is
  /// inside of the part all the time.
  bool isInsideAtStart(const Vec3& x);

  [[nodiscard]] std::size_t queries() const noexcept { return queries_; }

 private:
  /// How to look at pieces.
  struct Scan {
    double finest = 0;     ///< pieces with a larger sag are halved
    double tolerance = 0;  ///< of the distance of a piece
    bool withSag = false;  ///< pieces count whose distance may be below the limit, otherwise those whose is
  };
  template <typename Found>
  bool scanPiece(const Vec3& x, const Scan& scan, const NearPiece& first, const double& limit,
                 const Found& found);
  template <typename Found>
  void scanAll(const Vec3& x, const Scan& scan, const NearList& from, const double& limit,
               const Found& found);
  /// The nearest triangle to the centre of a cube.
  struct Witness {
    NearPiece piece;
    double share = 0;  ///< of the segment
    Vec3 outward;      ///< from the triangle to the segment, in the world
  };
  /// Divides pieces into those of their triangles that are nearer than `limit` to the centre of a cube.
  void divideIntoTriangles(const WorldCube& cube, double limit, const Witness& witness,
                           const CornerDistances& corners, std::vector<NearPiece>& pieces);
  void boundOne(NearPiece& one, const ClosestToSegment& nearest, const Vec3& a, const Vec3& b,
                const WorldCube& cube) const;

  const SweptMotion* motion_;
  FieldGrid grid_;
  std::vector<PointQuery> ofModels_;
  struct Inside {
    PointQuery query;
    const Watertightness* watertightness;
    Transform localFromWorld;
  };
  std::vector<Inside> ofSolids_;
  /// Of the triangles at `q` the one that faces `x` most, both in the frame of the mesh: at an edge, two
  /// faces are equally near.
  TriangleId facing(std::uint32_t body, TriangleId nearest, const Vec3& x, const Vec3& q);

  std::vector<NearPiece> stack_;
  std::vector<TriangleId> around_;
  std::vector<NearPiece> divided_, named_, later_;
  std::size_t queries_ = 0;
};

/// Computes the field of a motion. The result does not depend on the number of threads. Throws
/// CancelledError.
SweptField makeSweptField(const SweptMotion& motion, const FieldGrid& grid, unsigned threads,
                          const Progress& progress);

}  // namespace fitup::detail
