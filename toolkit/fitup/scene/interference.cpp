#include <fitup/scene/interference.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/query/nearness.h>
#include <fitup/scene/copies.h>
#include <fitup/scene/detail/judge_clearance.h>
#include <fitup/scene/detail/judge_shapes.h>
#include <fitup/scene/detail/open_parts.h>
#include <fitup/scene/naming_instances.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Limits that the pairs of one check share.
struct CheckLimits {
  const InterferenceOptions& options;
  const Progress& progress;
  Clock::time_point begin;
  std::size_t pairsFound = 0;  ///< counted only if pairs are checked one after the other

  /// The request of the whole check, with its limits reduced by what is used up.
  [[nodiscard]] IntersectionRequest request() const {
    IntersectionRequest request = options.request;
    if (options.stopAtFirstPair) request.mode = QueryMode::firstSurfacePair;
    if (request.limits.maxPairs) *request.limits.maxPairs -= std::min(*request.limits.maxPairs, pairsFound);
    spend(request.limits);
    return request;
  }
  /// The same without a pair limit.
  [[nodiscard]] QueryLimits limits() const {
    QueryLimits limits = options.request.limits;
    limits.maxPairs.reset();
    spend(limits);
    return limits;
  }

 private:
  void spend(QueryLimits& limits) const {
    if (limits.timeBudget)
      limits.timeBudget = std::max(std::chrono::nanoseconds{0}, *limits.timeBudget - (Clock::now() - begin));
    if (!limits.cancel.stop_possible()) limits.cancel = progress.stopToken();
  }
};

/// The worse of two: cancelled, then truncated.
ReportStatus worse(ReportStatus a, ReportStatus b) { return std::max(a, b); }
static_assert(ReportStatus::complete < ReportStatus::truncated &&
              ReportStatus::truncated < ReportStatus::cancelled);

VerdictReport judge(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b, const Rule* rule,
                    const VerdictOptions& options, ReportStatus status, const CheckLimits& limits,
                    QueryContext& context) {
  const PosedSolid first{borrowed(scene.solidOf(a.node)), a.worldFromPart},
      second{borrowed(scene.solidOf(b.node)), b.worldFromPart};
  const std::optional<double> tolerance =
      toleranceOfPair(options, a.node, b.node, rule, first, second, limits.limits(), context);
  VerdictReport result;
  if (status == ReportStatus::complete) {
    VerdictRequest request;
    request.tolerance = tolerance;
    request.regions = options.regions;
    request.overlaps = options.overlaps;
    request.measureDistance = options.clearPairs;
    request.limits = limits.limits();
    try {
      result = detail::judgeShapes(scene, a.node, first, b.node, second, request, options, context,
                                   limits.progress);
    } catch (const CancelledError&) {  // while a part was refined; what was found before is kept
      result.verdict = Verdict::undecided;
      result.status = ReportStatus::cancelled;
    }
    if (!result.isOpen()) return result;
    status = result.status;
  }
  // Only the following fields are known.
  const std::string reason = std::move(result.undecidedBecause);
  result = {};
  result.verdict = Verdict::undecided;
  result.undecidedBecause = !reason.empty()                     ? reason
                            : status == ReportStatus::cancelled ? "the check was cancelled"
                                                                : "a limit ended the check before this pair";
  result.tolerance = effectiveTolerance(tolerance, first, second);
  result.status = status;
  return result;
}

