#pragma once

#include <memory>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/planning/detail/covered_cells.h>
#include <fitup/planning/detail/level_mesh.h>

namespace fitup::detail {

/// The field of a surface within covered cells, whose level is that of the grid.
///
/// A lattice point is *in* if its eight cells are covered. The surface passes between points that are in and
/// others, and only through cells with a point of either kind (docs/explanation/swept-volumes.md). Such a
/// cell is covered. Where the surface crosses an edge depends on how deep its ends are below `balls`: it lies
/// about `grid.voxel` deep. Throws CancelledError.
SweptField innerField(const CoveredCells& cells, const FieldGrid& grid, const OutsideBalls& balls,
                      unsigned threads, const Progress& progress);

/// An upper bound on the depth, in the swept set, of its points that are not inside of the surface of
/// `innerField`, which is `inner`; null if there is none. Where it is above `accuracy` by `balls`, points
/// that are not swept are looked for. 0 if nothing is left out. Throws CancelledError.
double largestDepthLeftOut(const SweptMotion& motion, const CoveredCells& cells, const FieldGrid& grid,
                           double accuracy, const OutsideBalls& balls,
                           const std::shared_ptr<const SolidModel>& inner, unsigned threads,
                           const Progress& progress);

}  // namespace fitup::detail
