#include <fitup/scene/clearance.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/query/resolved_distance.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup/scene/naming_instances.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

/// A pair of instances, by position in a list of placed ones, and a lower bound of their distance.
struct Candidate {
  std::uint32_t first, second;
  double atLeast;
};

/// Measures one pair after the other; keeps the limits, counts and errors of all of them.
class Measuring {
 public:
  Measuring(const Scene& scene, const Poses& poses, const DistanceRequest& request, const Progress& progress,
            const std::optional<ExactDistances>& exact)
      : scene_(scene),
        poses_(poses),
        request_(request),
        exact_(exact),
        progress_(progress),
        begin_(Clock::now()) {
    scene.requireInstances(poses);
    if (!request_.limits.cancel.stop_possible()) request_.limits.cancel = progress.stopToken();
  }

  void place(NodeId node) {
    placed_.push_back(placedInstance(scene_.assembly(), node, scene_.worldFromPart(node, poses_)));
  }
  [[nodiscard]] const std::vector<PlacedInstance>& placed() const noexcept { return placed_; }
  [[nodiscard]] bool hasTriangles(std::uint32_t i) const { return !placed_[i].worldBox.empty(); }
  [[nodiscard]] Candidate candidate(std::uint32_t i, std::uint32_t j) const {
    return {i, j, boxDistance(placed_[i], placed_[j])};
  }

  /// Measures one pair; false if the whole search must end.
  template <typename Query>
  bool measure(const Candidate& pair, DistanceRequest request, Query&& query) {
    if (progress_.cancelled()) return end(ReportStatus::cancelled);
    if (request_.limits.timeBudget)
      request.limits.timeBudget =
          std::max(std::chrono::nanoseconds{0}, *request_.limits.timeBudget - (Clock::now() - begin_));
    const PlacedInstance &a = placed_[pair.first], &b = placed_[pair.second];
    if (!scene_.hasAllModels()) {
      const std::array parts{scene_.assembly().partOf(a.node), scene_.assembly().partOf(b.node)};
      try {
        scene_.prepareModels(parts, progress_);
      } catch (const CancelledError&) {
        return end(ReportStatus::cancelled);
      }
    }
    const PosedModel first{borrowed(scene_.modelOf(a.node)), a.worldFromPart},
        second{borrowed(scene_.modelOf(b.node)), b.worldFromPart};
    ++report_.measuredPairs;
    const auto [status, stats] = namingInstances(scene_.assembly(), a.node, b.node,
                                                 [&] { return query(first, second, request, context_); });
    report_.stats += stats;
    return status == ReportStatus::complete || end(status);
  }
  /// Measures the exact shapes of one pair; `found` is empty if they are farther apart than `within`. False
  /// if the whole search must end.
  bool measureExact(const Candidate& pair, std::optional<double> within,
                    std::optional<InstanceDistance>& found) {
    if (progress_.cancelled()) return end(ReportStatus::cancelled);
    QueryLimits limits = request_.limits;
    if (limits.timeBudget)
      limits.timeBudget =
          std::max(std::chrono::nanoseconds{0}, *request_.limits.timeBudget - (Clock::now() - begin_));
    const PlacedInstance &a = placed_[pair.first], &b = placed_[pair.second];
    try {
      scene_.prepareSolids(std::array{scene_.assembly().partOf(a.node), scene_.assembly().partOf(b.node)},
                           progress_);
      ++report_.measuredPairs;
      const ResolvedDistance answer = namingInstances(scene_.assembly(), a.node, b.node, [&] {
        return resolvedDistance({borrowed(scene_.solidOf(a.node)), a.worldFromPart},
                                {borrowed(scene_.solidOf(b.node)), b.worldFromPart}, exact_->accuracy, within,
                                finerShapes(scene_, a.node, b.node, true, exact_->refinement, progress_),
                                limits, context_);
      });
      if (answer.status != ReportStatus::complete) return end(answer.status);
      if (answer.nearest)
        found = InstanceDistance{
            a.node, b.node, *answer.nearest, answer.error.chordError, answer.error.rounding, answer.problem};
      return true;
    } catch (const CancelledError&) {
      return end(ReportStatus::cancelled);
    }
  }
  [[nodiscard]] const std::optional<ExactDistances>& exact() const noexcept { return exact_; }
  /// By how much the exact shapes of any two instances may be nearer than their triangles.
  [[nodiscard]] double largestChordErrors() const {
    double largest = 0;
    if (exact_)
      for (const PlacedInstance& p : placed_) {
        const TriangleMesh& mesh = scene_.assembly().meshOf(p.node);
        if (mesh.deflection()) largest = std::max(largest, deflectionInWorld(mesh, p.worldFromPart));
      }
    return 2 * largest;
  }
  void add(const Candidate& pair, const NearestPair& nearest) {
    report_.pairs.push_back({placed_[pair.first].node, placed_[pair.second].node, nearest});
  }
  void progress(double fraction) const { progress_.report("measuring", fraction); }
  [[nodiscard]] const DistanceRequest& request() const noexcept { return request_; }
  [[nodiscard]] ClearanceReport& report() noexcept { return report_; }
  ClearanceReport finish(ClearanceDetail detail) {
    if (!exact_)
      for (InstanceDistance& pair : report_.pairs) addError(pair, detail);
    std::sort(report_.pairs.begin(), report_.pairs.end(),
              [](const InstanceDistance& p, const InstanceDistance& q) {
                return std::tuple(p.a, p.b, p.nearest.surfaces) < std::tuple(q.a, q.b, q.nearest.surfaces);
              });
    report_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
    return std::move(report_);
  }

