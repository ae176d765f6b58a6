#include <fitup/motion/detail/exact_contact.h>

#include <fitup/motion/detail/rigid_path.h>
#include <fitup/query/distance_error.h>
#include <fitup/query/penetration.h>

namespace fitup::detail {
namespace {

double bothChordErrors(const MovingPair& pair) {
  return largestChordError(pair.first.posedPart()) + largestChordError(pair.second.posedPart());
}

double roundingOf(const MovingPair& pair) {
  return pair.rounding + lengthRounding(pair.first.posedPart(), pair.second.posedPart());
}

bool isOneShell(const PosedSolid& posed) {
  const Watertightness& shells = posed.solid->watertightness();
  return shells.closed() && shells.components().size() == 1;
}

/// A box around the part in the world.
Box worldBoxOf(const PosedSolid& posed) {
  Box box;
  for (const Vec3& corner : cornersInWorld(posed.solid->mesh(), posed.worldFromPart)) box.extend(corner);
  return box;
}

/// The smallest box around the triangles in the world.
Box tightBoxOf(const PosedSolid& posed) {
  Box box;
  const TriangleMesh& mesh = posed.solid->mesh();
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i)
    box.extend(posed.worldFromPart.apply(mesh.pointInPart(i)));
  return box;
}

}  // namespace

bool canMeet(const MovingPair& pair) {
  if (!isOneShell(pair.first) || !isOneShell(pair.second)) return false;
  const double reach = bothChordErrors(pair) + 4 * roundingOf(pair);
  const auto reachesOut = [&](const PosedSolid& posed, const PosedSolid& of) {
    const Box box = tightBoxOf(posed), other = worldBoxOf(of);
    for (int k = 0; k < 3; ++k)
      if (box.min[k] < other.min[k] - reach || box.max[k] > other.max[k] + reach) return true;
    return false;
  };
  return reachesOut(pair.first, pair.second) && reachesOut(pair.second, pair.first);
}

bool haveMet(const MovingPair& pair, double clearance, bool mayMeet, const QueryLimits& limits) {
  QueryContext context;
  const double rounding = roundingOf(pair);
  if (clearance > 0) {
    DistanceRequest request;
    request.limits = limits;
    const DistanceRange range =
        exactDistance(pair.first.posedPart(), pair.second.posedPart(), clearance, request, context);
    if (range.status == ReportStatus::complete && range.most + rounding <= clearance) return true;
  }
  if (!mayMeet) return false;
  PenetrationRequest overlap;
  overlap.deeperThan = bothChordErrors(pair) + rounding;
  overlap.regions = false;
  overlap.enclosedCores = false;
  overlap.limits = limits;
  return !penetration(pair.first, pair.second, overlap, context).regions.empty();
}

}  // namespace fitup::detail
