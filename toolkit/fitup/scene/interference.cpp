#include <fitup/scene/interference.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include <fitup/base/counted.h>
#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/query/distance.h>
#include <fitup/scene/detail/open_parts.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// What one pair of a check is given: the whole check's limits less what is used up.
IntersectionRequest requestForPair(const InterferenceOptions& options, Clock::time_point begin,
                                   std::size_t pairsFound, const Progress& progress) {
  IntersectionRequest request = options.request;
  if (options.stopAtFirstPair) request.mode = QueryMode::firstSurfacePair;
  if (request.limits.timeBudget)
    request.limits.timeBudget =
        std::max(std::chrono::nanoseconds{0}, *request.limits.timeBudget - (Clock::now() - begin));
  if (request.limits.maxPairs) *request.limits.maxPairs -= std::min(*request.limits.maxPairs, pairsFound);
  if (!request.limits.cancel.stop_possible()) request.limits.cancel = progress.stopToken();
  return request;
}

/// Errors of a pair say which two instances it is.
template <typename Query>
auto namingInstances(const Assembly& assembly, NodeId a, NodeId b, Query&& query) {
  const auto named = [&](const Error& error) {
    return "'" + assembly.path(a) + "' and '" + assembly.path(b) + "': " + error.what();
  };
  try {
    return query();
  } catch (const PlacementError& error) {
    throw PlacementError(named(error));
  } catch (const RangeError& error) {
    throw RangeError(named(error));
  }
}

VerdictRequest verdictRequest(const VerdictOptions& options, const QueryLimits& limits) {
  VerdictRequest request;
  request.tolerance = options.tolerance;
  request.regions = options.regions;
  request.measureDistance = options.clearPairs;
  request.limits = limits;
  request.limits.maxPairs.reset();
  return request;
}

/// The worse of two: cancelled, then truncated.
ReportStatus worse(ReportStatus a, ReportStatus b) { return std::max(a, b); }
static_assert(ReportStatus::complete < ReportStatus::truncated &&
              ReportStatus::truncated < ReportStatus::cancelled);

/// Looks whether a pair that has to keep `clearance` apart does.
void measureClearance(const PosedModel& first, const PosedModel& second, double clearance,
                      const QueryLimits& limits, QueryContext& context, PairInterference& pair) {
  DistanceRequest request;
  request.ignoreBeyond = clearance;
  request.limits = limits;
  request.limits.maxPairs.reset();
  const DistanceReport found = distance(first, second, request, context);
  pair.report.status = worse(pair.report.status, found.status);
  if (!found.nearest || !(found.distance() < clearance)) return;
  pair.tooNear = true;
  if (pair.verdict == Verdict::clash) return;
  pair.distance = found.distance();
  pair.point = found.nearest->pointA;
  const Vec3 way = found.nearest->pointB - found.nearest->pointA;
  pair.direction = norm(way) > 0 ? std::optional(normalized(way)) : std::nullopt;
}

std::size_t countedPairs(const IntersectionReport& report, QueryMode mode) {
  return mode == QueryMode::allTrianglePairs ? report.trianglePairs.size() : report.surfacePairs.size();
}

}  // namespace

void PairInterference::take(VerdictReport found) {
  tolerance = found.tolerance;
  if (found.status != ReportStatus::complete && found.verdict != Verdict::clash) return;
  verdict = found.verdict;
  depth = found.depth;
  depthErrorBound = found.depth ? std::optional(found.depthErrorBound) : std::nullopt;
  depthIsLowerBound = found.depthIsLowerBound;
  distance = found.distance;
  point = found.point;
  direction = found.direction;
  regions = std::move(found.regions);
}

std::string nothingCheckedText(const InterferenceReport& report) {
  if (report.status != ReportStatus::complete || report.narrowPairs > 0 ||
      report.consideredPairs != report.excludedPairs + report.unselectedPairs)
    return {};
  return std::string("nothing was checked: ") + (report.consideredPairs == 0
                                                     ? "the model has no two parts"
                                                     : "rules leave out every pair of instances");
}