 private:
  void addError(InstanceDistance& pair, ClearanceDetail detail) {
    const PosedModel first = scene_.posed(pair.a, poses_), second = scene_.posed(pair.b, poses_);
    if (report_.status != ReportStatus::complete) {
      pair.rounding = lengthRounding(first, second);
      return;
    }
    QueryLimits limits;
    limits.cancel = request_.limits.cancel;
    const DistanceError error = detail == ClearanceDetail::surfaces
                                    ? distanceError(first, second, pair.nearest.surfaces)
                                    : distanceError(first, second, pair.nearest.distance, limits, context_);
    pair.chordError = error.chordError;
    pair.rounding = error.rounding;
  }
  bool end(ReportStatus status) {
    report_.status = status;
    return false;
  }

  const Scene& scene_;
  const Poses& poses_;
  DistanceRequest request_;
  std::optional<ExactDistances> exact_;
  const Progress& progress_;
  Clock::time_point begin_;
  std::vector<PlacedInstance> placed_;
  QueryContext context_;
  ClearanceReport report_;
};

/// Places both groups in order; the position of an instance is its place in that order.
void placeGroups(Measuring& measuring, const Assembly& assembly, std::span<const NodeId> first,
                 std::span<const NodeId> second) {
  const std::set<NodeId> others(second.begin(), second.end());
  for (const NodeId node : first) {
    if (others.contains(node))
      throw InputError("distance", "instance '" + assembly.path(node) + "'", "is on both sides");
    measuring.place(node);
  }
  for (const NodeId node : second) measuring.place(node);
}

/// Throws as `PairList`.
std::vector<Candidate> across(const Measuring& measuring, std::size_t firstCount, const WorkMeter& meter) {
  PairList<Candidate> all(meter);
  for (std::uint32_t i = 0; i < firstCount; ++i)
    for (auto j = static_cast<std::uint32_t>(firstCount); j < measuring.placed().size(); ++j)
      if (measuring.hasTriangles(i) && measuring.hasTriangles(j)) all.add(measuring.candidate(i, j));
  return all.take();
}

/// Pairs of instances that are near enough, found by a sweep along x. Throws as `PairList`.
std::vector<Candidate> within(const Measuring& measuring, double clearance, const WorkMeter& meter) {
  const std::vector<PlacedInstance>& placed = measuring.placed();
  // A pair is a candidate if its boxes are near enough along x.
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < placed.size(); ++i)
    if (measuring.hasTriangles(i)) order.push_back(i);
  double growth = 0, reach = 0;
  for (const std::uint32_t i : order) {
    growth = std::max(growth, placed[i].growth);
    reach = std::max(reach, placed[i].reach);
  }
  const double apart = clearance * (1 + 0x1p-40) + 4 * growth * reach;
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    return placed[i].worldBox.min.x < placed[j].worldBox.min.x;
  });
  PairList<Candidate> candidates(meter);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t l = k + 1; l < order.size(); ++l) {
      if (placed[order[l]].worldBox.min.x > placed[order[k]].worldBox.max.x + apart) break;
      const auto [i, j] = std::minmax(order[k], order[l]);
      if (const Candidate pair = measuring.candidate(i, j); pair.atLeast <= clearance)
        candidates.add(pair);
      else
        candidates.look();
    }
  return candidates.take();
}

