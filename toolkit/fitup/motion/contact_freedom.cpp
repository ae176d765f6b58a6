#include <fitup/motion/contact_freedom.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include <fitup/base/error.h>
#include <fitup/mesh/recognise.h>
#include <fitup/motion/detail/contact_rows.h>
#include <fitup/motion/detail/least_motion.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/broad_phase.h>

namespace fitup {
namespace {

/// In tolerances: how deep places may be. Pairs that overlap at the start by more than t have such places
/// too; twice the sum of the chord errors is within it.
constexpr double overlapsPerTolerance = 4;

/// In halves of the diagonal of the scene: no default tolerance is larger in a usable model.
constexpr double farthestByDefault = 0.01;

/// In roundings of coordinates: the largest gap of an exact contact.
constexpr double exactRoundings = 16;

double toleranceOf(const PosedSolid& a, const PosedSolid& b, const std::optional<double>& asked,
                   double resolution) {
  if (asked) return std::max(*asked, minimumTolerance(a, b));
  try {
    return defaultTolerance(a, b);
  } catch (const InputError&) {  // a chord error is not known
    return std::max(resolution, minimumTolerance(a, b));
  }
}

bool isFlat(const TriangleMesh& mesh, SurfaceId surface) {
  const Surface& s = mesh.surfaces()[index(surface)];
  if (s.description) return s.description->kind == SurfaceKind::plane;
  const auto shape = recogniseSurface(mesh, surface, 1e-9 * norm(mesh.boundsInPart().halfExtent()));
  return shape && shape->kind == SurfaceKind::plane;
}

}  // namespace

std::vector<ContactPlace> contactPlaces(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                                        const ContactPlacesOptions& options, const Progress& progress) {
  const Assembly& assembly = scene.assembly();
  for (const NodeId node : moved) (void)assembly.partOf(node);  // throws if it is not an instance
  const std::set<NodeId> isMoved(moved.begin(), moved.end());
  std::vector<PlacedInstance> movers, others;
  Box all;
  for (const NodeId node : scene.instances()) {
    PlacedInstance placed = placedInstance(assembly, node, scene.worldFromPart(node, poses));
    if (placed.worldBox.empty()) continue;
    all.extend(placed.worldBox);
    (isMoved.contains(node) ? movers : others).push_back(std::move(placed));
  }
  const double resolution = all.empty() ? 0 : 0x1p-20 * 2 * norm(all.halfExtent());

  std::map<PartId, std::unique_ptr<const detail::ContactPart>> parts;
  const auto partOf = [&](NodeId node) -> const detail::ContactPart& {
    const PartId id = assembly.partOf(node);
    std::unique_ptr<const detail::ContactPart>& part = parts[id];
    if (!part) part = std::make_unique<const detail::ContactPart>(scene.solid(id));
    return *part;
  };
  std::map<std::pair<PartId, SurfaceId>, bool> flat;
  const auto flatFace = [&](NodeId node, SurfaceId surface) {
    const PartId id = assembly.partOf(node);
    const auto [at, isNew] = flat.try_emplace({id, surface}, false);
    if (isNew) at->second = isFlat(assembly.part(id), surface);
    return at->second;
  };

  std::vector<ContactPlace> places;
  for (const PlacedInstance& a : movers) {
    std::optional<detail::PlacedContactPart> placedA;
    for (const PlacedInstance& b : others) {
      if (progress.cancelled()) throw CancelledError();
      // Boxes first: solids are made only for neighbours.
      const double gap = boxDistance(a, b);
      if (gap > options.tolerance.value_or(farthestByDefault * norm(all.halfExtent()))) continue;
      if (!options.rules.empty() && !options.rules.asksFor(assembly.path(a.node), assembly.path(b.node)))
        continue;
      const PosedSolid solidA = scene.posedSolid(a.node, poses), solidB = scene.posedSolid(b.node, poses);
      const double t = toleranceOf(solidA, solidB, options.tolerance, resolution);
      if (gap > t) continue;
      if (!placedA) placedA.emplace(partOf(a.node), a.worldFromPart);
      const detail::PlacedContactPart placedB(partOf(b.node), b.worldFromPart);
      const double rounding = exactRoundings * (placedA->rounding() + placedB.rounding());
      for (const detail::ContactRow& row :
           detail::contactRows(*placedA, placedB, {t, overlapsPerTolerance * t})) {
        const SurfacePair surfaces{placedA->surfaceOf(row.moved), placedB.surfaceOf(row.resting)};
        const bool isExact = std::abs(row.gap) <= rounding &&
                             (row.isExact || (flatFace(a.node, surfaces.a) && flatFace(b.node, surfaces.b)));
        places.push_back({a.node, b.node, surfaces, row.point, row.normal, row.gap, isExact});
      }
    }
  }
  return places;
}

ContactFreedom contactFreedom(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                              std::span<const ContactPlace> places) {
  std::vector<Triangle> triangles;
  for (const NodeId node : moved) {
    const TriangleMesh& mesh = scene.assembly().meshOf(node);
    const Transform world = scene.worldFromPart(node, poses);
    for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
      Triangle t = mesh.triangle(TriangleId{i});
      for (Vec3& v : t.v) v = world.apply(v);
      triangles.push_back(t);
    }
  }
  std::vector<std::size_t> exact;
  std::vector<detail::MotionRow> rows;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].isExact) {
      exact.push_back(i);
      rows.push_back({places[i].point, places[i].normal, 0});
    }
  // Six independent velocities need at least seven forces to be held.
  constexpr std::size_t leastForces = 7;
  if (triangles.empty() || rows.size() < leastForces) return {};

  // The cone of allowed motions is {0} exactly if each motion along a coordinate, in either sense, has
  // nothing but 0 as its nearest allowed one: then its polar cone, which holds all of them, is everything. If
  // the cone has a motion v of length 1, a coordinate of v is at least 1 / sqrt(6), and the nearest allowed
  // motion to that coordinate's is at least as long. So rounding does not decide.
  const detail::MeanDisplacement displacement(triangles);
  constexpr double least = 1e-3;
  std::set<std::size_t> holding;
  for (std::size_t k = 0; k < 12; ++k) {
    std::array<double, 6> wanted{};
    wanted[k / 2] = k % 2 == 0 ? 1 : -1;
    const detail::LeastMotion answer = detail::leastMotion(displacement, displacement.twist(wanted), rows,
                                                           detail::Freedom::shiftAndTurn, 1e-9);
    if (!answer.isFeasible || displacement.of(answer.twist) > least) return {};
    for (const auto& held : answer.holding) holding.insert(exact[held.row]);
  }
  return {true, {holding.begin(), holding.end()}};
}

}  // namespace fitup
