#include <fitup/query/resolved_verdict.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/query/detail/stretch.h>
#include <fitup/query/distance.h>

namespace fitup {
namespace {

/// The chord errors of refined surfaces, in shares of the tolerance. The first decides most pairs.
constexpr double coarseShare = 1.0 / 8, fineShare = 1.0 / 64;

double largestErrorOf(const PosedModel& posed) {
  double largest = 0;
  for (std::uint32_t i = 0; i < posed.model->mesh().surfaces().size(); ++i)
    largest = std::max(largest, chordErrorInWorld(posed, SurfaceId(i)));
  return largest;
}
/// Both in one.
double largestErrorOf(const PosedSolid& first, const PosedSolid& second) {
  return largestErrorOf(first.posedPart()) + largestErrorOf(second.posedPart());
}

/// Decides one pair.
class Resolver {
 public:
  Resolver(const VerdictRequest& request, const RefineSolid& refine, QueryContext& context)
      : request_(request), refine_(refine), context_(context) {}

  /// Replaces the solids by finer ones if needed.
  VerdictReport decide(PosedSolid& first, PosedSolid& second) {
    VerdictReport report = verdict(first, second, request_, context_);
    const double tolerance = report.tolerance;
    const double most = largestErrorOf(first, second);
    if (most == 0 || isSettled(report)) return report;
    if (isDeeper(report, most)) {
      report.chordError = most;
      return report;
    }
    const double least = 4 * coordinateRounding(first, second);
    const std::array targets{std::max(coarseShare * tolerance, least),
                             std::max(fineShare * tolerance, least)};
    std::optional<NearSurfaces> near = nearSurfacesOf(first, second, report);
    for (std::size_t next = 0;; ++next) {
      if (!near)
        return undecided(std::move(report), "a limit ended the search; a larger time budget would decide it");
      const double error = report.chordError = near->error();
      while (next < targets.size() && error <= targets[next]) ++next;
      const bool isFinest = next == targets.size();
      if (error == 0 || isCertain(first, second, report, isFinest))
        return withBound(first, second, std::move(report));
      if (isFinest && error <= targets[1]) return undecided(std::move(report), limitText(error));
      if (isFinest) return undecided(std::move(report), openText(error));
      std::string problem;
      const bool isFirstFiner = refine(first, near->a, refinedA_, true, targets[next] / 2, problem);
      const bool isSecondFiner = refine(second, near->b, refinedB_, false, targets[next] / 2, problem);
      if (!problem.empty()) return undecided(std::move(report), "it could not be refined: " + problem);
      if (!isFirstFiner && !isSecondFiner) return undecided(std::move(report), openText(error));
      near = nearSurfacesOf(first, second, report);
      if (!near) continue;
      // Most refined pairs are in contact.
      if (auto contact = certainContact(first, second, tolerance, near->error())) return *contact;
      report = verdict(first, second, request_, context_);
      if (isSettled(report)) return report;
    }
  }

 private:
  /// True if chord errors are not what leaves the verdict open.
  static bool isSettled(const VerdictReport& report) {
    return report.verdict == Verdict::undecided || report.isOpen();
  }
  /// True for a clash that is deeper than the tolerance by more than the chord errors.
  static bool isDeeper(const VerdictReport& report, double error) {
    return report.verdict == Verdict::clash && report.depth && *report.depth - error > report.tolerance &&
           std::ranges::none_of(report.regions, &PenetrationRegion::pierced);
  }

  /// For depths and distances above the tolerance, surfaces count that are as far from the other part: the
  /// deepest point, and its nearest one, are no farther from it than that.
  [[nodiscard]] VerdictReport withBound(const PosedSolid& first, const PosedSolid& second,
                                        VerdictReport report) const {
    std::optional<double> within;
    if (report.verdict == Verdict::clear) within = report.distance;
    if (report.verdict == Verdict::clash && report.depth) within = *report.depth + report.depthErrorBound;
    if (!within) return report;
    ReportStatus status{};
    const NearSurfaces near =
        nearSurfaces(first.posedPart(), second.posedPart(), *within, request_.limits, context_, status);
    report.chordError = status == ReportStatus::complete ? near.error() : largestErrorOf(first, second);
    return report;
  }

  /// Empty if a limit ended the search; `report` then has its status.
  std::optional<NearSurfaces> nearSurfacesOf(const PosedSolid& first, const PosedSolid& second,
                                             VerdictReport& report) const {
    NearSurfaces near = nearSurfaces(first.posedPart(), second.posedPart(), report.tolerance, request_.limits,
                                     context_, report.status);
    if (report.status != ReportStatus::complete) return std::nullopt;
    return near;
  }

  /// The verdict if the exact shapes are in contact because the triangles are in contact at a tolerance that
  /// is smaller by the chord errors. What reaches the middle of a wall between the two tolerances is deeper
  /// than that.
  [[nodiscard]] std::optional<VerdictReport> certainContact(const PosedSolid& first, const PosedSolid& second,
                                                            double tolerance, double error) const {
    VerdictRequest request = request_;
    request.tolerance = tolerance - error;
    if (!(*request.tolerance >= minimumTolerance(first, second))) return std::nullopt;
    VerdictReport report = verdict(first, second, request, context_);
    if (report.verdict != Verdict::contact || report.isOpen()) return std::nullopt;
    report.tolerance = tolerance;
    report.chordError = error;
    return report;
  }

  [[nodiscard]] VerdictReport at(const PosedSolid& first, const PosedSolid& second, double tolerance) const {
    VerdictRequest request = request_;
    request.tolerance = tolerance;
    request.regions = false;
    request.overlaps = false;
    request.measureDistance = false;
    return verdict(first, second, request, context_);
  }