/// Adds what was requested about the overlap of a pair.
void describeOverlap(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b,
                     const VerdictOptions& options, const CheckLimits& limits, QueryContext& context,
                     PairInterference& pair) {
  const VerdictReport& verdict = *pair.verdict;
  const bool overlaps = verdict.verdict == Verdict::clash ||
                        (verdict.verdict == Verdict::contact && verdict.depth.value_or(0) > 0);
  if (!overlaps || !(options.volumes || options.waysOut)) return;
  const PosedSolid first{borrowed(scene.solidOf(a.node)), a.worldFromPart},
      second{borrowed(scene.solidOf(b.node)), b.worldFromPart};
  // Several pairs may be checked at once; this many columns take about 100 MB.
  constexpr std::size_t mostColumns = 100'000;
  if (options.volumes)
    pair.volume = overlapVolume(first, second, {.maxPieces = mostColumns, .limits = limits.limits()});
  if (!options.waysOut) return;
  WayOutRequest request;
  for (const PenetrationRegion& region : verdict.regions)
    request.directions.push_back(region.pointOfFirst ? region.direction : -region.direction);
  request.atLeast = verdict.depth.value_or(0);
  request.limits = limits.limits();
  pair.wayOut = wayOut(first, second, request, context);
}

/// Sets `cut` if a limit of the check ended it, rather than one of this pair's search for depth.
PairInterference check(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b,
                       const CheckLimits& limits, QueryContext& context, bool& cut) {
  const InterferenceOptions& options = limits.options;
  const PosedModel first{borrowed(scene.modelOf(a.node)), a.worldFromPart},
      second{borrowed(scene.modelOf(b.node)), b.worldFromPart};
  PairInterference pair;
  pair.a = a.node;
  pair.b = b.node;
  const Rule* rule = nullptr;
  if (!options.rules.empty()) {
    const std::vector<std::string>& paths = scene.paths();
    rule = options.rules.find(paths[scene.positionOf(a.node)], paths[scene.positionOf(b.node)]);
  }
  if (rule != nullptr) pair.rule = static_cast<std::size_t>(rule - options.rules.rules.data());
  namingInstances(scene.assembly(), a.node, b.node, [&] {
    pair.report = intersect(first, second, limits.request(), context);
    ReportStatus& status = pair.report.status;
    cut = status != ReportStatus::complete;
    if (options.verdict) {
      pair.verdict = judge(scene, a, b, rule, *options.verdict, status, limits, context);
      status = worse(status, pair.verdict->status);
      if (rule == nullptr && status == ReportStatus::complete)
        pair.areCopies = judgeCopies({borrowed(scene.solidOf(a.node)), a.worldFromPart},
                                     {borrowed(scene.solidOf(b.node)), b.worldFromPart}, *pair.verdict);
      describeOverlap(scene, a, b, *options.verdict, limits, context, pair);
    }
    if (rule != nullptr && rule->action == RuleAction::clearance && status == ReportStatus::complete) {
      const detail::ClearanceJudgement judged = detail::judgeClearance(
          rule->distance, first, second, options.verdict, limits.limits(), context, status,
          detail::measureShapes(scene, a.node, b.node, a.worldFromPart, b.worldFromPart, rule->distance,
                                options.verdict, limits.limits(), limits.progress, context));
      pair.tooNear = judged.tooNear;
      pair.tooNearError = judged.error;
      if (pair.verdict) detail::applyClearance(judged, *pair.verdict);
    }
  });
  if (options.request.limits.timeBudget || pair.report.status == ReportStatus::cancelled)
    cut = pair.report.status != ReportStatus::complete;
  return pair;
}

std::size_t countedPairs(const IntersectionReport& report, QueryMode mode) {
  return mode == QueryMode::allTrianglePairs ? report.trianglePairs.size() : report.surfacePairs.size();
}

/// Keeps those `candidates` that need an exact query; counts the others.
void sift(const Scene& scene, std::span<const PlacedInstance> placed,
          std::span<const CandidatePair> candidates, const InterferenceOptions& options,
          const WorkMeter& meter, CandidatePairs& result) {
  const auto pathOf = [&](std::uint32_t i) {
    return options.rules.empty() ? std::string_view() : std::string_view(scene.paths()[i]);
  };
  for (auto [i, j] : candidates) {
    meter.poll();  // each time: there may be many rules
    if (placed[j].node < placed[i].node) std::swap(i, j);
    switch (kindOfPair(placed[i], placed[j], options.rules, pathOf(i), pathOf(j))) {
      case PairKind::apart:
        break;
      case PairKind::unselected:
        ++result.unselectedPairs;
        break;
      case PairKind::excluded:
        ++result.excludedPairs;
        break;
      case PairKind::narrow:
        result.pairs.emplace_back(i, j);
    }
  }
  const auto nodesOf = [&](const CandidatePair& p) {
    return std::pair(placed[p.first].node, placed[p.second].node);
  };
  auto byNodes =
      polled(meter, [&](const CandidatePair& p, const CandidatePair& q) { return nodesOf(p) < nodesOf(q); });
  std::sort(result.pairs.begin(), result.pairs.end(), std::ref(byNodes));
}