std::string openPartsText(std::size_t parts) {
  if (parts == 0) return {};
  return counted(parts, "part") + (parts == 1
                                       ? " is not closed, so that what lies inside it cannot be told"
                                       : " are not closed, so that what lies inside them cannot be told");
}

MatchedModels::MatchedModels(const Assembly& assembly, const CollisionModels& models)
    : assembly_(&assembly), models_(&models) {
  if (models.size() != assembly.partCount())
    throw InputError(
        "check", "models",
        std::to_string(models.size()) + " models for " + std::to_string(assembly.partCount()) + " parts");
  // A model that was built from another mesh would give answers about that one.
  for (std::uint32_t i = 0; i < models.size(); ++i)
    if (!models[i] || models[i]->mesh().contentHash() != assembly.part(PartId{i}).contentHash())
      throw InputError("check", "model " + std::to_string(i),
                       "is not that of part '" + assembly.part(PartId{i}).name() + "'");
}

void MatchedModels::requireBodies(const BodyModels& bodies) const {
  if (bodies.size() != models_->size())
    throw InputError(
        "check", "bodies",
        std::to_string(bodies.size()) + " bodies for " + std::to_string(models_->size()) + " parts");
  for (std::uint32_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i] || bodies[i]->mesh().contentHash() != (*models_)[i]->mesh().contentHash())
      throw InputError("check", "body " + std::to_string(i),
                       "is not that of part '" + assembly_->part(PartId{i}).name() + "'");
}

CollisionModels buildCollisionModels(const Assembly& assembly, const BuildOptions& options,
                                     const Progress& progress, unsigned threads) {
  std::map<const TriangleMesh*, std::size_t> firstUse;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < assembly.partCount(); ++i)
    if (firstUse.emplace(&assembly.part(PartId(i)), i).second) distinct.push_back(i);

  CollisionModels models(assembly.partCount());
  std::uint64_t units = 0;
  for (const std::size_t part : distinct)
    units += CollisionModel::units(assembly.part(PartId(part)), options);
  const WorkMeter meter(progress, "building hierarchies", units);
  // Where parts are fewer than threads, each has several.
  const unsigned each =
      workerCount(threads, std::numeric_limits<std::size_t>::max()) / workerCount(threads, distinct.size());
  try {
    parallelFor(distinct.size(), threads, [&](std::size_t i, unsigned) {
      meter.poll();
      models[distinct[i]] =
          CollisionModel::build(assembly.sharedPart(PartId(distinct[i])), options, meter, each);
    });
  } catch (const CancelledError&) {
    return {};
  }
  meter.finish();
  for (std::size_t i = 0; i < models.size(); ++i) models[i] = models[firstUse.at(&assembly.part(PartId(i)))];
  return models;
}

BodyModels buildBodyModels(const CollisionModels& models, const Progress& progress, unsigned threads) {
  std::map<const CollisionModel*, std::size_t> firstUse;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < models.size(); ++i)
    if (firstUse.emplace(models[i].get(), i).second) distinct.push_back(i);
  BodyModels bodies(models.size());
  std::uint64_t triangles = 0;
  for (const std::size_t i : distinct) triangles += models[i]->mesh().triangleCount();
  const WorkMeter meter(progress, "preparing bodies", triangles);
  try {
    parallelFor(distinct.size(), threads, [&](std::size_t i, unsigned) {
      meter.poll();
      bodies[distinct[i]] = BodyModel::build(models[distinct[i]], meter);
      meter.advance(models[distinct[i]]->mesh().triangleCount());
    });
  } catch (const CancelledError&) {
    return {};
  }
  meter.finish();
  for (std::size_t i = 0; i < models.size(); ++i) bodies[i] = bodies[firstUse.at(models[i].get())];
  return bodies;
}

