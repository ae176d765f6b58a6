#include <fitup/planning/swept_volume.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/text.h>
#include <fitup/base/work_meter.h>
#include <fitup/planning/detail/inner_volume.h>
#include <fitup/planning/detail/level_mesh.h>
#include <fitup/planning/detail/swept_enclosure.h>
#include <fitup/planning/detail/swept_field.h>
#include <fitup/planning/detail/swept_motion.h>
#include <fitup/planning/detail/triangle_bounds.h>

namespace fitup {
namespace {

using namespace detail;

/// The error of a distance by curved ways, in voxels. Smaller: more pieces of time.
constexpr double sagInVoxels = 0.05;
/// Distances may be larger than the least one by this, in voxels. Smaller: longer searches where many
/// triangles are equally near.
constexpr double toleranceInVoxels = 0.03;
/// e in voxels, at first. A surface that lies where its level is, without creases, is that near; see
/// `largestDistance`.
constexpr double usualVoxels = 2.62;
/// A point of the surface that is farther from the level is moved towards it, in voxels.
constexpr double levelInVoxels = 0.1;

/// The low level, in voxels, and e in voxels with it, at first. Lower: larger cells, but more surfaces come
/// too near to be certain of.
constexpr double lowLevelInVoxels = 0.8;
constexpr double lowUsualVoxels = 1.7;
/// How often cells become smaller with the low level.
constexpr int mostLowTries = 2;

/// Pieces are kept up to two voxels beyond the level, and points of the surface are within sqrt(3) voxels and
/// all errors of it.
constexpr double mostErrorInVoxels = 0.25;

/// How it is known that a surface holds everything.
enum class SweptLevel {
  low,     ///< by the distances of its triangles, which are measured
  certain  ///< by how far the level is from what is swept
};

/// The cells and the level for an accuracy, with their proof (docs/explanation/swept-volumes.md).
struct Budget {
  FieldGrid grid;
  double pointError = 0;  ///< of points of the surface, from their cells
  double fieldError = 0;  ///< of the field at the points of the lattice
  double certain = 0;     ///< no point of the surface is farther from the swept set than this

  Budget(const SweptMotion& motion, double voxel, SweptLevel kind) {
    grid.origin = motion.box.centre();
    grid.voxel = voxel;
    grid.sag = sagInVoxels * voxel;
    grid.tolerance = toleranceInVoxels * voxel;
    const Vec3 half = motion.box.halfExtent();
    // Points are rounded to 32 bits by the mesher, and by the mesh.
    pointError = 0x1p-21 * (std::max({half.x, half.y, half.z}) + 32 * voxel);
    fieldError = grid.sag + grid.tolerance + motion.rounding + 0x1p-21 * 4 * voxel;
    const double cell = std::numbers::sqrt3 * voxel;
    grid.level =
        (kind == SweptLevel::certain ? cell : lowLevelInVoxels * voxel) + fieldError + 2 * pointError;
    grid.band = 0.6 * voxel + 2 * fieldError;
    certain = grid.level + fieldError + cell + 2 * pointError;
  }

  /// A point of the surface finds something that is nearer than this.
  [[nodiscard]] double reach() const noexcept { return certain + grid.sag + grid.tolerance; }
};

/// Largest voxel for which `Budget::certain` is at most e.
double certainVoxel(double e, const SweptMotion& motion) {
  double voxel = e / (2 * std::numbers::sqrt3);
  while (voxel > 0.1 * e && Budget(motion, voxel, SweptLevel::certain).certain > e) voxel *= 0.99;
  return voxel;
}

/// More than by how much points of the surface may be rounded, in voxels.
constexpr double cellRounding = 0x1p-8;

/// Finds what is nearest to the points of a surface in one block, on one thread.
class BlockNames {
 public:
  BlockNames(const SweptMotion& motion, const Budget& budget, LevelMesh& mesh,
             std::vector<NearestSweep>& found)
      : budget_(budget), mesh_(mesh), found_(found), distance_(motion, budget.grid) {}