[[noreturn]] void throwTooManyListed() {
  throw InputError("check", "pairs",
                   "more than " + std::to_string(mostListedPairs) + " pairs would have to be reported");
}

/// For each pair, by position, the first pair of exactly the same two parts in exactly the same places, if it
/// is a pair of copies: its result holds for all of them. Otherwise the pair itself.
std::vector<std::size_t> firstOfSame(const Scene& scene, std::span<const PlacedInstance> placed,
                                     std::span<const CandidatePair> pairs, const InterferenceOptions& options,
                                     const WorkMeter& meter) {
  std::vector<std::size_t> first(pairs.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  if (!options.verdict) return first;
  const auto isSame = [&](std::uint32_t i, std::uint32_t j) {
    return placed[i].worldFromPart == placed[j].worldFromPart &&
           isSameGeometry(scene.assembly().meshOf(placed[i].node), scene.assembly().meshOf(placed[j].node));
  };
  // Instances that equal the one met first in their place; most instances equal no other.
  std::map<std::uint32_t, std::uint32_t> equalTo;
  const auto lowest = [&](std::uint32_t i) {
    const auto found = equalTo.find(i);
    return found == equalTo.end() ? i : found->second;
  };
  std::map<std::uint32_t, std::size_t> firstPair;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    meter.poll();
    const auto [i, j] = pairs[k];
    if (lowest(i) != lowest(j)) {
      if (!isSame(lowest(i), j)) continue;
      equalTo[j] = lowest(i);
    }
    if (!options.rules.empty() && options.rules.find(scene.paths()[i], scene.paths()[j]) != nullptr) continue;
    first[k] = firstPair.try_emplace(lowest(i), k).first->second;
  }
  return first;
}

/// The results of the pairs that have that of an earlier one (`firstOfSame`), if it is listed.
template <typename NodesOf>
InterferenceReport sameResults(const NodesOf& nodesOf, std::span<const CandidatePair> pairs,
                               std::span<const std::size_t> first,
                               std::span<const InterferenceReport> found) {
  std::map<std::pair<NodeId, NodeId>, const PairInterference*> of;
  for (const InterferenceReport& report : found)
    for (const PairInterference& pair : report.pairs) of[{pair.a, pair.b}] = &pair;
  InterferenceReport result;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto known = first[k] == k ? of.end() : of.find(nodesOf(pairs[first[k]]));
    if (known == of.end()) continue;
    if (of.size() + result.pairs.size() >= mostListedPairs) throwTooManyListed();
    PairInterference& pair = result.pairs.emplace_back(*known->second);
    std::tie(pair.a, pair.b) = nodesOf(pairs[k]);
    pair.report.stats = {};
  }
  return result;
}

