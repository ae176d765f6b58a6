#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/planning/detail/near_pieces.h>
#include <fitup/planning/detail/swept_field.h>
#include <fitup/planning/detail/swept_motion.h>

namespace fitup::detail {

/// Balls that nothing sweeps into: around the points of a surface that lies outside of what is swept.
struct OutsideBalls {
  std::shared_ptr<const CollisionModel> surface;
  std::vector<double> radii;  ///< by point of the mesh; in the world's unit
};

/// How deep points lie in a swept set, by balls outside of it. Holds scratch memory: each thread needs its
/// own. Refers to its argument.
class DepthBelow {
 public:
  explicit DepthBelow(const OutsideBalls& balls);

  /// An upper bound on the distance of a point of the world from the nearest point outside of the swept set.
  double most(const Vec3& x);
  /// An estimate that changes evenly from point to point; `upTo` if it is larger. Cheap where that is small.
  double about(const Vec3& x, double upTo);

 private:
  const OutsideBalls* balls_;
  PointQuery query_;
  std::optional<TriangleId> hint_{};
  double largestRadius_ = 0;
};

/// Of 8 x 8 x 8 cells of a lattice. The cell of a lattice point is the cube from it to the next one.
struct CellBlock {
  static constexpr std::int32_t size = 8;
  LatticePoint first{};        ///< indices are multiples of `size`
  std::bitset<512> covered{};  ///< z fastest: every point of the cell, and `margin` around it, is swept
  std::bitset<512> outside{};  ///< no point of the cell is swept by a closed part

  [[nodiscard]] static std::size_t at(std::int32_t x, std::int32_t y, std::int32_t z) noexcept {
    return static_cast<std::size_t>(x * 64 + y * 8 + z);
  }
};

/// Which cells lie in a swept set for certain. Cells that are neither in a block nor in a cube are outside.
struct CoveredCells {
  LatticePoint corner{};  ///< of the cube that was divided: `inside` and `blocks` are parts of it
  std::int32_t size = 0;  ///< of that cube
  std::vector<CellBlock> blocks;
  std::vector<InnerCube> inside;  ///< cubes of cells that are covered
  std::size_t queries = 0;
};

/// Finds the cells that closed parts cover. A cell is covered if it is, as a whole, within a part at one
/// time, if it passes as a whole through a patch of a part's boundary, or if its eighths are covered, and so
/// on `halvings` times (docs/explanation/swept-volumes.md). Of the grid, `origin` and `voxel` count; the
/// pieces of the motion should be halved for its `sag`. `margin` is a length in the world.
///
/// The result does not depend on the number of threads. Throws CancelledError; InputError if the lattice has
/// too many points.
CoveredCells findCoveredCells(const SweptMotion& motion, const FieldGrid& grid, double margin, int halvings,
                              const OutsideBalls& balls, unsigned threads, const Progress& progress);

}  // namespace fitup::detail
