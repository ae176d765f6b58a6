#include <fitup/planning/detail/inner_surface.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

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

/// Points that are not swept are looked for so many cells beside those that seem to lie deep, and so many at
/// most.
constexpr std::int32_t sampledBeside = 3;
constexpr std::size_t mostSamples = 2'000'000;

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

/// Points that are not swept, by the cell that they are the centre of.
using OutsidePoints = std::unordered_map<LatticePoint, Vec3, LatticeHash>;

/// Calls `look` with the cells around a cell that are at most `beside` away along each axis.
template <typename Look>
void eachAround(const LatticePoint& cell, std::int32_t beside, const Look& look) {
  for (std::int32_t x = -beside; x <= beside; ++x)
    for (std::int32_t y = -beside; y <= beside; ++y)
      for (std::int32_t z = -beside; z <= beside; ++z)
        look(LatticePoint{cell[0] + x, cell[1] + y, cell[2] + z});
}

LatticePoint blockAt(const LatticePoint& cell) noexcept {
  const auto down = [](std::int32_t i) { return (i >= 0 ? i / 8 : -((7 - i) / 8)) * 8; };
  return {down(cell[0]), down(cell[1]), down(cell[2])};
}

/// The centres of cells near to these that are not swept, as their distance shows.
OutsidePoints outsideNear(const std::vector<LatticePoint>& cells, const CellLookup& lookup,
                          const SweptMotion& motion, FieldGrid grid, unsigned threads,
                          const Progress& progress) {
  OutsidePoints points;
  std::unordered_set<LatticePoint, LatticeHash> seen;
  std::unordered_map<LatticePoint, std::size_t, LatticeHash> blocks;
  std::vector<std::vector<LatticePoint>> byBlock;
  const WorkMeter searching(progress);
  polledLoop(cells.size(), searching, [&](std::size_t i) {
    if (seen.size() > mostSamples) return;
    eachAround(cells[i], sampledBeside, [&](const LatticePoint& at) {
      if (!seen.insert(at).second) return;
      const LatticePoint first = blockAt(at);
      const BlockOfCells block = lookup.at(first);
      if (block.isInside) return;
      const std::size_t bit = CellBlock::at(at[0] - first[0], at[1] - first[1], at[2] - first[2]);
      if (block.mixed == nullptr || block.mixed->outside[bit]) {
        points.emplace(at, centreOf(grid, at, 1));
      } else if (!block.mixed->covered[bit]) {
        const auto [entry, isNew] = blocks.emplace(first, byBlock.size());
        if (isNew) byBlock.emplace_back();
        byBlock[entry->second].push_back(at);
      }
    });
  });
  // Distances are wanted down to 0.
  grid.level = grid.band = 0.5 * grid.voxel;
  const double errors = grid.sag + 2 * grid.tolerance + motion.rounding;
  std::vector<NearName> all;
  for (std::uint32_t b = 0; b < motion.bodies.size(); ++b) all.push_back({b});
  struct Sampler {
    SweptDistance distance;
    std::vector<NearPiece> near{};
  };
  std::vector<Sampler> samplers;
  for (unsigned i = workerCount(threads, byBlock.size()); i > 0; --i) samplers.push_back({{motion, grid}});
  std::vector<std::vector<LatticePoint>> found(byBlock.size());
  const WorkMeter meter(progress, "measuring the inner surface", byBlock.size());
  parallelFor(byBlock.size(), threads, [&](std::size_t b, unsigned worker) {
    Sampler& sampler = samplers[worker];
    const Vec3 centre = centreOf(grid, blockAt(byBlock[b].front()), FieldBlock::size);
    const double half = 0.5 * FieldBlock::size * grid.voxel;
    sampler.distance.look({centre, half}, all, std::max(0.2 * half, grid.sag), true, sampler.near);
    for (const LatticePoint& at : byBlock[b]) {
      const Vec3 x = centreOf(grid, at, 1);
      if (sampler.distance.distance(x, {sampler.near, centre}, grid.voxel) > errors &&
          !sampler.distance.isInsideAtStart(x))
        found[b].push_back(at);
    }
    meter.advance(1);
  });
  for (const auto& list : found)
    for (const LatticePoint& at : list) points.emplace(at, centreOf(grid, at, 1));
  return points;
}