  void find(const FieldBlock& block, std::span<std::uint32_t> points) {
    if (points.empty()) return;
    const Vec3 centre = centreOf(budget_.grid, block.first, FieldBlock::size);
    distance_.look({centre, halfOf(FieldBlock::size)}, block.near, finest(FieldBlock::size), true, ofBlock_);
    findIn(block.first, FieldBlock::size, {ofBlock_, centre}, points);
  }

  [[nodiscard]] std::size_t queries() const noexcept { return distance_.queries(); }

 private:
  void findIn(const LatticePoint& first, std::int32_t size, const NearList& near,
              std::span<std::uint32_t> points) {
    const std::int32_t half = size / 2;
    if (half == 2 || points.size() < fewPoints) {
      for (const std::uint32_t i : points) found_[i] = findOne(mesh_.points[i], near);
      return;
    }
    const FieldGrid& grid = budget_.grid;
    const auto partOf = [&](std::uint32_t i) {
      unsigned part = 0;
      for (int k = 0; k < 3; ++k)
        if (mesh_.points[i][k] >= first[static_cast<std::size_t>(k)] + half) part |= 1U << k;
      return part;
    };
    std::ranges::sort(points, {}, [&](std::uint32_t i) { return std::pair(partOf(i), i); });
    std::vector<NearPiece>& own = lists_[static_cast<std::size_t>(half)];
    for (std::size_t i = 0; i < points.size();) {
      const unsigned part = partOf(points[i]);
      std::size_t end = i + 1;
      while (end < points.size() && partOf(points[end]) == part) ++end;
      LatticePoint at = first;
      for (unsigned k = 0; k < 3; ++k)
        if ((part >> k & 1U) != 0) at[k] += half;
      const Vec3 centre = centreOf(grid, at, half);
      const bool isInside = distance_.look({centre, halfOf(half)}, near, finest(half), true, own).isInside;
      findIn(at, half, isInside ? near : NearList{own, centre}, points.subspan(i, end - i));
      i = end;
    }
  }

  /// Half of the edge of a cube in the world. Points may be rounded to the neighbouring cell.
  [[nodiscard]] double halfOf(std::int32_t size) const noexcept {
    return (0.5 * size + cellRounding) * budget_.grid.voxel;
  }
  /// The sag to which pieces are halved for a cube.
  [[nodiscard]] double finest(std::int32_t size) const noexcept {
    return std::max(0.25 * std::numbers::sqrt3 * halfOf(size), budget_.grid.sag);
  }

  /// Moves a point nearer to the level, within its cell.
  NearestSweep findOne(Vec3& point, const NearList& near) {
    const FieldGrid& grid = budget_.grid;
    const auto look = [&](const Vec3& x) {
      const auto found = distance_.nearest(x, near, budget_.reach());
      if (!found) throw Error("swept volume: a point of the surface is not near to anything");
      return *found;
    };
    NearestSweep nearest = look(grid.inWorld(point));
    const double away = nearest.distance - grid.level;
    if (away < levelInVoxels * grid.voxel) return nearest;
    const Vec3 moved =
        movedInCell(point, (nearest.point - grid.inWorld(point)) * (away / (nearest.distance * grid.voxel)));
    const NearestSweep other = look(grid.inWorld(moved));
    if (other.distance >= nearest.distance) return nearest;
    point = moved;
    return other;
  }

  /// A point that stays in its cell. If it lies at a side, which may be that of a neighbour, it stays there.
  [[nodiscard]] Vec3 movedInCell(const Vec3& point, const Vec3& by) const {
    const double margin = 2 * budget_.pointError / budget_.grid.voxel;
    Vec3 moved = point;
    for (int k = 0; k < 3; ++k) {
      const double low = std::floor(point[k]) + margin, high = std::floor(point[k]) + 1 - margin;
      if (point[k] > low && point[k] < high) moved[k] = std::clamp(point[k] + by[k], low, high);
    }
    return moved;
  }