InterferenceReport checkPairs(const Assembly& assembly, const CollisionModels& models,
                              std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, std::span<const std::string> paths,
                              const InterferenceOptions& options, const Progress& progress) {
  CheckContexts contexts;
  return checkPairs(MatchedModels(assembly, models), placed, candidates, paths, options, contexts, progress);
}

void CheckContexts::prepare(std::span<const std::pair<NodeId, NodeId>> pairs, unsigned threads,
                            bool coherent) {
  if (ofWorker_.size() < threads) ofWorker_.resize(threads);
  ofQuery_.clear();
  if (!coherent) return;
  for (const auto& pair : pairs) ofQuery_.push_back(&ofPair_[pair]);
}

InterferenceReport checkPairs(const MatchedModels& matched, std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, std::span<const std::string> paths,
                              const InterferenceOptions& options, CheckContexts& contexts,
                              const Progress& progress) {
  if (!options.rules.empty() && paths.size() != placed.size())
    throw InputError("check", "paths", "rules need the path of every instance");
  if (options.verdict && (options.stopAtFirstPair || options.request.limits.maxPairs))
    throw InputError("check", "verdicts", "cannot be had with a limit of pairs");
  if (options.verdict && options.verdict->bodies) matched.requireBodies(*options.verdict->bodies);
  const auto begin = Clock::now();
  BodyModels ownBodies;
  if (options.verdict && !options.verdict->bodies)
    ownBodies = buildBodyModels(matched.models(), progress, options.threads);
  const BodyModels& bodies =
      options.verdict && options.verdict->bodies ? *options.verdict->bodies : ownBodies;
  InterferenceReport result;
  result.consideredPairs = candidates.size();

  const WorkMeter meter(progress);
  std::vector<CandidatePair> narrow;
  const auto pathOf = [&](std::uint32_t i) { return paths.empty() ? std::string_view() : paths[i]; };
  const auto nodesOf = [&](const CandidatePair& p) {
    return std::pair(placed[p.first].node, placed[p.second].node);
  };
  try {
    for (auto [i, j] : candidates) {
      meter.poll();  // each time: rules may be many
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
          narrow.emplace_back(i, j);
      }
    }
    auto byNodes = polled(
        meter, [&](const CandidatePair& p, const CandidatePair& q) { return nodesOf(p) < nodesOf(q); });
    std::sort(narrow.begin(), narrow.end(), std::ref(byNodes));
  } catch (const CancelledError&) {
    result.status = ReportStatus::cancelled;
    result.milliseconds = millisecondsSince(begin);
    return result;
  }
  result.narrowPairs = narrow.size();
  if (options.verdict) {
    detail::OpenParts open(&bodies);
    for (const auto& [i, j] : narrow)
      for (const std::uint32_t k : {i, j}) open.add(matched.assembly().partOf(placed[k].node));
    result.openParts = open.list();
  }
  const bool coherent = options.request.coherence == Coherence::on;
  if (options.stopAtFirstPair && coherent && contexts.endedAt()) {
    const auto last = std::find_if(narrow.begin(), narrow.end(),
                                   [&](const CandidatePair& p) { return nodesOf(p) == *contexts.endedAt(); });
    if (last != narrow.end()) std::rotate(narrow.begin(), last, last + 1);
  }

  const bool sequential = options.stopAtFirstPair || options.request.limits.maxPairs;
  const unsigned threads = workerCount(sequential ? 1 : options.threads, narrow.size());
  std::vector<std::pair<NodeId, NodeId>> nodes;
  if (coherent)
    for (const CandidatePair& p : narrow) nodes.push_back(nodesOf(p));
  contexts.prepare(nodes, threads, coherent);
  /// What a thread has found. Most pairs are not listed: memory is for those that are.
  struct Found {
    std::vector<PairInterference> pairs;
    QueryStats stats;
    ReportStatus status = ReportStatus::complete;
  };
  std::vector<Found> foundBy(std::max(threads, 1U));
  std::size_t pairsFound = 0;  // only kept when sequential
  std::atomic<bool> ended{false};
  std::atomic<std::size_t> done{0}, listed{0};
  parallelFor(narrow.size(), threads, [&](std::size_t k, unsigned worker) {
    // Asked here too, because the request may carry a cancel handle of its own.
    if (ended || progress.cancelled()) return;
    const PlacedInstance &first = placed[narrow[k].first], &second = placed[narrow[k].second];
    const PosedModel firstModel{matched.of(first.node), first.worldFromPart},
        secondModel{matched.of(second.node), second.worldFromPart};
    PairInterference pair;
    pair.a = first.node;
    pair.b = second.node;
    const Rule* rule = options.rules.find(pathOf(narrow[k].first), pathOf(narrow[k].second));
    if (rule != nullptr) pair.rule = static_cast<std::size_t>(rule - options.rules.rules.data());
    bool cut = false;  // a limit of the check, not one of this pair's search for depth
    namingInstances(matched.assembly(), first.node, second.node, [&] {
      pair.report = intersect(firstModel, secondModel, requestForPair(options, begin, pairsFound, progress),
                              contexts.of(k, worker));
      cut = pair.report.status != ReportStatus::complete;
      if (options.verdict && pair.report.status == ReportStatus::complete && !bodies.empty()) {
        const auto bodyOf = [&](NodeId node) -> const BodyModel& {
          return *bodies[index(matched.assembly().partOf(node))];
        };
        VerdictReport report =
            verdict({bodyOf(first.node), first.worldFromPart}, {bodyOf(second.node), second.worldFromPart},
                    verdictRequest(*options.verdict, requestForPair(options, begin, 0, progress).limits),
                    contexts.of(k, worker));
        pair.report.status = worse(pair.report.status, report.status);
        pair.take(std::move(report));
      }
      if (rule != nullptr && rule->action == RuleAction::clearance &&
          pair.report.status == ReportStatus::complete)
        measureClearance(firstModel, secondModel, rule->distance,
                         requestForPair(options, begin, 0, progress).limits, contexts.of(k, worker), pair);
    });
    pair.verdictIsOpen = options.verdict && !pair.verdict;
    if (sequential) pairsFound += countedPairs(pair.report, options.request.mode);
    if (options.request.limits.timeBudget || pair.report.status == ReportStatus::cancelled)
      cut = pair.report.status != ReportStatus::complete;
    if (options.stopAtFirstPair && pair.report.intersects()) {
      contexts.endAt(pair.a, pair.b);
      ended = true;
    }
    if (cut) ended = true;
    Found& found = foundBy[worker];
    found.stats += pair.report.stats;
    found.status = worse(found.status, pair.report.status);
    const bool told = pair.verdict && (*pair.verdict != Verdict::clear || options.verdict->clearPairs);
    if (told || pair.tooNear || pair.report.intersects() || pair.report.status != ReportStatus::complete) {
      if (++listed > mostListedPairs)
        throw InputError("check", "pairs",
                         "more than " + std::to_string(mostListedPairs) + " pairs would have to be listed");
      found.pairs.push_back(std::move(pair));
    }
    progress.report("checking pairs", static_cast<double>(++done) / static_cast<double>(narrow.size()));
  });

  // Pairs that nobody asked came after the first one that was found, or after the one whose status says why.
  for (Found& found : foundBy) {
    result.stats += found.stats;
    result.status = worse(result.status, found.status);
    result.pairs.insert(result.pairs.end(), std::make_move_iterator(found.pairs.begin()),
                        std::make_move_iterator(found.pairs.end()));
    found.pairs.clear();
  }
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const auto& p, const auto& q) { return std::pair(p.a, p.b) < std::pair(q.a, q.b); });
  if (progress.cancelled() && done < narrow.size()) result.status = ReportStatus::cancelled;
  result.milliseconds = millisecondsSince(begin);
  return result;
}

