#include <fitup/planning/swept_volume.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <unordered_map>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/text.h>
#include <fitup/base/work_meter.h>
#include <fitup/planning/detail/level_mesh.h>
#include <fitup/planning/detail/swept_field.h>
#include <fitup/planning/detail/swept_motion.h>

namespace fitup {
namespace {

using namespace detail;

/// The error of a distance by curved ways, in voxels. Smaller: more pieces of time.
constexpr double sagInVoxels = 0.05;
/// e in voxels, at first. A surface that lies where its level is, without creases, is that near; see
/// `largestDistance`.
constexpr double usualVoxels = 2.95;
/// A point of the surface that is farther from the level is moved towards it, in voxels.
constexpr double levelInVoxels = 0.1;

/// Pieces are kept up to two voxels beyond the level, and points of the surface are within sqrt(3) voxels and
/// all errors of it.
constexpr double mostErrorInVoxels = 0.25;

/// The cells and the level for an accuracy, with their proof (docs/explanation/swept-volumes.md).
struct Budget {
  FieldGrid grid;
  double pointError = 0;  ///< of points of the surface, from their cells
  double fieldError = 0;  ///< of the field at the points of the lattice
  double certain = 0;     ///< no point of the surface is farther from the swept set than this

  Budget(const SweptMotion& motion, double voxel) {
    grid.origin = motion.box.centre();
    grid.voxel = voxel;
    grid.sag = sagInVoxels * voxel;
    const Vec3 half = motion.box.halfExtent();
    // Points are rounded to 32 bits by the mesher, and by the mesh.
    pointError = 0x1p-21 * (std::max({half.x, half.y, half.z}) + 32 * voxel);
    fieldError = grid.sag + motion.rounding + 0x1p-21 * 4 * voxel;
    const double cell = std::numbers::sqrt3 * voxel;
    grid.level = cell + fieldError + 2 * pointError;
    grid.band = 1.01 * voxel + 2 * fieldError;
    certain = grid.level + fieldError + cell + 2 * pointError;
  }
};

/// Largest voxel for which `Budget::certain` is at most e.
double certainVoxel(double e, const SweptMotion& motion) {
  double voxel = e / (2 * std::numbers::sqrt3);
  while (voxel > 0.1 * e && Budget(motion, voxel).certain > e) voxel *= 0.99;
  return voxel;
}

struct BlockHash {
  std::size_t operator()(const LatticePoint& p) const noexcept {
    std::size_t hash = 0;
    for (const std::int32_t i : p) hash = (hash ^ static_cast<std::uint32_t>(i)) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29;
  }
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
    constexpr std::size_t chunk = 256;
    const std::size_t chunks = (mesh_.points.size() + chunk - 1) / chunk;
    const unsigned workers = workerCount(threads, chunks);
    std::vector<SweptDistance> distances;
    for (unsigned i = 0; i < workers; ++i) distances.emplace_back(motion_, budget_.grid);
    std::vector<NearestSweep> found(mesh_.points.size());
    const WorkMeter meter(progress, "finding faces and times", chunks);
    parallelFor(chunks, threads, [&](std::size_t c, unsigned worker) {
      for (std::size_t i = c * chunk; i < std::min((c + 1) * chunk, found.size()); ++i)
        found[i] = findOne(mesh_.points[i], distances[worker]);
      meter.advance(1);
    });
    for (const SweptDistance& distance : distances) queries += distance.queries();
    return found;
  }

 private:
  NearestSweep findOne(Vec3& point, SweptDistance& distance) const {
    const FieldGrid& grid = budget_.grid;
    const std::vector<NearPiece>& near = blockOf(point).near;
    const auto look = [&](const Vec3& x) {
      const auto found = distance.nearest(x, near, budget_.certain + grid.sag);
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

  [[nodiscard]] const FieldBlock& blockOf(const Vec3& point) const {
    // A point may be rounded to the neighbouring cell.
    constexpr double rounding = 0x1p-8;
    for (const double besides : {0.0, -rounding, rounding})
      for (unsigned axes = 1; axes < 8; ++axes) {
        LatticePoint first{};
        for (int k = 0; k < 3; ++k) {
          const double at = point[k] + ((axes >> k & 1U) != 0 ? besides : 0.0);
          first[static_cast<std::size_t>(k)] =
              static_cast<std::int32_t>(std::floor(at / FieldBlock::size)) * FieldBlock::size;
        }
        if (const auto found = blocks_.find(first); found != blocks_.end())
          return field_.blocks[found->second];
      }
    throw Error("swept volume: a point of the surface is in no block of the field");
  }

  const SweptMotion& motion_;
  const Budget& budget_;
  const SweptField& field_;
  LevelMesh& mesh_;
  std::unordered_map<LatticePoint, std::size_t, BlockHash> blocks_;
};

using Corners = std::array<std::uint32_t, 3>;

std::vector<Corners> trianglesOf(const LevelMesh& mesh) {
  std::vector<Corners> triangles;
  triangles.reserve(2 * mesh.quads.size());
  for (const auto& q : mesh.quads) {
    const bool isFirst =
        norm(mesh.points[q[0]] - mesh.points[q[2]]) <= norm(mesh.points[q[1]] - mesh.points[q[3]]);
    if (isFirst) {
      triangles.push_back({q[0], q[1], q[2]});
      triangles.push_back({q[0], q[2], q[3]});
    } else {
      triangles.push_back({q[0], q[1], q[3]});
      triangles.push_back({q[1], q[2], q[3]});
    }
  }
  return triangles;
}

/// A bound on the distance of the points of a triangle from the swept set. Corner i was at `nearest[i].point`
/// from it; the triangle is the union of the three hulls of a corner, the middles of its two edges, and the
/// centre. The distance from a point is convex, and so is largest at a corner of the hull.
double largestDistance(const std::array<Vec3, 3>& corners,
                       const std::array<const NearestSweep*, 3>& nearest) {
  const Vec3 centre = (corners[0] + corners[1] + corners[2]) * (1 / 3.0);
  double largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& q = nearest[i]->point;
    const Vec3 next = 0.5 * (corners[i] + corners[(i + 1) % 3]),
               previous = 0.5 * (corners[i] + corners[(i + 2) % 3]);
    for (const Vec3& p : {corners[i], next, previous, centre})
      largest = std::max(largest, norm(p - q) + nearest[i]->sag);
  }
  return largest;
}

/// The instance and the face that a triangle of the surface belongs to.
struct FaceKey {
  std::uint32_t body = 0, surface = 0;
  friend auto operator<=>(const FaceKey&, const FaceKey&) = default;
};

std::string surfaceName(const Scene& scene, NodeId instance, SurfaceId face, const TriangleMesh& part) {
  const Surface& surface = part.surfaces()[index(face)];
  std::string name = scene.assembly().path(instance) + ": face " + std::to_string(index(face));
  if (surface.description) name += " (" + text(*surface.description) + ")";
  if (!surface.name.empty()) name += " '" + surface.name + "'";
  return shortened(name);
}

class Envelope {
 public:
  Envelope(const Scene& scene, const SweptMotion& motion, const Budget& budget)
      : scene_(scene), motion_(motion), budget_(budget) {}

