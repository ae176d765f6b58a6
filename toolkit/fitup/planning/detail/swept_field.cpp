#include <fitup/planning/detail/swept_field.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
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
};

enum class CubeState { outside, inside, mixed };

/// Divides cubes, on one thread.
class FieldMaker {
 public:
  FieldMaker(const SweptMotion& motion, const FieldGrid& grid) : grid_(grid), distance_(motion, grid) {}

  /// Looks at a cube; `near` receives what may be near to it if it is mixed. Ball and cube are closed, so
  /// that neighbours agree on common points.
  CubeState look(const LatticePoint& first, std::int32_t size, std::span<const NearPiece> from,
                 std::vector<NearPiece>& near) {
    const double half = 0.5 * size, radius = half * std::numbers::sqrt3 * grid_.voxel;
    const Vec3 centre = grid_.inWorld(Vec3{first[0] + half, first[1] + half, first[2] + half});
    const SweptDistance::Ball ball = distance_.look(centre, radius, from, near);
    if (ball.isInside) return CubeState::inside;
    if (ball.low <= grid_.level + grid_.band + radius) return CubeState::mixed;
    // No surface ever comes into the ball, so one point decides for all of it.
    return distance_.isInsideAtStart(centre) ? CubeState::inside : CubeState::outside;
  }

  /// Divides a cube that is not mixed or larger than a block.
  void divide(const Cube& cube, std::vector<Cube>& into, SweptField& field) {
    const std::int32_t half = cube.size / 2;
    for (unsigned k = 0; k < 8; ++k) {
      Cube part{child(cube.first, half, k), half, {}};
      switch (look(part.first, half, cube.near, part.near)) {
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
      block.near = cube.near;
      fill(cube.first, cube.size, block.near, block);
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

  void fill(const LatticePoint& first, std::int32_t size, std::span<const NearPiece> near,
            FieldBlock& block) {
    if (size == 1) {
      const double outside = grid_.level + grid_.band;
      const Vec3 x = grid_.inWorld({double(first[0]), double(first[1]), double(first[2])});
      double value = distance_.distance(x, near, outside);
      if (value > grid_.level && distance_.isInsideAtStart(x)) value = grid_.level - grid_.band;
      valueAt(block, first) = static_cast<float>(value);
      return;
    }
    const std::int32_t half = size / 2;
    std::vector<NearPiece>& own = lists_[half];
    for (unsigned k = 0; k < 8; ++k) {
      const LatticePoint at = child(first, half, k);
      if (half == 1) {
        fill(at, 1, near, block);
        continue;
      }
      switch (look(at, half, near, own)) {
        case CubeState::outside:
          setAll(at, half, grid_.level + grid_.band, block);
          break;
        case CubeState::inside:
          setAll(at, half, grid_.level - grid_.band, block);
          break;
        case CubeState::mixed:
          fill(at, half, own, block);
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
  for (std::uint32_t i = 0; i < motion.bodies.size(); ++i) root.near.push_back({i, TriangleId{0}, 0});

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
