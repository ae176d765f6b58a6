#include <fitup/query/detail/pair_refiner.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/base/work_meter.h>
#include <fitup/mesh/local_refinement.h>
#include <fitup/query/detail/stretch.h>

namespace fitup::detail {
namespace {

/// No part gets more triangles.
constexpr std::size_t mostTriangles = 300'000;
/// Near triangles are divided in steps to this share of their chord error: what is near becomes less.
constexpr double stepShare = 1.0 / 16;

}  // namespace

double FinerPart::stretch() const { return stretchOf(posed.worldFromPart); }

std::optional<NearTriangles> PairRefiner::near(double within, ReportStatus& status) {
  NearTriangles near = nearTriangles(a.posed.posed(), b.posed.posed(), within, limits_, a.chordErrors(),
                                     b.chordErrors(), status);
  if (status != ReportStatus::complete) return std::nullopt;
  return near;
}

bool PairRefiner::refine(std::optional<NearTriangles>& near, double within, double goal,
                         ReportStatus& status) {
  bool isFiner = false;
  constexpr int mostSteps = 100;
  for (int i = 0; i < mostSteps && near && near->error() > goal && divide(*near, goal); ++i) {
    isFiner = true;
    near = this->near(within, status);
  }
  return isFiner;
}

/// One step. Returns false if that is not possible.
bool PairRefiner::divide(const NearTriangles& near, double goal) {
  const bool isFirstFiner = divide(a, near.a, near.errorA, goal / 2);
  return divide(b, near.b, near.errorB, goal / 2) || isFirstFiner;
}
bool PairRefiner::divide(FinerPart& side, const std::vector<TriangleId>& near, double error, double target) {
  if (!finer_.isAllowed || !problem.empty() || !(error > target)) return false;
  std::vector<TriangleId> coarse;
  for (const TriangleId id : near)
    if (side.stretch() * side.chordErrors().of(id) > target) coarse.push_back(id);
  try {
    const double step = std::max(target, stepShare * error);
    // Where dividing did not help, closed forms do not say what the exact shape is.
    const bool isStuck = std::ranges::all_of(coarse, [&](TriangleId id) {
      const auto known = side.triedTo.find(side.cornersOf(id));
      return known != side.triedTo.end() && known->second <= step;
    });
    if (isStuck && offCorners(side, coarse) > target / 4) return false;
    if (askFor(side, facesToAskFor(side, coarse, target, isStuck), step)) return true;
    if (isStuck) return false;
    for (const TriangleId id : coarse) side.triedTo[side.cornersOf(id)] = step;
    const auto mesh =
        refinedLocally(side.posed.solid->mesh(), side.posed.solid->topology(), side.chordErrors(), coarse,
                       step / side.stretch(), mostTriangles, WorkMeter(progress_));
    if (mesh) {
      side.take(
          SolidModel::build(CollisionModel::build(mesh, {}, WorkMeter(progress_)), WorkMeter(progress_)));
      return true;
    }
    return askFor(side, facesToAskFor(side, coarse, target, true), step);
  } catch (const CancelledError&) {
    throw;
  } catch (const Error& failed) {
    problem = failed.what();
    return false;
  }
}

/// The faces of these triangles that only the exact shape makes finer: those without a closed form, and
/// those at edges of which nothing else says where they are; if `all`, all of them.
std::set<SurfaceId> PairRefiner::facesToAskFor(FinerPart& side, const std::vector<TriangleId>& triangles,
                                               double target, bool all) {
  std::set<SurfaceId> faces;
  const TriangleMesh& mesh = side.posed.solid->mesh();
  const MeshTopology& topology = side.posed.solid->topology();
  const auto isKnown = [&](TriangleId id) {
    return side.chordErrors().analytic(mesh.surfaceOf(id)) != nullptr;
  };
  const auto isKnownAround = [&](TriangleId id) {
    return isKnown(id) && std::ranges::all_of(topology.edgesOf(id), [&](std::uint32_t number) {
             if (number == MeshTopology::noEdge) return true;
             const auto uses = topology.uses(topology.edges()[number]);
             return uses.size() > 1 && std::ranges::all_of(uses, [&](const MeshTopology::Use& use) {
                      return isKnown(TriangleId{use.triangle});
                    });
           });
  };
  for (const TriangleId id : triangles)
    if ((all || !isKnownAround(id)) && chordErrorInWorld(side.posed.posed(), mesh.surfaceOf(id)) > target)
      faces.insert(mesh.surfaceOf(id));
  return faces;
}

/// Replaces the part by a mesh of its exact shape. Faces that were asked for before are asked for again:
/// with coarser triangles they might matter again.
bool PairRefiner::askFor(FinerPart& side, const std::set<SurfaceId>& faces, double target) const {
  if (!usesExactShapes || !finer_.exactShapes || faces.empty()) return false;
  target = std::min(target, side.askedFor);
  if (side.askedFor == target && std::ranges::includes(side.exactly, faces)) return false;
  side.exactly.insert(faces.begin(), faces.end());
  side.askedFor = target;
  const std::vector<SurfaceId> all(side.exactly.begin(), side.exactly.end());
  std::shared_ptr<const SolidModel> solid = finer_.exactShapes(side.isFirst, all, target / side.stretch());
  if (!solid) return false;
  side.take(std::move(solid));
  side.triedTo.clear();
  return true;
}

/// By how much the file's own points are off its surfaces.
double PairRefiner::offCorners(FinerPart& side, const std::vector<TriangleId>& triangles) {
  double off = 0;
  for (const TriangleId id : triangles) off = std::max(off, side.chordErrors().ofCorners(id));
  return side.stretch() * off;
}

}  // namespace fitup::detail