/// Checks sifted pairs, in a check that started at `begin`.
InterferenceReport run(const Scene& scene, std::span<const PlacedInstance> placed, CandidatePairs candidates,
                       const InterferenceOptions& options, CheckContexts& contexts, Clock::time_point begin,
                       const Progress& progress) {
  CheckLimits limits{options, progress, begin};
  std::vector<CandidatePair>& narrow = candidates.pairs;
  InterferenceReport head;
  head.consideredPairs = candidates.consideredPairs;
  head.excludedPairs = candidates.excludedPairs;
  head.unselectedPairs = candidates.unselectedPairs;
  head.narrowPairs = narrow.size();
  if (options.verdict || !scene.hasAllModels()) {
    std::set<PartId> parts;
    for (const auto& [i, j] : narrow)
      for (const std::uint32_t k : {i, j}) parts.insert(scene.assembly().partOf(placed[k].node));
    const std::vector<PartId> asked(parts.begin(), parts.end());
    try {
      scene.prepareModels(asked, progress, options.threads);
      if (options.verdict) {
        scene.prepareSolids(asked, progress, options.threads);
        head.openParts = detail::openParts(scene, asked);
      }
    } catch (const CancelledError&) {
      head.status = ReportStatus::cancelled;
      return head;
    }
  }
  const auto nodesOf = [&](const CandidatePair& p) {
    return std::pair(placed[p.first].node, placed[p.second].node);
  };
  const bool coherent = options.request.coherence == Coherence::on;
  if (options.stopAtFirstPair && coherent && contexts.endedAt()) {
    const auto last = std::find_if(narrow.begin(), narrow.end(),
                                   [&](const CandidatePair& p) { return nodesOf(p) == *contexts.endedAt(); });
    if (last != narrow.end()) std::rotate(narrow.begin(), last, last + 1);
  }

  const std::vector<std::size_t> first = firstOfSame(scene, placed, narrow, options, WorkMeter(progress));
  std::vector<std::size_t> queried;
  for (std::size_t k = 0; k < narrow.size(); ++k)
    if (first[k] == k) queried.push_back(k);

  const bool sequential = options.stopAtFirstPair || options.request.limits.maxPairs;
  const unsigned threads = workerCount(sequential ? 1 : options.threads, queried.size());
  std::vector<std::pair<NodeId, NodeId>> nodes;
  if (coherent)
    for (const CandidatePair& p : narrow) nodes.push_back(nodesOf(p));
  contexts.prepare(nodes, threads, coherent);
  // Results by thread. Most pairs are not listed, so memory is used only for those that are.
  std::vector<InterferenceReport> foundBy(std::max(threads, 1U));
  foundBy.front() = std::move(head);
  std::atomic<bool> ended{false};
  std::atomic<std::size_t> done{0}, listed{0};
  parallelFor(queried.size(), threads, [&](std::size_t position, unsigned worker) {
    const std::size_t k = queried[position];
    // Also tested here, because the request may carry a cancel handle of its own.
    if (ended || progress.cancelled()) return;
    bool cut = false;
    PairInterference pair =
        check(scene, placed[narrow[k].first], placed[narrow[k].second], limits, contexts.of(k, worker), cut);
    if (sequential) limits.pairsFound += countedPairs(pair.report, options.request.mode);
    if (options.stopAtFirstPair && pair.report.intersects()) {
      contexts.endAt(pair.a, pair.b);
      ended = true;
    }
    if (cut) ended = true;
    InterferenceReport& found = foundBy[worker];
    found.stats += pair.report.stats;
    found.status = worse(found.status, pair.report.status);
    if (isListed(pair, options)) {
      if (++listed > mostListedPairs) throwTooManyListed();
      found.pairs.push_back(std::move(pair));
    }
    progress.report("checking pairs", static_cast<double>(++done) / static_cast<double>(queried.size()));
  });
  // Unchecked pairs come after the first pair found, or after the pair whose status says why.
  if (queried.size() < narrow.size()) foundBy.push_back(sameResults(nodesOf, narrow, first, foundBy));
  InterferenceReport result = mergeReports(std::move(foundBy));
  if (progress.cancelled() && done < queried.size()) result.status = ReportStatus::cancelled;
  return result;
}

void requireAnswerable(const InterferenceOptions& options) {
  if (options.verdict && (options.stopAtFirstPair || options.request.limits.maxPairs))
    throw InputError("check", "verdicts", "cannot be combined with a limit of pairs");
}

