#include <fitup/query/verdict.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include <fitup/base/deadline.h>
#include <fitup/base/error.h>
#include <fitup/query/detail/baked_solid.h>
#include <fitup/query/detail/piercing.h>
#include <fitup/query/detail/stretch.h>
#include <fitup/query/distance.h>
#include <fitup/query/distance_error.h>
#include <fitup/query/intersect.h>
#include <fitup/query/middles.h>
#include <fitup/query/pair_frame.h>

namespace fitup {
namespace {

double sizeOf(const TriangleMesh& mesh, const Transform& worldFromPart) {
  const Box box = mesh.boundsInPart();
  return norm(box.max - box.min) * detail::stretchOf(worldFromPart);
}
/// The size of the body, in the world.
double sizeOf(const PosedSolid& posed) { return sizeOf(posed.solid->mesh(), posed.worldFromPart); }

bool isClosed(const PosedSolid& posed) { return posed.solid->watertightness().closed(); }

/// The width of the seams over which a part was closed, in the world.
double seamOf(const PosedSolid& posed) {
  return posed.solid->repairs().joinedWithin * detail::stretchOf(posed.worldFromPart);
}

/// "part 'a' is not closed", "parts 'a' and 'b' are not closed".
std::string openText(const PosedSolid& first, const PosedSolid& second) {
  const auto quoted = [](const PosedSolid& posed) { return "'" + posed.solid->mesh().name() + "'"; };
  if (!isClosed(first) && !isClosed(second))
    return "parts " + quoted(first) + " and " + quoted(second) + " are not closed";
  return "part " + quoted(isClosed(first) ? second : first) + " is not closed";
}

/// The report of a clash with one region that the search for depth does not find.
VerdictReport clashIn(PenetrationRegion region, VerdictReport report) {
  report.verdict = Verdict::clash;
  report.depth = region.depth;
  report.depthErrorBound = region.errorBound;
  report.distance.reset();
  report.point = region.point;
  report.direction = region.direction;
  report.regions.push_back(std::move(region));
  return report;
}

/// The region of two bodies that pierce each other, of which no point is deeper than `tolerance`.
std::optional<PenetrationRegion> piercedRegion(const PosedSolid& first, const PosedSolid& second,
                                               double tolerance, bool unknownIsInside,
                                               const QueryLimits& limits, QueryContext& context,
                                               const std::function<bool()>& stop, ReportStatus& status) {
  if (detail::needsBakedSolids(first, second)) {
    const PosedSolid a{detail::bakedSolid(first), {}}, b{detail::bakedSolid(second), {}};
    return piercedRegion(a, b, tolerance, unknownIsInside, limits, context, stop, status);
  }
  IntersectionRequest all;
  all.limits = limits;
  const IntersectionReport pairs = intersect(first.posed(), second.posed(), all, context);
  status = std::max(status, pairs.status);
  if (pairs.status != ReportStatus::complete) return std::nullopt;
  const auto [piercing, limited] =
      detail::findPiercing(first, second, pairs, tolerance, unknownIsInside, stop);
  if (limited) status = std::max(status, ReportStatus::truncated);
  if (!piercing) return std::nullopt;
  PenetrationRegion region;
  region.depth = piercing->depth;
  // The search for depth has found nothing deeper than the tolerance and its own accuracy.
  region.errorBound = std::max(0.0, tolerance * (1 + 1.0 / 8) - piercing->depth);
  region.point = piercing->point;
  region.direction = piercing->direction;
  region.pointOfFirst = piercing->pointOfFirst;
  region.pierced = true;
  region.surfacePairs = pairs.surfacePairs;
  return region;
}

void undecide(VerdictReport& report, std::string reason) {
  report.verdict = Verdict::undecided;
  report.undecidedBecause = std::move(reason);
}

/// Measures how deep parts in contact overlap. The depth stays unset if a limit ends that, or if parts that
/// are not closed may overlap without showing it.
void measureOverlap(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                    const QueryLimits& limits, QueryContext& context, VerdictReport& report) {
  PenetrationRequest overlap;
  overlap.deeperThan = report.tolerance / 64;
  overlap.accuracy = std::max(request.depthAccuracy.value_or(0), overlap.deeperThan);
  overlap.limits = limits;
  const PenetrationReport found = penetration(first, second, overlap, context);
  if (found.status != ReportStatus::complete) return;
  if (!found.regions.empty()) {
    report.depth = found.depth();
    report.depthErrorBound = found.regions.front().errorBound;
    report.depthIsLowerBound = found.isLowerBound;
    return;
  }
  if (found.isLowerBound) return;
  report.depth = 0;
  report.depthErrorBound = overlap.deeperThan + *overlap.accuracy;
}

/// Share of the size of a part from which on the depth search reliably distinguishes an overlap from contact.
constexpr double leastShare = 0x1p-36;

}  // namespace

std::string_view name(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::clear:
      return "clear";
    case Verdict::contact:
      return "contact";
    case Verdict::clash:
      return "clash";
    case Verdict::undecided:
      return "undecided";
  }
  return "unknown";
}