  /// Fewer points are not worth a list of their own.
  static constexpr std::size_t fewPoints = 3;

  const Budget& budget_;
  LevelMesh& mesh_;
  std::vector<NearestSweep>& found_;
  SweptDistance distance_;
  std::vector<NearPiece> ofBlock_;
  std::array<std::vector<NearPiece>, FieldBlock::size> lists_;  ///< by the size of the cube
};

/// Finds what is nearest to the points of a surface.
class SurfaceNames {
 public:
  SurfaceNames(const SweptMotion& motion, const Budget& budget, const SweptField& field, LevelMesh& mesh)
      : motion_(motion), budget_(budget), field_(field), mesh_(mesh) {
    for (std::size_t i = 0; i < field.blocks.size(); ++i) blocks_.emplace(field.blocks[i].first, i);
  }

  /// Moves points nearer to the level, within their cells. Throws CancelledError.
  std::vector<NearestSweep> find(unsigned threads, const Progress& progress, std::size_t& queries) {
    std::vector<std::uint32_t> blockOfPoint(mesh_.points.size()), points(mesh_.points.size());
    std::vector<std::size_t> ends(field_.blocks.size() + 1);  // of the points of each block
    for (std::size_t i = 0; i < points.size(); ++i) {
      blockOfPoint[i] = static_cast<std::uint32_t>(blockOf(mesh_.points[i]));
      ++ends[blockOfPoint[i] + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[next[blockOfPoint[i]]++] = static_cast<std::uint32_t>(i);

    std::vector<NearestSweep> found(points.size());
    const unsigned workers = workerCount(threads, field_.blocks.size());
    std::vector<BlockNames> finders;
    for (unsigned i = 0; i < workers; ++i) finders.emplace_back(motion_, budget_, mesh_, found);
    const WorkMeter meter(progress, "finding faces and times", field_.blocks.size());
    parallelFor(field_.blocks.size(), threads, [&](std::size_t b, unsigned worker) {
      finders[worker].find(field_.blocks[b], std::span(points).subspan(ends[b], ends[b + 1] - ends[b]));
      meter.advance(1);
    });
    for (const BlockNames& finder : finders) queries += finder.queries();
    return found;
  }

  /// The balls around the points of the surface that nothing sweeps into. They have no model yet. Points that
  /// no triangle has are left out, as in its mesh.
  [[nodiscard]] OutsideBalls outsideBalls(const std::vector<Corners>& triangles,
                                          const std::vector<NearestSweep>& nearest) const {
    std::vector<bool> used(nearest.size());
    for (const Corners& t : triangles)
      for (const std::uint32_t i : t) used[i] = true;
    OutsideBalls balls;
    for (std::size_t i = 0; i < nearest.size(); ++i)
      if (used[i])
        balls.radii.push_back(std::max(lowOf(nearest[i]) - motion_.rounding - 2 * budget_.pointError, 0.0));
    return balls;
  }

  /// Bounds on the distance of the triangles of a surface.
  struct Distances {
    double most = 0;   ///< of any point from the swept set
    double least = 0;  ///< of any point from the surfaces that are swept; only for the low level
  };
  /// Measures a surface. Tries to keep `most` below `e`, and `least` above 0.
  Distances measure(const std::vector<Corners>& triangles, const std::vector<NearestSweep>& nearest, double e,
                    SweptLevel kind, unsigned threads, const Progress& progress) const {
    constexpr std::size_t chunk = 1024;
    const std::size_t chunks = (triangles.size() + chunk - 1) / chunk;
    std::vector<Finder> finders;
    for (unsigned i = workerCount(threads, chunks); i > 0; --i) finders.push_back({{motion_, budget_.grid}});
    std::vector<double> most(chunks), least(chunks, std::numeric_limits<double>::infinity());
    const FieldGrid& grid = budget_.grid;
    const double errors = motion_.rounding + 2 * budget_.pointError;
    const WorkMeter meter(progress, "measuring the surface", chunks);
    parallelFor(chunks, threads, [&](std::size_t c, unsigned worker) {
      const auto look = [&](const Vec3& x) {
        Finder& finder = finders[worker];
        const std::size_t block = blockOf((x - grid.origin) * (1 / grid.voxel));
        const Vec3 centre = centreOf(grid, field_.blocks[block].first, FieldBlock::size);
        if (finder.block != block) {
          finder.distance.look({centre, (0.5 * FieldBlock::size + cellRounding) * grid.voxel},
                               field_.blocks[block].near, grid.sag, true, finder.near);
          finder.block = block;
        }
        const auto found = finder.distance.nearest(x, {finder.near, centre}, budget_.reach());
        if (!found) throw Error("swept volume: a point of a triangle is not near to anything");
        return PointAndNearest{x, found->point, found->sag, lowOf(*found)};
      };
      for (std::size_t i = c * chunk; i < std::min((c + 1) * chunk, triangles.size()); ++i) {
        std::array<PointAndNearest, 3> corners;
        for (std::size_t k = 0; k < 3; ++k) {
          const NearestSweep& n = nearest[triangles[i][k]];
          corners[k] = {grid.inWorld(mesh_.points[triangles[i][k]]), n.point, n.sag, lowOf(n)};
        }
        most[c] = std::max(most[c], refinedDistance(corners, e - errors, mostHalvings, look));
        if (kind == SweptLevel::low && least[c] > errors)
          least[c] = std::min(least[c], refinedLeast(corners, errors, mostHalvings, look));
      }
      meter.advance(1);
    });
    return {std::min(*std::ranges::max_element(most) + errors, budget_.certain),
            *std::ranges::min_element(least) - errors};
  }

 private:
  /// Finds what is nearest to points that are mostly in the same block as the one before.
  struct Finder {
    SweptDistance distance;
    std::optional<std::size_t> block{};
    std::vector<NearPiece> near{};
  };

  /// Of a triangle, until its distance is known well enough.
  static constexpr int mostHalvings = 4;

  /// A lower bound on the distance of a point from what is swept.
  [[nodiscard]] double lowOf(const NearestSweep& nearest) const noexcept {
    return nearest.distance - budget_.grid.sag - budget_.grid.tolerance -
           2 * cellRounding * budget_.grid.voxel;
  }

  [[nodiscard]] std::size_t blockOf(const Vec3& point) const {
    // A point may be rounded to the neighbouring cell.
    for (const double besides : {0.0, -cellRounding, cellRounding})
      for (unsigned axes = 1; axes < 8; ++axes) {
        LatticePoint first{};
        for (int k = 0; k < 3; ++k) {
          const double at = point[k] + ((axes >> k & 1U) != 0 ? besides : 0.0);
          first[static_cast<std::size_t>(k)] =
              static_cast<std::int32_t>(std::floor(at / FieldBlock::size)) * FieldBlock::size;
        }
        if (const auto found = blocks_.find(first); found != blocks_.end()) return found->second;
      }
    throw Error("swept volume: a point of the surface is in no block of the field");
  }

  const SweptMotion& motion_;
  const Budget& budget_;
  const SweptField& field_;
  LevelMesh& mesh_;
  std::unordered_map<LatticePoint, std::size_t, LatticeHash> blocks_;
};

/// The instance and the face that a triangle of the surface belongs to.
struct FaceKey {
  std::uint32_t body = 0, surface = 0;
  friend auto operator<=>(const FaceKey&, const FaceKey&) = default;
};

/// ", steps 0 to 2.25", rounded outwards to thousandths.
std::string stepsText(const SweptPatch& patch) {
  const std::string from = numberText(std::floor(1000 * patch.earliest) / 1000),
                    to = numberText(std::ceil(1000 * patch.latest) / 1000);
  return from == to ? ", step " + from : ", steps " + from + " to " + to;
}

std::string surfaceName(const Scene& scene, const SweptPatch& patch, const TriangleMesh& part) {
  const Surface& surface = part.surfaces()[index(patch.face)];
  std::string name = scene.assembly().path(patch.instance) + ": face " + std::to_string(index(patch.face));
  if (surface.description) name += " (" + text(*surface.description) + ")";
  if (!surface.name.empty()) name += " '" + surface.name + "'";
  const std::string steps = stepsText(patch);
  return shortened(name, longestName - steps.size()) + steps;
}

class Envelope {
 public:
  Envelope(const Scene& scene, const SweptMotion& motion, const Budget& budget)
      : scene_(scene), motion_(motion), budget_(budget) {}

  /// Names the triangles and makes the mesh.
  void make(const LevelMesh& mesh, const std::vector<Corners>& triangles,
            const std::vector<NearestSweep>& nearest, SweptVolume& result) const {
    struct Named {
      FaceKey key;
      double time = 0;
      Corners corners{};
    };
    std::vector<Named> named;
    named.reserve(triangles.size());
    for (const Corners& corners : triangles) {
      std::array<const NearestSweep*, 3> of{};
      std::array<FaceKey, 3> keys;
      for (std::size_t i = 0; i < 3; ++i) {
        of[i] = &nearest[corners[i]];
        keys[i] = keyOf(*of[i]);
      }
      const std::size_t i = chosen(keys, of);
      named.push_back({keys[i], motion_.pieces[of[i]->piece].step + of[i]->at, corners});
    }
    std::ranges::stable_sort(named, {}, &Named::key);
    TriangleMeshBuilder builder("swept volume");
    for (const Vec3& point : mesh.points) builder.addPoint(budget_.grid.inWorld(point));
    const auto begins = [&](std::size_t i) { return i == 0 || named[i].key != named[i - 1].key; };
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (begins(i))
        result.patches.push_back({motion_.bodies[named[i].key.body].instance, SurfaceId{named[i].key.surface},
                                  named[i].time, named[i].time});
      SweptPatch& patch = result.patches.back();
      patch.earliest = std::min(patch.earliest, named[i].time);
      patch.latest = std::max(patch.latest, named[i].time);
      result.times.push_back(named[i].time);
    }
    auto patch = result.patches.begin();
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (begins(i)) {
        const TriangleMesh& part = scene_.assembly().meshOf(patch->instance);
        builder.beginSurface(surfaceName(scene_, *patch, part), part.surfaces()[index(patch->face)].colour);
        ++patch;
      }
      builder.addTriangle(named[i].corners[0], named[i].corners[1], named[i].corners[2]);
    }
    result.outer = std::make_shared<const TriangleMesh>(builder.build());
  }