PairKind kindOfPair(const PlacedInstance& a, const PlacedInstance& b, const Rules& rules,
                    std::string_view pathA, std::string_view pathB) noexcept {
  if (!mayMeet(a, b)) return PairKind::apart;
  const Rule* rule = rules.find(pathA, pathB);
  // Boxes grew by the largest clearance of all rules; this pair may have to do with less.
  const double clearance = rule != nullptr && rule->action == RuleAction::clearance ? rule->distance : 0.0;
  if (!mayBeWithin(a, b, std::max(a.tolerance + b.tolerance, clearance))) return PairKind::apart;
  if (!rules.selects(pathA, pathB)) return PairKind::unselected;
  return rule != nullptr && rule->action == RuleAction::ignore ? PairKind::excluded : PairKind::narrow;
}

PlacedInstance placedForCheck(const Assembly& assembly, NodeId node, const Transform& worldFromPart,
                              const InterferenceOptions& options) {
  PlacedInstance instance = placedInstance(assembly, node, worldFromPart);
  if (instance.worldBox.empty()) return instance;
  // Both boxes of a pair grow, so that half of a clearance would do; a tolerance may be that of one of the
  // two.
  for (const Rule& rule : options.rules.rules)
    if (rule.action == RuleAction::clearance) {
      if (!(rule.distance >= 0))
        throw InputError("rule of '" + rule.a + "' and '" + rule.b + "'", "clearance", "is no length");
      instance.grownBy = std::max(instance.grownBy, 0.5 * rule.distance);
    }
  if (options.verdict) {
    const TriangleMesh& part = assembly.meshOf(node);
    instance.tolerance = std::max(
        options.verdict->tolerance ? *options.verdict->tolerance : 2 * deflectionInWorld(part, worldFromPart),
        leastTolerance(part, worldFromPart));
    instance.grownBy = std::max(instance.grownBy, instance.tolerance);
  }
  for (int k = 0; k < 3; ++k) {
    instance.worldBox.min[k] -= instance.grownBy;
    instance.worldBox.max[k] += instance.grownBy;
  }
  return instance;
}

