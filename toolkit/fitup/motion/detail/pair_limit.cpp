#include <fitup/motion/detail/pair_limit.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include <fitup/query/middles.h>
#include <fitup/query/penetration.h>
#include <fitup/query/verdict.h>

namespace fitup::detail {
namespace {

/// Raises the limit's `overlap` to that of the pair, if that is deeper than `deeperThan`.
void findOverlap(PairLimit& limit, const MovingPair& pair, double deeperThan, double accuracy,
                 QueryContext& context, const QueryLimits& limits) {
  PenetrationRequest request;
  request.limits = limits;
  request.deeperThan = deeperThan;
  request.accuracy = accuracy;
  const PenetrationReport found = penetration(pair.first, pair.second, request, context);
  if (found.depth() <= limit.overlap) return;
  limit.overlap = found.depth();
  limit.deepest = found.regions.front().point;
}

/// For searches whose only limits are to be cancelled and to be looked at.
std::function<bool()> stopOf(const QueryLimits& limits) {
  return [&limits] {
    if (limits.onLook) limits.onLook();
    return limits.cancel.stop_requested();
  };
}

/// Sum of the chord errors of both parts, as far as they are known.
double chordErrors(const MovingPair& pair) {
  double sum = 0;
  for (const PosedSolid* posed : {&pair.first, &pair.second})
    if (posed->solid->mesh().deflection())
      sum += deflectionInWorld(posed->solid->mesh(), posed->worldFromPart);
  return sum;
}

}  // namespace

PairLimit PairLimit::atReference(const MovingPair& pair, double tolerance, std::optional<double> resolution,
                                 QueryContext& context, const QueryLimits& limits) {
  PairLimit limit;
  limit.tolerance = limit.depth = tolerance;
  limit.resolution = std::clamp(resolution.value_or(tolerance / 4), 0x1p-20 * tolerance, tolerance / 4);
  limit.keepsApart = mayPierce(pair.first, pair.second, tolerance);
  if (pair.boxDistance > 0) return limit;
  const double errors = std::max(chordErrors(pair), tolerance / 2);
  findOverlap(limit, pair, std::max(tolerance - errors, tolerance / 4), tolerance / 8, context, limits);
  if (limit.overlap > 0) limit.depth = std::max(tolerance, limit.overlap + errors);
  return limit;
}

void PairLimit::admit(const MovingPair& pair, bool isReference, QueryContext& context,
                      const QueryLimits& limits) {
  if (pair.boxDistance > 0) return;
  if (!isReference &&
      isDeeper(pair, depth - resolution, resolution / 4, true, context, limits).value_or(true)) {
    resolution = std::min(resolution, tolerance / 16);
    findOverlap(*this, pair, depth - tolerance / 2, tolerance / 64, context, limits);
    depth = std::max(depth, overlap + tolerance / 8);
  }
  // Bodies that start near a middle get a finer resolution. What starts at one is at its limit already.
  for (double r = resolution; keepsApart; r /= 4)
    if (keepsOffMiddles(pair, r, limits)) {
      resolution = r;
      break;
    } else if (r < resolution / 1000) {
      keepsApart = false;
      const VerdictReport now = verdict(
          pair.first, pair.second, {.tolerance = tolerance, .regions = false, .limits = limits}, context);
      mayPierceUnseen = now.regions.empty() || !now.regions.front().pierced;
    }
}

std::optional<bool> PairLimit::isDeeper(const MovingPair& pair, double than, double accuracy, bool cores,
                                        QueryContext& context, const QueryLimits& limits) {
  PenetrationRequest request;
  request.accuracy = accuracy;
  request.deeperThan = than - accuracy;
  request.regions = false;
  request.enclosedCores = cores;
  request.limits = limits;
  const PenetrationReport report = penetration(pair.first, pair.second, request, context);
  if (report.regions.empty() && report.status != ReportStatus::complete) return std::nullopt;
  return !report.regions.empty();
}

bool PairLimit::keepsOffMiddles(const MovingPair& pair, double clearance, const QueryLimits& limits) const {
  const std::function<bool()> stop = stopOf(limits);
  const double kept = clearance + pair.rounding;
  const PosedSolid *source = &pair.first, *target = &pair.second;
  if (asksSecondFirst_) std::swap(source, target);
  if (keepsOffMiddle(*source, *target, tolerance, kept, stop)) return true;
  if (!keepsOffMiddle(*target, *source, tolerance, kept, stop)) return false;
  asksSecondFirst_ = !asksSecondFirst_;
  return true;
}

bool PairLimit::keepsAlong(const MovingPair& pair, const Transform& firstAtEnd, const RigidPath::Stretch& way,
                           double length, double margin, std::size_t maxPieces, DepthAlong* kept,
                           const QueryLimits& limits) const {
  const UniformMotion motion{firstAtEnd, way.centre, way.turn, way.shift};
  const bool keepsDepth = kept != nullptr ? kept->keeps(pair.first, pair.second, motion, depth - margin,
                                                        pair.rounding, maxPieces, stopOf(limits))
                                          : keepsDepthAlong(pair.first, pair.second, motion, depth - margin,
                                                            pair.rounding, maxPieces, stopOf(limits));
  return keepsDepth && (!keepsApart || keepsOffMiddles(pair, length + margin, limits));
}

PairLimit::Apart PairLimit::marginApart(const MovingPair& pair, double enough, QueryContext& context,
                                        std::size_t& looks, const QueryLimits& limits) const {
  // Thin bodies that are apart may reach each other's middle once they touch.
  const double beyondContact = keepsApart ? 0 : depth;
  if (pair.boxDistance > 0 && pair.boxDistance + beyondContact > enough)
    return {pair.boxDistance + beyondContact};
  ++looks;
  // Beyond the depth limit plus the r / 2 by which it may be exceeded here, neither body is inside the other,
  // because the depth would be larger.
  const double inside = 1.25 * depth;
  const double far = std::max(enough - beyondContact, inside) + 4 * pair.rounding;
  DistanceRequest near;
  near.coherence = Coherence::on;
  if (far < std::numeric_limits<double>::infinity()) near.ignoreBeyond = far;
  near.limits = limits;
  const DistanceReport found = distance(pair.first.posedPart(), pair.second.posedPart(), near, context);
  if (found.status != ReportStatus::complete) return {0};
  if (!found.nearest) return {far - pair.rounding + beyondContact};
  const double d = found.distance() - pair.rounding;
  if (d > inside) return {d + beyondContact};
  return {{}, d};
}

double PairLimit::marginInContact(const MovingPair& pair, double distance, QueryContext& context,
                                  const QueryLimits& limits) const {
  const auto isKept = [&](double margin) {
    return isDeeper(pair, depth - margin, resolution / 4, false, context, limits) == false &&
           (!keepsApart || distance >= margin || keepsOffMiddles(pair, margin, limits));
  };
  for (const double share : {0.5, 0.25})
    if (share * tolerance > resolution && isKept(share * tolerance)) return share * tolerance;
  return isKept(resolution) ? resolution : 0;
}

Slab thinnestSlab(const Transform& a, const std::array<Vec3, 8>& ofA, const Transform& b,
                  const std::array<Vec3, 8>& ofB) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Slab slab{far, {}};
  for (const Transform* frame : {&a, &b})
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& m = frame->m;
      const Vec3 n = normalized(Vec3{m[0][axis], m[1][axis], m[2][axis]});
      double minA = far, maxA = -far, minB = far, maxB = -far;
      for (std::size_t i = 0; i < 8; ++i) {
        minA = std::min(minA, dot(n, ofA[i]));
        maxA = std::max(maxA, dot(n, ofA[i]));
        minB = std::min(minB, dot(n, ofB[i]));
        maxB = std::max(maxB, dot(n, ofB[i]));
      }
      const double h = std::min(maxA - minB, maxB - minA);
      if (h < slab.overlap) slab = {h, n};
    }
  return slab;
}

}  // namespace fitup::detail