 private:
  [[nodiscard]] FaceKey keyOf(const NearestSweep& nearest) const {
    const std::uint32_t body = motion_.pieces[nearest.piece].body;
    const SurfaceId face = motion_.bodies[body].model->mesh().surfaceOf(nearest.triangle);
    return {body, static_cast<std::uint32_t>(index(face))};
  }

  /// The nearest corner of those of the most frequent face.
  static std::size_t chosen(const std::array<FaceKey, 3>& keys,
                            const std::array<const NearestSweep*, 3>& nearest) {
    const auto votes = [&](std::size_t i) { return std::ranges::count(keys, keys[i]); };
    std::size_t best = 0;
    for (const std::size_t i : {1U, 2U}) {
      const auto mine = votes(i), its = votes(best);
      if (mine > its || (mine == its && nearest[i]->distance < nearest[best]->distance)) best = i;
    }
    return best;
  }

  const Scene& scene_;
  const SweptMotion& motion_;
  const Budget& budget_;
};

/// Makes the outer surface with this voxel. Returns the accuracy that was reached; infinity if the low level
/// is too low.
double makeOuter(const Scene& scene, SweptMotion& motion, double voxel, SweptLevel kind,
                 const SweptVolumeOptions& options, const Progress& progress, SweptVolume& result,
                 OutsideBalls& balls) {
  const Budget budget(motion, voxel, kind);
  halvePieces(motion, budget.grid.level + 4 * voxel, budget.grid.sag);
  const SweptField field = makeSweptField(motion, budget.grid, options.threads, progress);
  result.queries += field.queries;
  progress.report("meshing", -1);
  LevelMesh mesh = meshLevel(field, budget.grid);
  SurfaceNames names(motion, budget, field, mesh);
  const auto nearest = names.find(options.threads, progress, result.queries);
  result.patches.clear();
  result.times.clear();
  result.voxel = voxel;
  const std::vector<Corners> triangles = trianglesOf(mesh);
  const SurfaceNames::Distances reached =
      names.measure(triangles, nearest, result.asked, kind, options.threads, progress);
  if (kind == SweptLevel::low &&
      !(reached.least > 0 && holdsEverything(motion, budget.grid, mesh.points, triangles)))
    return std::numeric_limits<double>::infinity();
  // The finest voxel reaches every accuracy that was not refused.
  if (reached.most <= result.asked) {
    Envelope(scene, motion, budget).make(mesh, triangles, nearest, result);
    if (options.inner) balls = names.outsideBalls(triangles, nearest);
  }
  return reached.most;
}

}  // namespace

bool hasSweptVolumes() noexcept { return true; }

SweptVolume sweptVolume(const Scene& scene, const Track& track, const SweptVolumeOptions& options,
                        const Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  if (options.accuracy && !(*options.accuracy > 0 && std::isfinite(*options.accuracy)))
    throw InputError("swept volume", "accuracy " + numberText(*options.accuracy), "is not above 0");
  SweptVolume result;
  result.relativeTo = options.relativeTo;
  SweptMotion motion =
      makeSweptMotion(scene, track, {options.force, options.relativeTo, options.parts}, progress);
  result.asked = options.accuracy.value_or(motion.size / 200);
  if (!motion.bodies.empty()) {
    for (const SweptBody& body : motion.bodies) result.makers.push_back(body.instance);
    for (const SweptBody& body : motion.bodies)
      if (!body.solid) result.open.push_back(body.instance);
    const double e = result.asked, finest = certainVoxel(e, motion);
    const Budget least(motion, finest, SweptLevel::certain);
    if (!(least.certain <= e && least.fieldError + 2 * least.pointError <= mostErrorInVoxels * finest))
      throw InputError("swept volume", "accuracy " + numberText(e),
                       "is too small for the rounding of coordinates");
    SweptLevel kind = SweptLevel::low;
    double voxel = e / lowUsualVoxels;
    OutsideBalls balls;
    for (int tries = 1;; ++tries) {
      result.accuracy = makeOuter(scene, motion, voxel, kind, options, progress, result, balls);
      if (result.accuracy <= e) break;
      if (kind == SweptLevel::low && (tries == mostLowTries || std::isinf(result.accuracy))) {
        kind = SweptLevel::certain;
        voxel = e / usualVoxels;
        continue;
      }
      voxel = std::max(finest, std::min(0.95, 0.97 * e / result.accuracy) * voxel);
    }
    result.outerVolume = volumeOf(*result.outer);
    if (options.inner) {
      if (result.open.size() == result.makers.size()) {
        result.inner.emplace().missing = InnerMissing::notClosed;
      } else {
        balls.surface = CollisionModel::build(result.outer, {}, WorkMeter(progress), options.threads);
        result.inner = makeInnerVolume(motion, e, balls, options.threads, progress, result.queries);
      }
    }
  }
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace fitup