double deflectionInWorld(const TriangleMesh& mesh, const Transform& worldFromPart) {
  if (!mesh.deflection())
    throw InputError("verdict", "part '" + mesh.name() + "'",
                     "its chord error is unknown, so a tolerance must be given (--tolerance)");
  return mesh.deflection()->linear * detail::stretchOf(worldFromPart);
}

double coordinateRounding(const TriangleMesh& mesh, const Transform& worldFromPart) {
  // Rounding to storage is given for each axis. World coordinates of the placement itself are rounded by
  // 2^-52 of their size.
  return std::sqrt(3.0) * mesh.validation().largestRounding * detail::stretchOf(worldFromPart) +
         0x1p-52 * norm(worldFromPart.t);
}

double coordinateRounding(const PosedSolid& first, const PosedSolid& second) {
  requireSolids(first, second);
  const PairFrame frame = PairFrame::of(first.posed(), second.posed());
  const PosedSolid& a = frame.swapped ? second : first;
  const double ofCopies = detail::needsBakedSolids(first, second)
                              ? detail::bakedRounding(first) + detail::bakedRounding(second)
                              : 0;
  return coordinateRounding(first.solid->mesh(), first.worldFromPart) +
         coordinateRounding(second.solid->mesh(), second.worldFromPart) +
         norm(frame.placement.placementError) * detail::stretchOf(a.worldFromPart) + ofCopies;
}

double clearanceRounding(const PosedModel& first, const PosedModel& second) {
  double sum = 0;
  for (const PosedModel* posed : {&first, &second}) {
    const TriangleMesh& mesh = posed->model->mesh();
    // Of the coordinates as a file may have them, in the part frame.
    const Box box = mesh.boundsInPart();
    double farthest = 0;
    for (int k = 0; k < 3 && mesh.triangleCount() > 0; ++k)
      farthest = std::max({farthest, std::abs(box.min[k]), std::abs(box.max[k])});
    sum += coordinateRounding(mesh, posed->worldFromPart) +
           std::sqrt(3.0) * 0x1p-24 * farthest * detail::stretchOf(posed->worldFromPart);
  }
  return sum;
}

double minimumTolerance(const PosedSolid& first, const PosedSolid& second) {
  return std::max(coordinateRounding(first, second), leastShare * std::max(sizeOf(first), sizeOf(second)));
}

double minimumTolerance(const TriangleMesh& mesh, const Transform& worldFromPart) {
  return std::max(coordinateRounding(mesh, worldFromPart), leastShare * sizeOf(mesh, worldFromPart));
}

double defaultTolerance(const PosedSolid& first, const PosedSolid& second) {
  requireSolids(first, second);
  return std::max(2 * std::max(deflectionInWorld(first.solid->mesh(), first.worldFromPart),
                               deflectionInWorld(second.solid->mesh(), second.worldFromPart)),
                  minimumTolerance(first, second));
}

double effectiveTolerance(const std::optional<double>& given, const PosedSolid& first,
                          const PosedSolid& second) {
  return given ? std::max(*given, minimumTolerance(first, second)) : defaultTolerance(first, second);
}

VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                      QueryContext& context) {
  requireSolids(first, second);
  const auto deadline = deadlineOf(request.limits.timeBudget);
  if (request.tolerance && !(*request.tolerance >= 0 && std::isfinite(*request.tolerance)))
    throw InputError("verdict", "tolerance", "is negative or not finite");
  if (request.ignoreBeyond && !(*request.ignoreBeyond >= 0))
    throw InputError("verdict", "ignoreBeyond", "is negative or not a number");
  VerdictReport report;
  report.tolerance = effectiveTolerance(request.tolerance, first, second);
  report.rounding = lengthRounding(first.posedPart(), second.posedPart());
  PenetrationRequest overlap;
  overlap.deeperThan = report.tolerance;
  overlap.accuracy = request.depthAccuracy;
  overlap.regions = request.regions;
  overlap.enclosedCores = false;  // only of parts in contact
  overlap.limits = request.limits;
  PenetrationReport depth = penetration(first, second, overlap, context);
  report.status = depth.status;
  report.depthIsLowerBound = depth.isLowerBound;
  report.regions = std::move(depth.regions);
  if (!report.regions.empty()) {
    const PenetrationRegion& deepest = report.regions.front();
    report.verdict = Verdict::clash;
    report.depth = deepest.depth;
    report.depthErrorBound = deepest.errorBound;
    report.point = deepest.point;
    report.direction = deepest.direction;
    return report;
  }

  DistanceRequest near;
  near.limits = request.limits;
  near.limits.maxPairs.reset();
  if (deadline)
    near.limits.timeBudget = std::max(std::chrono::nanoseconds{0},
                                      std::chrono::nanoseconds(*deadline - std::chrono::steady_clock::now()));
  near.ignoreBeyond = request.measureDistance ? request.ignoreBeyond : std::optional(report.tolerance);
  if (near.ignoreBeyond) near.ignoreBeyond = std::max(*near.ignoreBeyond, report.tolerance);
  const DistanceReport found = distance(first.posedPart(), second.posedPart(), near, context);
  if (report.status == ReportStatus::complete) report.status = found.status;
  if (found.nearest) {
    report.distance = found.nearest->distance;
    report.point = found.nearest->pointA;
    const Vec3 way = found.nearest->pointB - found.nearest->pointA;
    if (norm(way) > 0) report.direction = normalized(way);
    if (found.nearest->distance <= report.tolerance) report.verdict = Verdict::contact;
  }
  const auto endedBy = [&]() -> std::optional<ReportStatus> {
    if (request.limits.cancel.stop_requested()) return ReportStatus::cancelled;
    if (deadline && std::chrono::steady_clock::now() >= *deadline) return ReportStatus::truncated;
    return std::nullopt;
  };
  const auto stop = [&] {
    if (request.limits.onLook) request.limits.onLook();
    const auto ended = endedBy();
    if (ended) report.status = *ended;
    return ended.has_value();
  };
  if (report.verdict == Verdict::contact) {
    overlap.limits = near.limits;
    PenetrationReport core = enclosedCore(first, second, overlap, context);
    report.status = std::max(report.status, core.status);
    if (!core.regions.empty()) return clashIn(std::move(core.regions.front()), std::move(report));
    if (mayPierceHere(first, second, report.tolerance)) {
      near.ignoreBeyond.reset();
      if (auto region = piercedRegion(first, second, report.tolerance, false, near.limits, context, stop,
                                      report.status))
        return clashIn(std::move(*region), std::move(report));
    }
  }
  if (report.status != ReportStatus::complete) {
    undecide(report, report.status == ReportStatus::cancelled
                         ? "the search was cancelled"
                         : "a limit ended the search; a larger time budget would decide it");
    return report;
  }
  if (!isClosed(first) || !isClosed(second)) {
    overlap.regions = false;
    overlap.unknownIsInside = true;
    overlap.enclosedCores = report.verdict == Verdict::contact;
    const PenetrationReport possible = penetration(first, second, overlap, context);
    report.status = possible.status;
    const bool mayPierce =
        report.verdict == Verdict::contact &&
        piercedRegion(first, second, report.tolerance, true, near.limits, context, stop, report.status);
    if (!possible.regions.empty() || mayPierce || report.status != ReportStatus::complete)
      undecide(report, openText(first, second) + ", and the overlap may " +
                           (mayPierce ? "pierce a wall" : "be deeper than the tolerance") +
                           "; closed meshes would decide it");
  }
  // The boundary may be off by the width of its seams.
  const PosedSolid& wider = seamOf(first) >= seamOf(second) ? first : second;
  if (report.verdict == Verdict::contact && seamOf(wider) > report.tolerance) {
    undecide(report,
             "part '" + wider.solid->mesh().name() +
                 "' is closed only by joining edges that are farther apart than the tolerance; a larger "
                 "tolerance or a closed mesh would decide it");
    return report;
  }
  if (report.verdict == Verdict::contact && report.distance == 0 && request.overlaps)
    measureOverlap(first, second, request, overlap.limits, context, report);
  return report;
}

VerdictReport verdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request) {
  QueryContext context;
  return verdict(first, second, request, context);
}

}  // namespace fitup
