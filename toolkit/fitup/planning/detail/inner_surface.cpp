#include <fitup/planning/detail/inner_surface.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/solid_model.h>

namespace fitup::detail {
namespace {

/// Distance of values of lattice points from the level, in voxels: between these.
constexpr double leastValue = 0.05, mostValue = 1;
/// A cell whose depth may be larger than that of others is divided so often.
constexpr int depthHalvings = 3;
/// Error of the bound on depths, in voxels.
constexpr double depthTolerance = 0.1;

using Around = std::array<std::int32_t, 3>;

/// What is known of a block of cells.
struct BlockOfCells {
  const CellBlock* mixed = nullptr;
  bool isInside = false;  ///< all of its cells are covered
};

/// Finds cells by their place.
class CellLookup {
 public:
  explicit CellLookup(const CoveredCells& cells) : cells_(&cells) {
    for (const CellBlock& block : cells.blocks) blocks_.emplace(block.first, &block);
    for (const InnerCube& cube : cells.inside) {
      const auto k = static_cast<std::size_t>(std::bit_width(static_cast<std::uint32_t>(cube.size)));
      if (inside_.size() <= k) inside_.resize(k + 1);
      inside_[k].insert(cube.first);
    }
  }

  [[nodiscard]] BlockOfCells at(const LatticePoint& first) const {
    if (const auto found = blocks_.find(first); found != blocks_.end()) return {found->second, false};
    for (std::size_t k = 0; k < inside_.size(); ++k) {
      if (inside_[k].empty()) continue;
      const std::int32_t size = std::int32_t{1} << (k - 1);
      LatticePoint cube{};
      bool isBeside = false;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::int32_t from = first[i] - cells_->corner[i];
        isBeside = isBeside || from < 0;
        cube[i] = cells_->corner[i] + from / size * size;
      }
      if (!isBeside && inside_[k].contains(cube)) return {nullptr, true};
    }
    return {};
  }

  /// Blocks with a cell that is not covered, and those around them, so far as `wanted`.
  template <typename Wanted>
  [[nodiscard]] std::vector<LatticePoint> blocksAround(std::int32_t low, const Wanted& wanted) const {
    std::unordered_set<LatticePoint, LatticeHash> seen;
    std::vector<LatticePoint> found;
    for (const CellBlock& block : cells_->blocks)
      for (std::int32_t x = low; x <= 1; ++x)
        for (std::int32_t y = low; y <= 1; ++y)
          for (std::int32_t z = low; z <= 1; ++z) {
            const LatticePoint at{block.first[0] + 8 * x, block.first[1] + 8 * y, block.first[2] + 8 * z};
            if (seen.insert(at).second && wanted(at)) found.push_back(at);
          }
    return found;
  }

 private:
  const CoveredCells* cells_;
  std::unordered_map<LatticePoint, const CellBlock*, LatticeHash> blocks_;
  std::vector<std::unordered_set<LatticePoint, LatticeHash>> inside_;  ///< by the bits of their size
};

/// The cells of a block and of the 26 around it.
class Neighbourhood {
 public:
  Neighbourhood(const CellLookup& cells, const LatticePoint& first) {
    for (std::int32_t x = 0; x < 3; ++x)
      for (std::int32_t y = 0; y < 3; ++y)
        for (std::int32_t z = 0; z < 3; ++z)
          blocks_[static_cast<std::size_t>(9 * x + 3 * y + z)] =
              cells.at({first[0] + 8 * (x - 1), first[1] + 8 * (y - 1), first[2] + 8 * (z - 1)});
  }

  /// Cells by their place in the block: from -8 to 15.
  [[nodiscard]] bool isCovered(const Around& cell) const noexcept {
    const BlockOfCells& block = of(cell);
    return block.isInside || (block.mixed != nullptr && block.mixed->covered[bitOf(cell)]);
  }
  [[nodiscard]] bool isOutside(const Around& cell) const noexcept {
    const BlockOfCells& block = of(cell);
    return !block.isInside && (block.mixed == nullptr || block.mixed->outside[bitOf(cell)]);
  }
  /// Of a lattice point: whether its eight cells are covered. From -7 to 15.
  [[nodiscard]] bool isIn(const Around& point) const noexcept {
    for (unsigned k = 0; k < 8; ++k)
      if (!isCovered({point[0] - ((k & 4U) != 0 ? 1 : 0), point[1] - ((k & 2U) != 0 ? 1 : 0),
                      point[2] - ((k & 1U) != 0 ? 1 : 0)}))
        return false;
    return true;
  }
  /// Whether all corners of a cell are in.
  [[nodiscard]] bool isInner(const Around& cell) const noexcept {
    for (std::int32_t x = -1; x <= 1; ++x)
      for (std::int32_t y = -1; y <= 1; ++y)
        for (std::int32_t z = -1; z <= 1; ++z)
          if (!isCovered({cell[0] + x, cell[1] + y, cell[2] + z})) return false;
    return true;
  }

 private:
  [[nodiscard]] const BlockOfCells& of(const Around& cell) const noexcept {
    return blocks_[static_cast<std::size_t>(9 * ((cell[0] + 8) / 8) + 3 * ((cell[1] + 8) / 8) +
                                            (cell[2] + 8) / 8)];
  }
  static std::size_t bitOf(const Around& cell) noexcept {
    return CellBlock::at((cell[0] + 8) % 8, (cell[1] + 8) % 8, (cell[2] + 8) % 8);
  }

