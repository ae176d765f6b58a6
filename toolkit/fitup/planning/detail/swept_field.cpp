#include <fitup/planning/detail/swept_field.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/work_meter.h>

namespace fitup::detail {
namespace {

/// Cubes of this size are the tasks of threads.
constexpr std::int32_t taskSize = 32;
/// Most cubes along an edge of the lattice, so that indices fit.
constexpr double longestLattice = 1 << 20;

/// A cube of the lattice, from `first` to `first` + `size`, and what may be near to it.
struct Cube {
  LatticePoint first{};
  std::int32_t size = 0;
  std::vector<NearPiece> near;
  std::optional<bool> startsInside{};  ///< of all of its points, if no surface comes to any
};

enum class CubeState { outside, inside, mixed };

/// Divides cubes, on one thread.
class FieldMaker {
 public:
  FieldMaker(const SweptMotion& motion, const FieldGrid& grid) : grid_(grid), distance_(motion, grid) {}

  struct Looked {
    CubeState state = CubeState::mixed;
    /// Whether all of it was inside at the start, if it is mixed and no surface comes to any of its points.
    std::optional<bool> startsInside{};
  };

  /// Looks at a cube of this size around `centre`, closed, so that neighbours agree on common points; `near`
  /// receives what may be near to it if it is mixed.
  Looked look(const Vec3& centre, double size, const NearList& from, std::optional<bool> startsInside,
              std::vector<NearPiece>* near) {
    const WorldCube cube{centre, 0.5 * size * grid_.voxel};
    const double radius = cube.radius();
    // The pieces of the smallest cubes with a list are halved for all of their points together.
    const double finest = size <= 3 ? grid_.sag : std::max(0.25 * radius, grid_.sag);
    const SweptDistance::Ball ball = near != nullptr ? distance_.look(cube, from, finest, size <= 8, *near)
                                                     : distance_.lookRoughly(cube, from);
    if (ball.isInside) return {CubeState::inside};
    // No surface ever comes into the ball, so one point decides for all of it.
    if (!startsInside && ball.low > radius) startsInside = distance_.isInsideAtStart(centre);
    if (ball.low <= grid_.level + grid_.band + radius) return {CubeState::mixed, startsInside};
    return {*startsInside ? CubeState::inside : CubeState::outside};
  }

  /// Divides a cube that is not mixed or larger than a block.
  void divide(const Cube& cube, std::vector<Cube>& into, SweptField& field) {
    const std::int32_t half = cube.size / 2;
    for (unsigned k = 0; k < 8; ++k) {
      Cube part{child(cube.first, half, k), half, {}, {}};
      const Looked looked =
          look(centreOf(grid_, part.first, half), half, {cube.near, centreOf(grid_, cube.first, cube.size)},
               cube.startsInside, &part.near);
      part.startsInside = looked.startsInside;
      switch (looked.state) {
        case CubeState::outside:
          break;
        case CubeState::inside:
          field.inside.push_back({part.first, half});
          break;
        case CubeState::mixed:
          into.push_back(std::move(part));
          break;
      }
    }
  }

  /// Divides a cube down to blocks and fills these.
  void finish(const Cube& cube, SweptField& field) {
    if (cube.size == FieldBlock::size) {
      FieldBlock& block = field.blocks.emplace_back();
      block.first = cube.first;
      block.near.reserve(cube.near.size());
      for (const NearPiece& piece : cube.near)
        block.near.push_back({piece.piece, piece.triangle, piece.triangles});
      fill(cube.first, cube.size, {cube.near, centreOf(grid_, cube.first, cube.size)}, cube.startsInside,
           block);
      return;
    }
    std::vector<Cube> parts;
    divide(cube, parts, field);
    for (const Cube& part : parts) finish(part, field);
  }

  [[nodiscard]] std::size_t queries() const noexcept { return distance_.queries(); }

 private:
  static LatticePoint child(const LatticePoint& first, std::int32_t half, unsigned k) {
    return {first[0] + ((k & 4) != 0 ? half : 0), first[1] + ((k & 2) != 0 ? half : 0),
            first[2] + ((k & 1) != 0 ? half : 0)};
  }

  static float& valueAt(FieldBlock& block, const LatticePoint& p) {
    const auto at = [&](std::size_t k) { return static_cast<std::size_t>(p[k] - block.first[k]); };
    return block.values[at(0) * 64 + at(1) * 8 + at(2)];
  }