/// The candidates that `make` lists. If it is cancelled, none, and the report says so.
template <typename Make>
std::vector<Candidate> listed(Measuring& measuring, const Make& make) {
  try {
    return make();
  } catch (const CancelledError&) {
    measuring.report().status = ReportStatus::cancelled;
    return {};
  }
}

/// Pairs whose exact shapes may be that near.
ClearanceReport listExactly(Measuring& measuring, const std::vector<Candidate>& candidates, double clearance,
                            ClearanceDetail detail) {
  if (detail != ClearanceDetail::instances)
    throw InputError("distance", "exact shapes", "are measured for pairs of instances only");
  const std::size_t most =
      measuring.request().limits.maxPairs.value_or(std::numeric_limits<std::size_t>::max());
  const double reach = clearance + measuring.largestChordErrors();
  std::size_t done = 0;
  for (const Candidate& pair : candidates) {
    std::optional<InstanceDistance> found;
    if (pair.atLeast <= reach && !measuring.measureExact(pair, clearance, found)) break;
    if (found && measuring.report().pairs.size() >= most) {
      measuring.report().status = ReportStatus::truncated;
      break;
    }
    if (found) measuring.report().pairs.push_back(std::move(*found));
    measuring.progress(static_cast<double>(++done) / static_cast<double>(candidates.size()));
  }
  return measuring.finish(detail);
}

ClearanceReport listWithin(Measuring& measuring, const std::vector<Candidate>& candidates, double clearance,
                           ClearanceDetail detail) {
  if (measuring.exact()) return listExactly(measuring, candidates, clearance, detail);
  DistanceRequest request = measuring.request();
  request.within.reset();
  request.ignoreBeyond = clearance;
  const std::size_t most = request.limits.maxPairs.value_or(std::numeric_limits<std::size_t>::max());
  std::size_t done = 0;
  for (const Candidate& pair : candidates) {
    if (pair.atLeast <= clearance) {
      std::vector<NearestPair> found;
      if (request.limits.maxPairs) request.limits.maxPairs = most - measuring.report().pairs.size();
      const bool resume =
          measuring.measure(pair, request, [&](const auto& a, const auto& b, const auto& r, auto& context) {
            if (detail == ClearanceDetail::surfaces) {
              SurfaceDistanceReport report = surfacePairsWithin(a, b, clearance, r, context);
              found = std::move(report.pairs);
              return std::pair(report.status, report.stats);
            }
            const DistanceReport report = distance(a, b, r, context);
            if (report.nearest) found.push_back(*report.nearest);
            return std::pair(report.status, report.stats);
          });
      for (const NearestPair& nearest : found) {
        if (measuring.report().pairs.size() >= most) {
          measuring.report().status = ReportStatus::truncated;
          return measuring.finish(detail);
        }
        measuring.add(pair, nearest);
      }
      if (!resume) break;
    }
    measuring.progress(static_cast<double>(++done) / static_cast<double>(candidates.size()));
  }
  return measuring.finish(detail);
}