  /// True if the exact shapes have the verdict of the triangles.
  [[nodiscard]] bool isCertain(const PosedSolid& first, const PosedSolid& second, const VerdictReport& report,
                               bool isFinest) const {
    const double error = report.chordError;
    switch (report.verdict) {
      case Verdict::clash: {
        if (isDeeper(report, error)) return true;
        const bool isPierced = std::ranges::any_of(
            report.regions, [](const PenetrationRegion& r) { return r.pierced || r.coincident; });
        if (isPierced) return isFinest && report.depth && error <= *report.depth / 4;
        if (request_.regions) return false;
        // Without regions, the depth is that of any point.
        const VerdictReport deeper = at(first, second, report.tolerance + error);
        return deeper.verdict == Verdict::clash && !deeper.isOpen() &&
               std::ranges::none_of(deeper.regions, &PenetrationRegion::pierced);
      }
      case Verdict::contact:
        return !(report.distance && *report.distance > report.tolerance - error) &&
               certainContact(first, second, report.tolerance, error).has_value();
      case Verdict::clear: {
        DistanceRequest near;
        near.ignoreBeyond = report.tolerance + error;
        near.limits = request_.limits;
        near.limits.maxPairs.reset();
        const DistanceReport found = distance(first.posedPart(), second.posedPart(), near, context_);
        return found.status == ReportStatus::complete && !(found.distance() <= *near.ignoreBeyond);
      }
      case Verdict::undecided:
        break;
    }
    return true;
  }

  /// Refines the surfaces whose chord errors exceed `target`, and again those that were refined before: with
  /// coarser triangles they might matter again. Returns true if there were any.
  bool refine(PosedSolid& posed, const std::vector<SurfaceId>& near, std::set<SurfaceId>& refined,
              bool isFirst, double target, std::string& problem) const {
    if (!refine_ || !problem.empty()) return false;
    bool isCoarse = false;
    for (const SurfaceId surface : near)
      if (chordErrorInWorld(posed.posedPart(), surface) > target) {
        isCoarse = true;
        refined.insert(surface);
      }
    if (!isCoarse) return false;
    try {
      const std::vector<SurfaceId> faces(refined.begin(), refined.end());
      std::shared_ptr<const SolidModel> finer =
          refine_(isFirst, faces, target / detail::stretchOf(posed.worldFromPart));
      if (!finer) return false;
      posed.solid = std::move(finer);
      return true;
    } catch (const CancelledError&) {
      throw;
    } catch (const Error& error) {
      problem = error.what();
      return false;
    }
  }

  static std::string openText(double error) {
    return "at this tessellation, depths and distances may be off by " + numberText(roundedUp(error)) +
           ", which leaves the verdict at this tolerance open; a finer tessellation would decide it";
  }

  static std::string limitText(double error) {
    return "the depth or the distance differs from the tolerance by less than the chord errors of the finest "
           "tessellation, " +
           numberText(roundedUp(error)) + "; another tolerance would decide it";
  }

  /// Leaves out what is not known of the exact shapes.
  static VerdictReport undecided(VerdictReport report, std::string reason) {
    VerdictReport result;
    result.verdict = Verdict::undecided;
    result.undecidedBecause = std::move(reason);
    result.tolerance = report.tolerance;
    result.chordError = report.chordError;
    result.depthIsLowerBound = report.depthIsLowerBound;
    result.status = report.status;
    return result;
  }

  const VerdictRequest& request_;
  const RefineSolid& refine_;
  QueryContext& context_;
  std::set<SurfaceId> refinedA_, refinedB_;  ///< of the first and the second part
};

}  // namespace

double chordErrorInWorld(const PosedModel& posed, SurfaceId surface) {
  return posed.model->mesh().chordErrorOf(surface).value_or(0) * detail::stretchOf(posed.worldFromPart);
}

NearSurfaces nearSurfaces(const PosedModel& first, const PosedModel& second, double within,
                          const QueryLimits& limits, QueryContext& context, ReportStatus& status) {
  DistanceRequest request;
  request.limits = limits;
  request.limits.maxPairs.reset();
  const double reach = within + largestErrorOf(first) + largestErrorOf(second);
  const SurfaceDistanceReport found = surfacePairsWithin(first, second, reach, request, context);
  status = std::max(status, found.status);
  std::set<SurfaceId> a, b;
  NearSurfaces near;
  for (const NearestPair& pair : found.pairs) {
    const double errorA = chordErrorInWorld(first, pair.surfaces.a),
                 errorB = chordErrorInWorld(second, pair.surfaces.b);
    if (pair.distance > within + errorA + errorB) continue;
    a.insert(pair.surfaces.a);
    b.insert(pair.surfaces.b);
    near.errorA = std::max(near.errorA, errorA);
    near.errorB = std::max(near.errorB, errorB);
  }
  near.a.assign(a.begin(), a.end());
  near.b.assign(b.begin(), b.end());
  return near;
}

VerdictReport resolvedVerdict(const PosedSolid& first, const PosedSolid& second,
                              const VerdictRequest& request, const RefineSolid& refine, QueryContext& context,
                              JudgedSolids* judged) {
  requireSolids(first, second);
  if (!request.tolerance) throw InputError("verdict", "tolerance", "is not given");
  JudgedSolids solids{first, second};
  VerdictReport report = Resolver(request, refine, context).decide(solids.first, solids.second);
  if (judged != nullptr) *judged = std::move(solids);
  return report;
}

}  // namespace fitup
