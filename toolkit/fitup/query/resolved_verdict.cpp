#include <fitup/query/resolved_verdict.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/mesh/local_refinement.h>
#include <fitup/query/detail/stretch.h>
#include <fitup/query/distance.h>
#include <fitup/query/nearness.h>

namespace fitup {
namespace {

/// The chord errors of refined surfaces, in shares of the tolerance. The first decides most pairs.
constexpr double coarseShare = 1.0 / 8, fineShare = 1.0 / 64;

/// No part gets more triangles.
constexpr std::size_t mostTriangles = 300'000;
/// Near triangles are divided in steps to this share of their chord error: what is near becomes less.
constexpr double stepShare = 1.0 / 16;

/// One part, as finely as it is divided.
struct FinerPart {
  PosedSolid posed;
  bool isFirst;
  std::unique_ptr<ChordErrors> errors{};
  std::set<SurfaceId> exactly{};  ///< faces for which the exact shape was asked
  /// And to which chord error at last.
  double askedFor = std::numeric_limits<double>::infinity();
  /// The chord error of the near triangles before they were divided last.
  std::optional<double> lastError{};

  void take(std::shared_ptr<const SolidModel> solid) {
    errors.reset();
    posed.solid = std::move(solid);
  }
  ChordErrors& chordErrors() {
    if (!errors) errors = std::make_unique<ChordErrors>(posed.solid->mesh(), posed.solid->topology());
    return *errors;
  }
  [[nodiscard]] double stretch() const { return detail::stretchOf(posed.worldFromPart); }
  [[nodiscard]] double largestError() const { return largestChordError(posed.posed()); }
};

/// Decides one pair.
class Resolver {
 public:
  Resolver(const VerdictRequest& request, const FinerShapes& finer, QueryContext& context)
      : request_(request), finer_(finer), context_(context), progress_(request.limits.cancel) {}

  /// Replaces the solids by finer ones if needed.
  VerdictReport decide(JudgedSolids& solids) {
    FinerPart a{solids.first, true}, b{solids.second, false};
    VerdictReport report = decide(a, b);
    solids = {std::move(a.posed), std::move(b.posed)};
    return report;
  }

 private:
  VerdictReport decide(FinerPart& a, FinerPart& b) {
    VerdictReport report = verdict(a.posed, b.posed, request_, context_);
    const double tolerance = report.tolerance;
    const double most = a.largestError() + b.largestError();
    if (most == 0 || isSettled(report)) return report;
    if (isDeeper(report, most)) {
      report.chordError = most;
      return report;
    }
    const double least = 4 * coordinateRounding(a.posed, b.posed);
    const std::array targets{std::max(coarseShare * tolerance, least),
                             std::max(fineShare * tolerance, least)};
    std::optional<NearTriangles> near = nearTrianglesOf(a, b, report);
    for (std::size_t next = 0;;) {
      if (!near)
        return undecided(std::move(report), "a limit ended the search; a larger time budget would decide it");
      const double error = report.chordError = near->error();
      while (next < targets.size() && error <= targets[next]) ++next;
      const bool isFinest = next == targets.size();
      if (error == 0 || isCertain(a.posed, b.posed, report, isFinest))
        return withBound(a, b, std::move(report));
      if (isFinest) return undecided(std::move(report), limitText(error));
      std::string problem;
      bool isFiner = false;
      const double goal = std::max(targets[next], std::min(enoughFor(report), error / 4));
      while (near && near->error() > goal && divide(a, b, *near, goal, problem)) {
        isFiner = true;
        near = nearTrianglesOf(a, b, report);
      }
      if (!problem.empty()) return undecided(std::move(report), "it could not be refined: " + problem);
      if (!isFiner) return undecided(std::move(report), openText(a, b, near.value_or(NearTriangles{})));
      if (!near) continue;
      // Most refined pairs are in contact.
      if (auto contact = certainContact(a.posed, b.posed, tolerance, near->error())) return *contact;
      report = verdict(a.posed, b.posed, request_, context_);
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
  [[nodiscard]] VerdictReport withBound(FinerPart& a, FinerPart& b, VerdictReport report) const {
    std::optional<double> within;
    if (report.verdict == Verdict::clear) within = report.distance;
    if (report.verdict == Verdict::clash && report.depth) within = *report.depth + report.depthErrorBound;
    if (!within) return report;
    ReportStatus status{};
    const NearTriangles near = nearTriangles(a.posed.posed(), b.posed.posed(), *within, request_.limits,
                                             a.chordErrors(), b.chordErrors(), status);
    report.chordError = status == ReportStatus::complete ? near.error() : a.largestError() + b.largestError();
    return report;
  }

  /// Empty if a limit ended the search; `report` then has its status.
  std::optional<NearTriangles> nearTrianglesOf(FinerPart& a, FinerPart& b, VerdictReport& report) const {
    NearTriangles near = nearTriangles(a.posed.posed(), b.posed.posed(), report.tolerance, request_.limits,
                                       a.chordErrors(), b.chordErrors(), report.status);
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

  /// Makes the near triangles of both parts finer, by one step. Returns false if that is not possible.
  bool divide(FinerPart& a, FinerPart& b, const NearTriangles& near, double target,
              std::string& problem) const {
    const bool isFirstFiner = divide(a, near.a, near.errorA, target / 2, problem);
    return divide(b, near.b, near.errorB, target / 2, problem) || isFirstFiner;
  }
  bool divide(FinerPart& side, const std::vector<TriangleId>& near, double error, double target,
              std::string& problem) const {
    if (!finer_.isAllowed || !problem.empty() || !(error > target)) return false;
    std::vector<TriangleId> coarse;
    for (const TriangleId id : near)
      if (side.stretch() * side.chordErrors().of(id) > target) coarse.push_back(id);
    try {
      // Where dividing did not help, closed forms do not say what the exact shape is.
      const bool isStuck = side.lastError && error > *side.lastError / 2;
      side.lastError = error;
      if (isStuck && offCorners(side, coarse) > target / 4) return false;
      const double step = std::max(target, stepShare * error);
      if (askFor(side, facesToAskFor(side, coarse, target, isStuck), step)) return true;
      if (isStuck) return false;
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
  static std::set<SurfaceId> facesToAskFor(FinerPart& side, const std::vector<TriangleId>& triangles,
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
  bool askFor(FinerPart& side, const std::set<SurfaceId>& faces, double target) const {
    if (!finer_.exactShapes || faces.empty()) return false;
    target = std::min(target, side.askedFor);
    if (side.askedFor == target && std::ranges::includes(side.exactly, faces)) return false;
    side.exactly.insert(faces.begin(), faces.end());
    side.askedFor = target;
    const std::vector<SurfaceId> all(side.exactly.begin(), side.exactly.end());
    std::shared_ptr<const SolidModel> solid = finer_.exactShapes(side.isFirst, all, target / side.stretch());
    if (!solid) return false;
    side.take(std::move(solid));
    side.lastError.reset();
    return true;
  }

  /// By how much the file's own points are off its surfaces.
  static double offCorners(FinerPart& side, const std::vector<TriangleId>& triangles) {
    double off = 0;
    for (const TriangleId id : triangles) off = std::max(off, side.chordErrors().ofCorners(id));
    return side.stretch() * off;
  }

  /// Why what is known of the shapes leaves the verdict open.
  static std::string openText(FinerPart& a, FinerPart& b, const NearTriangles& near) {
    const double ofCorners = std::max(offCorners(a, near.a), offCorners(b, near.b));
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
  Progress progress_;
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
