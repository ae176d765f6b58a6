#include <fitup/query/resolved_verdict.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/query/detail/pair_refiner.h>
#include <fitup/query/distance.h>
#include <fitup/query/nearness.h>

namespace fitup {
namespace {

/// The chord errors of refined surfaces, in shares of the tolerance. The first decides most pairs.
constexpr double coarseShare = 1.0 / 8, fineShare = 1.0 / 64;
/// About the largest number of triangles that are made for nothing but accurate lengths.
constexpr double usualTriangles = 10'000;

/// Decides one pair.
class Resolver {
 public:
  Resolver(const VerdictRequest& request, const FinerShapes& finer, QueryContext& context)
      : request_(request), finer_(finer), context_(context) {}

  /// Replaces the solids by finer ones if needed.
  VerdictReport decide(JudgedSolids& solids) {
    detail::PairRefiner pair(solids.first, solids.second, finer_, request_.limits);
    VerdictReport report = decide(pair);
    solids = {std::move(pair.a.posed), std::move(pair.b.posed)};
    return report;
  }

 private:
  VerdictReport decide(detail::PairRefiner& pair) {
    const PosedSolid &first = pair.a.posed, &second = pair.b.posed;
    VerdictReport report = verdict(first, second, request_, context_);
    const double tolerance = report.tolerance;
    const double most = pair.largestError();
    if (most == 0 || isSettled(report)) return report;
    if (isDeeper(report, most)) return withBound(pair, std::move(report));
    const double least = 4 * coordinateRounding(first, second);
    const std::array targets{std::max(coarseShare * tolerance, least),
                             std::max(fineShare * tolerance, least)};
    std::optional<NearTriangles> near = pair.near(tolerance, report.status);
    for (std::size_t next = 0;;) {
      if (!near)
        return undecided(std::move(report), "a limit ended the search; a larger time budget would decide it");
      const double error = report.chordError = near->error();
      while (next < targets.size() && error <= targets[next]) ++next;
      const bool isFinest = next == targets.size();
      if (error == 0 || isCertain(first, second, report, isFinest)) return withBound(pair, std::move(report));
      if (isFinest) return undecided(std::move(report), limitText(error));
      const double goal = std::max(targets[next], std::min(enoughFor(report), error / 4));
      const bool isFiner = pair.refine(near, tolerance, goal, report.status);
      if (!pair.problem.empty())
        return undecided(std::move(report), "it could not be refined: " + pair.problem);
      if (!isFiner) return undecided(std::move(report), openText(pair, near.value_or(NearTriangles{})));
      if (!near) continue;
      // Most refined pairs are in contact.
      if (auto contact = certainContact(first, second, tolerance, near->error())) return *contact;
      report = verdict(first, second, request_, context_);
      if (isSettled(report)) return report;
    }
  }

  /// True if chord errors are not what leaves the verdict open.
  static bool isSettled(const VerdictReport& report) {
    return report.verdict == Verdict::undecided || report.isOpen();
  }
  /// True for a clash that is deeper than the tolerance by more than the chord errors.
  static bool isDeeper(const VerdictReport& report, double error) {
    return report.verdict == Verdict::clash && report.depth && *report.depth - error > report.tolerance &&
           std::ranges::none_of(report.regions, &PenetrationRegion::pierced);
  }

  /// The chord error at which a clash or a clear pair is probably certain: half of what separates it from the
  /// tolerance. 0 for contacts.
  static double enoughFor(const VerdictReport& report) {
    if (report.verdict == Verdict::clash && report.depth) return 0.5 * (*report.depth - report.tolerance);
    if (report.verdict == Verdict::clear && report.distance)
      return 0.5 * (*report.distance - report.tolerance);
    return 0;
  }

  /// For depths and distances above the tolerance, triangles count that are as far from the other part: the
  /// deepest point, and its nearest one, are no farther from it than that.
  static std::optional<double> reachOf(const VerdictReport& report) {
    if (report.verdict == Verdict::clear) return report.distance;
    if (report.verdict == Verdict::clash && report.depth) return *report.depth + report.depthErrorBound;
    return std::nullopt;
  }

  /// The verdict, which is certain, with lengths that are known to a share of the tolerance or of themselves,
  /// as far as closed forms make that possible.
  [[nodiscard]] VerdictReport withBound(detail::PairRefiner& pair, VerdictReport report) const {
    const std::optional<double> within = reachOf(report);
    if (!within) return report;
    ReportStatus status{};
    std::optional<NearTriangles> near = pair.near(*within, status);
    report.chordError = near ? near->error() : pair.largestError();
    pair.usesExactShapes = false;
    double goal = std::max(coarseShare * report.tolerance, fineShare * *within);
    // The verdict is certain, so it need not take long: triangles become about as many more as the error
    // less.
    if (near)
      goal = std::max(goal,
                      near->error() * static_cast<double>(near->a.size() + near->b.size()) / usualTriangles);
    if (near && near->error() > 2 * goal && pair.refine(near, *within, goal, status)) {
      VerdictReport finer = verdict(pair.a.posed, pair.b.posed, request_, context_);
      const std::optional<double> reach = reachOf(finer);
      if (finer.verdict == report.verdict && !finer.isOpen() && reach) {
        report = std::move(finer);
        near = pair.near(*reach, status);
        report.chordError = near ? near->error() : pair.largestError();
      }
    }
    return report;
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

  /// Why what is known of the shapes leaves the verdict open.
  static std::string openText(detail::PairRefiner& pair, const NearTriangles& near) {
    const double ofCorners = pair.offCorners(near);
    if (ofCorners > near.error() / 4)
      return "the points of the file are off the surfaces of its faces by up to " +
             numberText(roundedUp(ofCorners)) +
             ", which leaves the verdict at this tolerance open; a more accurate file would decide it";
    return "at this tessellation, depths and distances may be off by " + numberText(roundedUp(near.error())) +
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
  const FinerShapes& finer_;
  QueryContext& context_;
};

}  // namespace

VerdictReport resolvedVerdict(const PosedSolid& first, const PosedSolid& second,
                              const VerdictRequest& request, const FinerShapes& finer, QueryContext& context,
                              JudgedSolids* judged) {
  requireSolids(first, second);
  if (!request.tolerance) throw InputError("verdict", "tolerance", "is not given");
  JudgedSolids solids{first, second};
  VerdictReport report = Resolver(request, finer, context).decide(solids);
  if (judged != nullptr) *judged = std::move(solids);
  return report;
}

}  // namespace fitup