  /// Names the triangles and makes the mesh. Returns a bound on its distance from the swept set.
  double make(const LevelMesh& mesh, const std::vector<NearestSweep>& nearest, SweptVolume& result) const {
    struct Named {
      FaceKey key;
      double time = 0;
      Corners corners{};
    };
    std::vector<Named> named;
    double farthest = 0;
    for (const Corners& corners : trianglesOf(mesh)) {
      std::array<Vec3, 3> points;
      std::array<const NearestSweep*, 3> of{};
      std::array<FaceKey, 3> keys;
      for (std::size_t i = 0; i < 3; ++i) {
        points[i] = budget_.grid.inWorld(mesh.points[corners[i]]);
        of[i] = &nearest[corners[i]];
        keys[i] = keyOf(*of[i]);
      }
      farthest = std::max(farthest, largestDistance(points, of));
      const std::size_t i = chosen(keys, of);
      named.push_back({keys[i], motion_.pieces[of[i]->piece].step + of[i]->at, corners});
    }
    std::ranges::stable_sort(named, {}, &Named::key);
    TriangleMeshBuilder builder("swept volume");
    for (const Vec3& point : mesh.points) builder.addPoint(budget_.grid.inWorld(point));
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (i == 0 || named[i].key != named[i - 1].key) {
        const SweptBody& body = motion_.bodies[named[i].key.body];
        const SurfaceId face{named[i].key.surface};
        const TriangleMesh& part = scene_.assembly().meshOf(body.instance);
        result.patches.push_back({body.instance, face, named[i].time, named[i].time});
        builder.beginSurface(surfaceName(scene_, body.instance, face, part),
                             part.surfaces()[index(face)].colour);
      }
      SweptPatch& patch = result.patches.back();
      patch.earliest = std::min(patch.earliest, named[i].time);
      patch.latest = std::max(patch.latest, named[i].time);
      result.times.push_back(named[i].time);
      builder.addTriangle(named[i].corners[0], named[i].corners[1], named[i].corners[2]);
    }
    result.outer = std::make_shared<const TriangleMesh>(builder.build());
    return std::min(farthest + motion_.rounding + 2 * budget_.pointError, budget_.certain);
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

double volumeOf(const TriangleMesh& mesh) {
  const Vec3 o = mesh.bounds().centre();
  double sum = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    sum += dot(t.v[0] - o, cross(t.v[1] - o, t.v[2] - o));
  }
  return sum / 6;
}

/// Makes the outer surface with this voxel. Returns the accuracy that was reached.
double makeOuter(const Scene& scene, SweptMotion& motion, double voxel, const SweptVolumeOptions& options,
                 const Progress& progress, SweptVolume& result) {
  const Budget budget(motion, voxel);
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
  return Envelope(scene, motion, budget).make(mesh, nearest, result);
}

}  // namespace

bool hasSweptVolumes() noexcept { return true; }

SweptVolume sweptVolume(const Scene& scene, const Track& track, const SweptVolumeOptions& options,
                        const Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  if (options.accuracy && !(*options.accuracy > 0 && std::isfinite(*options.accuracy)))
    throw InputError("swept volume", "accuracy " + numberText(*options.accuracy), "is not above 0");
  SweptVolume result;
  SweptMotion motion = makeSweptMotion(scene, track, options.force, progress);
  result.asked = options.accuracy.value_or(motion.size / 200);
  if (!motion.bodies.empty()) {
    for (const SweptBody& body : motion.bodies)
      if (!body.solid) result.open.push_back(body.instance);
    const double e = result.asked, finest = certainVoxel(e, motion);
    const Budget least(motion, finest);
    if (!(least.certain <= e && least.fieldError + 2 * least.pointError <= mostErrorInVoxels * finest))
      throw InputError("swept volume", "accuracy " + numberText(e),
                       "is too small for the rounding of coordinates");
    double voxel = e / usualVoxels;
    for (;;) {
      result.accuracy = makeOuter(scene, motion, voxel, options, progress, result);
      if (result.accuracy <= e) break;
      voxel = std::max(finest, std::min(0.95, 0.99 * e / result.accuracy) * voxel);
    }
    result.outerVolume = volumeOf(*result.outer);
  }
  result.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace fitup
