#include <fitup/planning/detail/inner_volume.h>

#include <algorithm>
#include <memory>
#include <utility>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/planning/detail/inner_surface.h>
#include <fitup/planning/detail/level_mesh.h>

namespace fitup::detail {
namespace {

/// e in voxels, at first. More: more is inside, and it takes longer.
constexpr double firstInnerVoxels = 3.3;
/// How often cells are tried, while points that are deeper than e are left out.
constexpr int mostInnerTries = 2;
/// Smaller cells help only if the depth that is left out, divided by e, is at most this. Otherwise it lies in
/// a place that parts hardly cover.
constexpr double mostExcess = 1.5;
/// How often a cell is divided that no time covers as a whole.
constexpr int innerHalvings = 2;
/// The error of a distance by curved ways, in voxels.
constexpr double innerSag = 0.02;

}  // namespace

InnerVolume makeInnerVolume(SweptMotion& motion, double accuracy, const OutsideBalls& balls, unsigned threads,
                            const Progress& progress, std::size_t& queries) {
  InnerVolume best;
  double inVoxels = firstInnerVoxels;
  for (int tries = 1;; ++tries) {
    FieldGrid grid;
    grid.origin = motion.box.centre();
    grid.voxel = accuracy / inVoxels;
    grid.sag = innerSag * grid.voxel;
    grid.tolerance = grid.sag;
    // The level of a field whose values are made up.
    grid.level = 2 * grid.voxel;
    grid.band = grid.voxel;
    const Vec3 half = motion.box.halfExtent();
    // Points are rounded to 32 bits by the mesher, and by the mesh.
    const double pointError = 0x1p-21 * (std::max({half.x, half.y, half.z}) + 32 * grid.voxel);
    halvePieces(motion, 2 * grid.voxel, grid.sag);
    const CoveredCells cells =
        findCoveredCells(motion, grid, 2 * pointError, innerHalvings, balls, threads, progress);
    queries += cells.queries;
    const SweptField field = innerField(cells, grid, balls, threads, progress);
    const LevelMesh mesh = meshLevel(field, grid);
    InnerVolume made;
    made.voxel = grid.voxel;
    std::shared_ptr<const SolidModel> solid;
    if (mesh.quads.empty()) {
      made.missing = InnerMissing::tooThin;
    } else {
      TriangleMeshBuilder builder("within the swept volume");
      for (const Vec3& point : mesh.points) builder.addPoint(grid.inWorld(point));
      for (const Corners& t : trianglesOf(mesh)) builder.addTriangle(t[0], t[1], t[2]);
      made.mesh = std::make_shared<const TriangleMesh>(builder.build());
      made.volume = volumeOf(*made.mesh);
      const WorkMeter meter(progress);
      solid = SolidModel::build(CollisionModel::build(made.mesh, {}, meter, threads), meter);
    }
    made.depth = largestDepthLeftOut(motion, cells, grid, accuracy, balls, solid, threads, progress);
    const double depth = made.depth;
    if (tries == 1 || depth < best.depth) best = std::move(made);
    if (depth <= accuracy || depth > mostExcess * accuracy || tries == mostInnerTries) return best;
    inVoxels *= std::max(depth / accuracy, 1.1);
  }
}

}  // namespace fitup::detail