  std::array<BlockOfCells, 27> blocks_{};
};

/// Calls `look` with the places in a block.
template <typename Look>
void eachInBlock(const Look& look) {
  for (std::int32_t x = 0; x < 8; ++x)
    for (std::int32_t y = 0; y < 8; ++y)
      for (std::int32_t z = 0; z < 8; ++z) look(Around{x, y, z});
}

LatticePoint placeIn(const LatticePoint& first, const Around& at) noexcept {
  return {first[0] + at[0], first[1] + at[1], first[2] + at[2]};
}

/// Bounds the depth of what is left out of an inner surface, on one thread.
class LeftOut {
 public:
  LeftOut(const FieldGrid& grid, const OutsideBalls& balls, const SolidModel* inner)
      : grid_(grid), below_(balls), solid_(inner) {
    if (inner != nullptr) inner_.emplace(inner->model());
  }

  double atCentre(const LatticePoint& cell) { return below_.most(centreOf(grid_, cell, 1)); }

  /// A bound on the depths of the points of a cube that are not inside. Tries to keep it below `enough`.
  double inCube(const WorldCube& cube, double enough, int halvings) {
    const double radius = cube.radius(), bound = below_.most(cube.centre) + radius;
    if (bound <= enough) return bound;
    if (isInside(cube.centre, radius)) return 0;
    if (halvings == 0) return bound;
    const double half = 0.5 * cube.half;
    double most = 0;
    for (std::size_t k = 0; k < 8; ++k)
      most = std::max(most, inCube({WorldCube{cube.centre, half}.corner(k), half}, enough, halvings - 1));
    return std::min(bound, most);
  }

 private:
  /// True if a ball is certainly inside.
  bool isInside(const Vec3& x, double radius) {
    if (!inner_) return false;
    const Vec3 local = x - inner_->mesh().origin();
    return !inner_->closest(local, radius * (1 + 0x1p-20)) &&
           inner_->side(local, solid_->watertightness()) == PointSide::inside;
  }

  FieldGrid grid_;
  DepthBelow below_;
  std::optional<PointQuery> inner_{};
  const SolidModel* solid_;
};

}  // namespace

SweptField innerField(const CoveredCells& cells, const FieldGrid& grid, const OutsideBalls& balls,
                      unsigned threads, const Progress& progress) {
  const CellLookup lookup(cells);
  SweptField field;
  field.inside = cells.inside;
  // The cells of a lattice point are beside it on either side.
  const std::vector<LatticePoint> places = lookup.blocksAround(0, [](const LatticePoint&) { return true; });
  field.blocks.resize(places.size());
  std::vector<DepthBelow> below;
  for (unsigned i = workerCount(threads, places.size()); i > 0; --i) below.emplace_back(balls);
  const WorkMeter meter(progress, "placing the inner surface", places.size());
  parallelFor(places.size(), threads, [&](std::size_t b, unsigned worker) {
    FieldBlock& block = field.blocks[b];
    block.first = places[b];
    const Neighbourhood around(lookup, block.first);
    eachInBlock([&](const Around& at) {
      const bool isIn = around.isIn(at);
      bool isBesideOther = false;
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (const std::int32_t step : {-1, 1}) {
          Around next = at;
          next[axis] += step;
          // isIn looks at the cells below its point.
          isBesideOther = isBesideOther || around.isIn(next) != isIn;
        }
      double value = mostValue;
      if (isBesideOther) {
        const double depth =
            below[worker].about(centreOf(grid, placeIn(block.first, at), 0), 4 * grid.voxel);
        const double beyond = (depth / grid.voxel - 1) * (isIn ? 1 : -1);
        value = std::clamp(beyond, leastValue, mostValue);
      }
      block.values[CellBlock::at(at[0], at[1], at[2])] =
          static_cast<float>(grid.level + (isIn ? -value : value) * grid.voxel);
    });
    meter.advance(1);
  });
  return field;
}

double largestDepthLeftOut(const CoveredCells& cells, const FieldGrid& grid, const OutsideBalls& balls,
                           const std::shared_ptr<const SolidModel>& inner, unsigned threads,
                           const Progress& progress) {
  const CellLookup lookup(cells);
  // Cells in cubes may have corners that are not in.
  const std::vector<LatticePoint> places = lookup.blocksAround(-1, [&](const LatticePoint& first) {
    const BlockOfCells block = lookup.at(first);
    return block.mixed != nullptr || block.isInside;
  });
  if (places.empty()) return 0;
  std::vector<LeftOut> workers;
  for (unsigned i = workerCount(threads, places.size()); i > 0; --i)
    workers.emplace_back(grid, balls, inner.get());
  const WorkMeter meter(progress, "measuring the inner surface", 2 * places.size());
  std::vector<double> largest(places.size(), 0);
  std::vector<std::bitset<512>> asked(places.size());
  parallelFor(places.size(), threads, [&](std::size_t b, unsigned worker) {
    const Neighbourhood around(lookup, places[b]);
    eachInBlock([&](const Around& at) {
      if (around.isOutside(at) || around.isInner(at)) return;
      asked[b].set(CellBlock::at(at[0], at[1], at[2]));
      largest[b] = std::max(largest[b], workers[worker].atCentre(placeIn(places[b], at)));
    });
    meter.advance(1);
  });
  const double atCentres = *std::ranges::max_element(largest);
  const double enough = atCentres + depthTolerance * grid.voxel;
  parallelFor(places.size(), threads, [&](std::size_t b, unsigned worker) {
    double most = 0;
    eachInBlock([&](const Around& at) {
      if (!asked[b][CellBlock::at(at[0], at[1], at[2])]) return;
      most = std::max(
          most, workers[worker].inCube({centreOf(grid, placeIn(places[b], at), 1), 0.5 * grid.voxel}, enough,
                                       depthHalvings));
    });
    largest[b] = most;
    meter.advance(1);
  });
  return *std::ranges::max_element(largest);
}

}  // namespace fitup::detail