  void setAll(const LatticePoint& first, std::int32_t size, double value, FieldBlock& block) const {
    for (std::int32_t x = 0; x < size; ++x)
      for (std::int32_t y = 0; y < size; ++y)
        for (std::int32_t z = 0; z < size; ++z)
          valueAt(block, {first[0] + x, first[1] + y, first[2] + z}) = static_cast<float>(value);
  }

  void fill(const LatticePoint& first, std::int32_t size, const NearList& near,
            std::optional<bool> startsInside, FieldBlock& block) {
    if (size == 1) {
      const double outside = grid_.level + grid_.band;
      const Vec3 x = centreOf(grid_, first, 0);
      double value = distance_.distance(x, near, outside);
      if (value > grid_.level && (startsInside ? *startsInside : distance_.isInsideAtStart(x)))
        value = grid_.level - grid_.band;
      valueAt(block, first) = static_cast<float>(value);
      return;
    }
    const std::int32_t half = size / 2;
    std::vector<NearPiece>& own = lists_[half];
    for (unsigned k = 0; k < 8; ++k) {
      const LatticePoint at = child(first, half, k);
      if (half == 1) {
        fill(at, 1, near, startsInside, block);
        continue;
      }
      // Only the points of the lattice count.
      const double extent = half - 1;
      const Vec3 centre = centreOf(grid_, at, extent);
      const Looked looked = look(centre, extent, near, startsInside, half > 2 ? &own : nullptr);
      switch (looked.state) {
        case CubeState::outside:
          setAll(at, half, grid_.level + grid_.band, block);
          break;
        case CubeState::inside:
          setAll(at, half, grid_.level - grid_.band, block);
          break;
        case CubeState::mixed:
          fill(at, half, half > 2 ? NearList{own, centre} : near, looked.startsInside, block);
          break;
      }
    }
  }

  FieldGrid grid_;
  SweptDistance distance_;
  std::array<std::vector<NearPiece>, FieldBlock::size> lists_;  ///< by the size of the cube
};

void append(SweptField& all, SweptField&& more) {
  std::ranges::move(more.blocks, std::back_inserter(all.blocks));
  all.inside.insert(all.inside.end(), more.inside.begin(), more.inside.end());
}

}  // namespace

SweptField makeSweptField(const SweptMotion& motion, const FieldGrid& grid, unsigned threads,
                          const Progress& progress) {
  SweptField all;
  const double reach = grid.level + 3 * grid.voxel;
  LatticePoint low{}, high{};
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const double from = std::floor((motion.box.min[k] - reach - grid.origin[k]) / grid.voxel);
    const double to = std::ceil((motion.box.max[k] + reach - grid.origin[k]) / grid.voxel);
    longest = std::max({longest, to - from, std::abs(from), std::abs(to)});
    if (!(longest < longestLattice))
      throw InputError("swept volume", "accuracy", "is too small for the size of the motion");
    low[k] = static_cast<std::int32_t>(from);
    high[k] = static_cast<std::int32_t>(to);
  }
  std::int32_t size = taskSize;
  while (size < longest + FieldBlock::size) size *= 2;
  Cube root;
  root.size = size;
  for (std::size_t k = 0; k < 3; ++k) root.first[k] = (low[k] >= 0 ? low[k] / 8 : -((7 - low[k]) / 8)) * 8;
  for (std::uint32_t i = 0; i < motion.bodies.size(); ++i) root.near.push_back({i});

  const unsigned workers = workerCount(threads, 1U << 20);
  std::vector<FieldMaker> makers;
  for (unsigned i = 0; i < workers; ++i) makers.emplace_back(motion, grid);
  std::vector<Cube> cubes{std::move(root)};
  const WorkMeter searching(progress);
  while (!cubes.empty() && cubes.front().size > taskSize) {
    std::vector<std::vector<Cube>> next(cubes.size());
    std::vector<SweptField> fields(cubes.size());
    parallelFor(cubes.size(), threads, [&](std::size_t i, unsigned worker) {
      searching.poll();
      makers[worker].divide(cubes[i], next[i], fields[i]);
    });
    cubes.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      std::ranges::move(next[i], std::back_inserter(cubes));
      append(all, std::move(fields[i]));
    }
  }
  const WorkMeter meter(progress, "sweeping", cubes.size());
  std::vector<SweptField> fields(cubes.size());
  parallelFor(cubes.size(), threads, [&](std::size_t i, unsigned worker) {
    makers[worker].finish(cubes[i], fields[i]);
    cubes[i].near = {};
    meter.advance(1);
  });
  for (SweptField& field : fields) append(all, std::move(field));
  for (const FieldMaker& maker : makers) all.queries += maker.queries();
  return all;
}

}  // namespace fitup::detail