/// Pairs whose boxes may meet.
std::vector<CandidatePair> meetingPairs(std::span<const PlacedInstance> placed,
                                        const PairSelection& selection, const WorkMeter& meter) {
  std::vector<std::uint32_t> first, second;
  for (std::uint32_t i = 0; i < placed.size(); ++i) {
    if (selection.all() || selection.first[i]) first.push_back(i);
    if (selection.all() || selection.second[i]) second.push_back(i);
  }
  const InstanceTree tree(placed, second, meter);
  CandidateList list(meter);
  std::vector<std::uint32_t> near;
  for (const std::uint32_t i : first) {
    meter.poll();
    near.clear();
    tree.candidates(placed[i], near);
    for (const std::uint32_t j : near) {
      if (i == j) continue;
      // A pair that is met from both sides is taken from the lower one.
      const bool isMetTwice = selection.all() || (selection.first[j] && selection.second[i]);
      if (!isMetTwice || i < j) list.add(std::minmax(i, j));
    }
  }
  return list.take();
}

}  // namespace

std::optional<double> toleranceByRule(const std::optional<double>& given, const Rule* rule,
                                      const PosedSolid& first, const PosedSolid& second) {
  if (rule == nullptr || rule->action != RuleAction::allowOverlap) return given;
  return std::max(effectiveTolerance(given, first, second), rule->depth);
}

std::optional<double> toleranceOfPair(const VerdictOptions& options, NodeId a, NodeId b, const Rule* rule,
                                      const PosedSolid& first, const PosedSolid& second,
                                      const QueryLimits& limits, QueryContext& context) {
  std::optional<double> given = options.tolerance;
  if (!given && options.tolerancesOfFaces) given = toleranceOfFaces(first, second, limits, context);
  const std::optional<double> tolerance = toleranceByRule(given, rule, first, second);
  if (!options.depthLimits) return tolerance;
  const auto limit = options.depthLimits->find(std::minmax(a, b));
  return limit == options.depthLimits->end()
             ? tolerance
             : std::max(effectiveTolerance(tolerance, first, second), limit->second);
}

PairInterference checkPair(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b,
                           const InterferenceOptions& options, QueryContext& context,
                           const Progress& progress) {
  requireAnswerable(options);
  bool cut = false;
  return check(scene, a, b, CheckLimits{options, progress, Clock::now()}, context, cut);
}

bool isListed(const PairInterference& pair, const InterferenceOptions& options) noexcept {
  if (pair.report.intersects() || pair.report.status != ReportStatus::complete || pair.tooNear) return true;
  return pair.verdict && (pair.verdict->verdict != Verdict::clear || options.verdict->clearPairs);
}

void CheckContexts::prepare(std::span<const std::pair<NodeId, NodeId>> pairs, unsigned threads,
                            bool coherent) {
  if (ofWorker_.size() < threads) ofWorker_.resize(threads);
  ofQuery_.clear();
  if (!coherent) return;
  for (const auto& pair : pairs) ofQuery_.push_back(&ofPair_[pair]);
}

InterferenceReport checkPairs(const Scene& scene, std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, const InterferenceOptions& options,
                              CheckContexts& contexts, const Progress& progress) {
  requireAnswerable(options);
  const auto begin = Clock::now();
  InterferenceReport result;
  CandidatePairs sifted;
  sifted.consideredPairs = candidates.size();
  try {
    sift(scene, placed, candidates, options, WorkMeter(progress), sifted);
    result = run(scene, placed, std::move(sifted), options, contexts, begin, progress);
  } catch (const CancelledError&) {
    result.consideredPairs = candidates.size();
    result.status = ReportStatus::cancelled;
  }
  result.milliseconds = millisecondsSince(begin);
  return result;
}

std::size_t countConsideredPairs(const Scene& scene, const InterferenceOptions& options) {
  options.selection.requireSize(scene.instances().size());
  if (!options.rules.check || !options.selection.all())
    return options.selection.count(scene.instances().size());
  SelectedPairs selected(options.rules);
  for (const std::string& path : scene.paths()) selected.add(path);
  return selected.within();
}