/// Of candidates in the order of their boxes.
ClearanceReport leastExactly(Measuring& measuring, const std::vector<Candidate>& candidates) {
  ClearanceReport& report = measuring.report();
  const std::optional<double> within =
      measuring.request().within ? measuring.request().within : measuring.request().ignoreBeyond;
  const double chordErrors = measuring.largestChordErrors();
  double worst = 0;
  std::size_t done = 0;
  for (const Candidate& pair : candidates) {
    std::optional<double> nearer = within;
    if (!report.pairs.empty()) nearer = report.pairs.front().nearest.distance + worst;
    if (nearer && pair.atLeast > *nearer + chordErrors) break;
    std::optional<InstanceDistance> found;
    if (!measuring.measureExact(pair, nearer, found)) break;
    if (found) {
      worst = std::max(worst, found->chordError.value_or(0));
      if (report.pairs.empty() || found->nearest.distance < report.pairs.front().nearest.distance)
        report.pairs.assign(1, std::move(*found));
    }
    measuring.progress(static_cast<double>(++done) / static_cast<double>(candidates.size()));
  }
  // Another pair may be nearer by its own chord errors.
  if (!report.pairs.empty()) report.pairs.front().chordError = worst;
  return measuring.finish(ClearanceDetail::instances);
}

void requireClearance(double clearance) {
  if (!(clearance >= 0)) throw InputError("distance", "clearance", "is not a valid length");
}

}  // namespace

ClearanceReport minimumDistance(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                                std::span<const NodeId> second, const DistanceRequest& request,
                                const Progress& progress, const std::optional<ExactDistances>& exact) {
  Measuring measuring(scene, poses, request, progress, exact);
  placeGroups(measuring, scene.assembly(), first, second);
  const WorkMeter meter(progress);
  const std::vector<Candidate> candidates = listed(measuring, [&] {
    std::vector<Candidate> all = across(measuring, first.size(), meter);
    auto isNearer =
        polled(meter, [](const Candidate& p, const Candidate& q) { return p.atLeast < q.atLeast; });
    std::stable_sort(all.begin(), all.end(), std::ref(isNearer));
    return all;
  });
  ClearanceReport& report = measuring.report();
  report.consideredPairs = first.size() * second.size();
  if (exact) return leastExactly(measuring, candidates);
  DistanceRequest next = measuring.request();
  std::size_t done = 0;
  for (const Candidate& pair : candidates) {
    if (next.ignoreBeyond && pair.atLeast > *next.ignoreBeyond) break;
    if (next.within && pair.atLeast > *next.within) break;
    const bool resume =
        measuring.measure(pair, next, [&](const auto& a, const auto& b, const auto& r, auto& context) {
          const DistanceReport answer = distance(a, b, r, context);
          if (answer.nearest &&
              (report.pairs.empty() || answer.distance() < report.pairs.front().nearest.distance)) {
            report.pairs.clear();
            measuring.add(pair, *answer.nearest);
            next.ignoreBeyond = answer.distance();
          }
          return std::pair(answer.status, answer.stats);
        });
    if (!resume) break;
    if (!report.pairs.empty() && (next.within || report.pairs.front().nearest.distance == 0)) break;
    measuring.progress(static_cast<double>(++done) / static_cast<double>(candidates.size()));
  }
  return measuring.finish(ClearanceDetail::instances);
}

ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request, const Progress& progress,
                            const std::optional<ExactDistances>& exact) {
  requireClearance(clearance);
  Measuring measuring(scene, poses, request, progress, exact);
  for (const NodeId node : scene.instances()) measuring.place(node);
  const WorkMeter meter(progress);
  const std::vector<Candidate> candidates = listed(measuring, [&] {
    std::vector<Candidate> all = within(measuring, clearance + measuring.largestChordErrors(), meter);
    auto isBefore = polled(meter, [](const Candidate& p, const Candidate& q) {
      return std::pair(p.first, p.second) < std::pair(q.first, q.second);
    });
    std::sort(all.begin(), all.end(), std::ref(isBefore));
    return all;
  });
  const std::size_t count = measuring.placed().size();
  measuring.report().consideredPairs = count * (count - std::min<std::size_t>(count, 1)) / 2;
  return listWithin(measuring, candidates, clearance, detail);
}

ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                            std::span<const NodeId> second, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request, const Progress& progress,
                            const std::optional<ExactDistances>& exact) {
  requireClearance(clearance);
  Measuring measuring(scene, poses, request, progress, exact);
  placeGroups(measuring, scene.assembly(), first, second);
  measuring.report().consideredPairs = first.size() * second.size();
  const WorkMeter meter(progress);
  const auto candidates = listed(measuring, [&] { return across(measuring, first.size(), meter); });
  return listWithin(measuring, candidates, clearance, detail);
}

}  // namespace fitup