InterferenceReport checkAllPairs(const Assembly& assembly, const CollisionModels& models,
                                 const InterferenceOptions& options, const Progress& progress) {
  const MatchedModels matched(assembly, models);
  const auto begin = Clock::now();
  const WorkMeter meter(progress);
  std::vector<PlacedInstance> placed;
  std::vector<std::string> paths;
  std::vector<CandidatePair> candidates;
  InterferenceReport result;
  try {
    for (NodeId node : assembly.instances()) {
      meter.poll();
      placed.push_back(placedForCheck(assembly, node, assembly.worldFromNode(node), options));
      if (!options.rules.empty()) paths.push_back(assembly.path(node));
    }
    std::vector<std::uint32_t> all(placed.size());
    std::iota(all.begin(), all.end(), 0U);
    const InstanceTree tree(placed, all, meter);
    CandidateList list(meter);
    std::vector<std::uint32_t> near;
    for (std::uint32_t i : all) {
      meter.poll();
      near.clear();
      tree.candidates(placed[i], near);
      for (std::uint32_t j : near)
        if (i < j) list.add({i, j});
    }
    candidates = list.take();
  } catch (const CancelledError&) {
    result.status = ReportStatus::cancelled;
    result.milliseconds = millisecondsSince(begin);
    return result;
  }
  CheckContexts contexts;
  result = checkPairs(matched, placed, candidates, paths, options, contexts, progress);
  result.consideredPairs = placed.size() * (placed.size() - std::min<std::size_t>(placed.size(), 1)) / 2;
  if (options.rules.check) {
    SelectedPairs selected(options.rules);
    for (const std::string& path : paths) selected.add(path);
    result.consideredPairs = selected.within();
  }
  result.milliseconds = millisecondsSince(begin);
  return result;
}

}  // namespace fitup