/// Bounds the depth of what is left out of an inner surface, on one thread.
class LeftOut {
 public:
  LeftOut(const FieldGrid& grid, const OutsideBalls& balls, const SolidModel* inner)
      : grid_(grid), below_(balls), solid_(inner) {
    if (inner != nullptr) inner_.emplace(inner->model());
  }

  /// A bound on the depth of the centre of a cell. Remembers the points near to it for `inCube`.
  double atCentre(const LatticePoint& cell, const OutsidePoints& points) {
    near_.clear();
    if (!points.empty())
      eachAround(cell, sampledBeside, [&](const LatticePoint& at) {
        if (const auto found = points.find(at); found != points.end()) near_.push_back(found->second);
      });
    return most(centreOf(grid_, cell, 1));
  }

  /// A bound on the depths of the points of a cube that are not inside. Tries to keep it below `enough`.
  double inCube(const WorldCube& cube, double enough, int halvings) {
    const double radius = cube.radius(), bound = most(cube.centre) + radius;
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
  double most(const Vec3& x) {
    double least = below_.most(x);
    for (const Vec3& p : near_) least = std::min(least, norm(x - p) * (1 + 0x1p-30));
    return least;
  }

  /// True if a ball is certainly inside.
  bool isInside(const Vec3& x, double radius) {
    if (!inner_) return false;
    const Vec3 local = x - inner_->mesh().origin();
    return !inner_->closest(local, radius * (1 + 0x1p-20)) &&
           inner_->side(local, solid_->watertightness()) == PointSide::inside;
  }

  FieldGrid grid_;
  DepthBelow below_;
  std::vector<Vec3> near_;
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
        const double depth = below[worker].about(centreOf(grid, placeIn(block.first, at), 0), 4 * grid.voxel);
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

double largestDepthLeftOut(const SweptMotion& motion, const CoveredCells& cells, const FieldGrid& grid,
                           double accuracy, const OutsideBalls& balls,
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
  const double radius = 0.5 * std::numbers::sqrt3 * grid.voxel;
  struct Found {
    std::vector<LatticePoint> usual, deep;
    double most = 0;  ///< at the centre of a usual one
  };
  std::vector<Found> found(places.size());
  parallelFor(places.size(), threads, [&](std::size_t b, unsigned worker) {
    const Neighbourhood around(lookup, places[b]);
    eachInBlock([&](const Around& at) {
      if (around.isOutside(at) || around.isInner(at)) return;
      const LatticePoint cell = placeIn(places[b], at);
      const double depth = workers[worker].atCentre(cell, {});
      if (depth + radius > accuracy) {
        found[b].deep.push_back(cell);
      } else {
        found[b].usual.push_back(cell);
        found[b].most = std::max(found[b].most, depth);
      }
    });
    meter.advance(1);
  });
  std::vector<LatticePoint> deep;
  double atCentres = 0, atUsual = 0;
  for (Found& of : found) {
    atCentres = std::max(atCentres, of.most);
    if (!of.usual.empty()) atUsual = std::max(atUsual, of.most + radius);
    deep.insert(deep.end(), of.deep.begin(), of.deep.end());
    of.usual.clear();
  }
  const OutsidePoints points = outsideNear(deep, lookup, motion, grid, threads, progress);
  constexpr std::size_t chunk = 64;
  const std::size_t chunks = (deep.size() + chunk - 1) / chunk;
  const auto eachDeep = [&](const auto& look) {
    std::vector<double> largest(chunks, 0);
    const WorkMeter searching(progress);
    parallelFor(chunks, threads, [&](std::size_t c, unsigned worker) {
      searching.poll();
      for (std::size_t i = c * chunk; i < std::min((c + 1) * chunk, deep.size()); ++i)
        largest[c] = std::max(largest[c], look(workers[worker], deep[i]));
    });
    return chunks == 0 ? 0.0 : *std::ranges::max_element(largest);
  };
  atCentres = std::max(atCentres, eachDeep([&](LeftOut& worker, const LatticePoint& cell) {
                         return worker.atCentre(cell, points);
                       }));
  const double enough = std::max(atCentres + depthTolerance * grid.voxel, atUsual);
  meter.finish();
  return std::max(atUsual, eachDeep([&](LeftOut& worker, const LatticePoint& cell) {
                    worker.atCentre(cell, points);
                    return worker.inCube({centreOf(grid, cell, 1), 0.5 * grid.voxel}, enough, depthHalvings);
                  }));
}

}  // namespace fitup::detail