CandidatePairs candidatePairs(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                              const Progress& progress) {
  const WorkMeter meter(progress);
  CandidatePairs result;
  result.consideredPairs = countConsideredPairs(scene, options);
  result.placed = placedForCheck(scene, poses, options, meter);
  sift(scene, result.placed, meetingPairs(result.placed, options.selection, meter), options, meter, result);
  return result;
}

InterferenceReport checkAllPairs(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                                 const Progress& progress) {
  requireAnswerable(options);
  const auto begin = Clock::now();
  InterferenceReport result;
  try {
    CandidatePairs candidates = candidatePairs(scene, poses, options, progress);
    const std::vector<PlacedInstance> placed = std::move(candidates.placed);
    CheckContexts contexts;
    result = run(scene, placed, std::move(candidates), options, contexts, begin, progress);
  } catch (const CancelledError&) {
    result.status = ReportStatus::cancelled;
  }
  result.milliseconds = millisecondsSince(begin);
  return result;
}

PairKind kindOfPair(const PlacedInstance& a, const PlacedInstance& b, const Rules& rules,
                    std::string_view pathA, std::string_view pathB) {
  if (!mayMeet(a, b)) return PairKind::apart;
  const Rule* rule = rules.find(pathA, pathB);
  // Boxes grew by the largest clearance of all rules; this pair may need less.
  const double clearance = rule != nullptr && rule->action == RuleAction::clearance
                               ? rule->distance + a.chordError + b.chordError
                               : 0.0;
  if (!mayBeWithin(a, b, std::max(a.tolerance + b.tolerance, clearance))) return PairKind::apart;
  if (!rules.selects(pathA, pathB)) return PairKind::unselected;
  return rule != nullptr && rule->action == RuleAction::ignore ? PairKind::excluded : PairKind::narrow;
}

PlacedInstance placedForCheck(const Assembly& assembly, NodeId node, const Transform& worldFromPart,
                              const InterferenceOptions& options) {
  PlacedInstance instance = placedInstance(assembly, node, worldFromPart);
  if (instance.worldBox.empty()) return instance;
  // Both boxes of a pair grow, so half of a clearance would suffice. A tolerance may come from one of the two
  // alone.
  for (const Rule& rule : options.rules.rules)
    if (rule.action == RuleAction::clearance) {
      if (!(rule.distance >= 0))
        throw InputError("rule of '" + rule.a + "' and '" + rule.b + "'", "clearance",
                         "is not a valid length");
      instance.grownBy = std::max(instance.grownBy, 0.5 * rule.distance);
    }
  const bool isExact = options.verdict && options.verdict->judgesExactShapes();
  const TriangleMesh& part = assembly.meshOf(node);
  // The exact shape may reach farther than the triangles.
  if (isExact && part.deflection()) instance.chordError = deflectionInWorld(part, worldFromPart);
  if (instance.grownBy > 0) instance.grownBy += instance.chordError;
  if (options.verdict) {
    instance.tolerance = std::max(
        options.verdict->tolerance ? *options.verdict->tolerance : 2 * deflectionInWorld(part, worldFromPart),
        minimumTolerance(part, worldFromPart));
    instance.tolerance += instance.chordError;
    instance.grownBy = std::max(instance.grownBy, instance.tolerance);
  }
  for (int k = 0; k < 3; ++k) {
    instance.worldBox.min[k] -= instance.grownBy;
    instance.worldBox.max[k] += instance.grownBy;
  }
  return instance;
}

std::vector<PlacedInstance> placedForCheck(const Scene& scene, const Poses& poses,
                                           const InterferenceOptions& options, const WorkMeter& meter) {
  scene.requireInstances(poses);
  std::vector<PlacedInstance> placed;
  placed.reserve(scene.instances().size());
  for (const NodeId node : scene.instances()) {
    meter.poll();
    placed.push_back(placedForCheck(scene.assembly(), node, scene.worldFromPart(node, poses), options));
  }
  return placed;
}

}  // namespace fitup
