#include <fitup/scene/verify.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/query/sort_and_sweep.h>
#include <fitup/scene/copies.h>
#include <fitup/scene/detail/judge_shapes.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

/// A box over all placed points, grown far beyond any rounding of a placement: by 2^-30 of their coordinates,
/// times the condition of the placement.
Box ownBox(const TriangleMesh& mesh, const Transform& worldFromPart) {
  Box box;
  double largest = norm(worldFromPart.t);
  for (const TriangleIndices& t : mesh.triangles())
    for (const std::uint32_t p : t) box.extend(worldFromPart.apply(mesh.pointInPart(p)));
  if (box.empty()) return box;
  for (int k = 0; k < 3; ++k) largest = std::max({largest, std::abs(box.min[k]), std::abs(box.max[k])});
  double direct = 0, inverse = 0;
  const Transform back = worldFromPart.inverse();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      direct += worldFromPart.m[i][j] * worldFromPart.m[i][j];
      inverse += back.m[i][j] * back.m[i][j];
    }
  const double by = 0x1p-30 * largest * std::sqrt(direct * inverse);
  for (int k = 0; k < 3; ++k) {
    box.min[k] -= by;
    box.max[k] += by;
  }
  return box;
}

/// The largest gap of two boxes along an axis; negative if they overlap.
double apart(const Box& a, const Box& b) {
  double most = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) most = std::max({most, a.min[k] - b.max[k], b.min[k] - a.max[k]});
  return most;
}

/// For differences that concern rules or the whole pair: a smaller set of triangles would not show them.
std::optional<Discrepancy> notCutDown(const PosedModel&, const PosedModel&) { return std::nullopt; }

}  // namespace

struct Verifier::State {
  Scene scene;
  const VerifyOptions& options;
  const Progress& progress;
  Clock::time_point begin = Clock::now();
  VerificationReport report;
  std::uint64_t bruteForced = 0;
  std::map<NodeId, std::pair<Transform, Box>> boxes;

  State(const Scene& ofScene, const VerifyOptions& given, const Progress& handle)
      : scene(ofScene), options(given), progress(handle) {}

  [[nodiscard]] bool ended() const noexcept {
    return progress.cancelled() || report.differences.size() >= options.mostDifferences;
  }
  const Box& boxOf(const PlacedInstance& placed) {
    auto [at, fresh] = boxes.try_emplace(placed.node);
    if (fresh || at->second.first != placed.worldFromPart)
      at->second = {placed.worldFromPart, ownBox(scene.modelOf(placed.node).mesh(), placed.worldFromPart)};
    return at->second.second;
  }
  PosedModel posed(const PlacedInstance& placed) const {
    return {borrowed(scene.modelOf(placed.node)), placed.worldFromPart};
  }
  PosedSolid posedSolid(const PlacedInstance& placed) const {
    return {borrowed(scene.solidOf(placed.node)), placed.worldFromPart};
  }
  /// Uses brute force while it is affordable; counts the pair.
  OracleOptions oracleFor(const PosedModel& first, const PosedModel& second) {
    OracleOptions oracle{options.bruteForceUpTo, progress.stopToken()};
    const std::uint64_t tests =
        std::uint64_t{first.model->mesh().triangleCount()} * second.model->mesh().triangleCount();
    if (!isForBruteForce(first, second, oracle) || bruteForced + tests > options.bruteForceInAll) {
      oracle.bruteForceUpTo = 0;
      ++report.sweptPairs;
    } else {
      bruteForced += tests;
      ++report.bruteForcePairs;
    }
    return oracle;
  }
  void differ(const PlacedInstance& a, const PlacedInstance& b, std::optional<std::size_t> step,
              const char* question, Discrepancy discrepancy, const PairCheck& check) {
    PairDifference difference{a.node, b.node, step, question, discrepancy, {}};
    difference.reproduction =
        smallestReproduction(posed(a), posed(b), check, discrepancy, progress, options.mostChecks);
    report.differences.push_back(std::move(difference));
  }

  void verifyPair(const PlacedInstance& a, const PlacedInstance& b, const InterferenceOptions& asked,
                  const PairInterference* pair, const Rule* rule, std::optional<std::size_t> step);
  void verifyClearanceOf(const PlacedInstance& a, const PlacedInstance& b, double clearance, bool isExact,
                         const PairInterference* pair, const OracleOptions& oracle,
                         std::optional<std::size_t> step);
  void verifyVerdictOf(const PlacedInstance& a, const PlacedInstance& b, const VerdictOptions& asked,
                       const Rule* rule, const PairInterference* pair, const OracleOptions& oracle,
                       std::optional<std::size_t> step);
};

Verifier::Verifier(const Scene& scene, const VerifyOptions& options, const Progress& progress)
    : state_(std::make_unique<State>(scene, options, progress)) {}
Verifier::~Verifier() = default;

bool Verifier::ended() const noexcept { return state_->ended(); }

VerificationReport Verifier::finish() {
  VerificationReport& report = state_->report;
  if (state_->progress.cancelled())
    report.status = ReportStatus::cancelled;
  else if (state_->ended())
    report.status = ReportStatus::truncated;
  report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - state_->begin).count();
  return std::move(report);
}

void Verifier::State::verifyPair(const PlacedInstance& a, const PlacedInstance& b,
                                 const InterferenceOptions& asked, const PairInterference* pair,
                                 const Rule* rule, std::optional<std::size_t> step) {
  const PosedModel first = posed(a), second = posed(b);
  const OracleOptions oracle = oracleFor(first, second);
  IntersectionRequest request = asked.request;
  if (asked.stopAtFirstPair) request.mode = QueryMode::firstSurfacePair;
  IntersectionReport answer;
  answer.mode = request.mode;
  if (pair != nullptr) answer = pair->report;
  if (auto found = verifyIntersection(first, second, request, answer, oracle)) {
    request.limits = {};
    const PairCheck again = [&](const PosedModel& p, const PosedModel& q) {
      return verifyIntersection(
          p, q, request, options.query ? options.query(p, q, request) : intersect(p, q, request), oracle);
    };
    return differ(a, b, step, "intersection", std::move(*found), again);
  }
  if (asked.verdict) verifyVerdictOf(a, b, *asked.verdict, rule, pair, oracle, step);
  if (rule != nullptr && rule->action == RuleAction::clearance)
    verifyClearanceOf(a, b, rule->distance, asked.verdict && asked.verdict->judgesExactShapes(), pair, oracle,
                      step);
}

void Verifier::State::verifyClearanceOf(const PlacedInstance& a, const PlacedInstance& b, double clearance,
                                        bool isExact, const PairInterference* pair,
                                        const OracleOptions& oracle, std::optional<std::size_t> step) {
  if (pair != nullptr && pair->report.status != ReportStatus::complete) return;
  const PosedModel first = posed(a), second = posed(b);
  DistanceRequest request;
  request.ignoreBeyond = clearance + (isExact ? largestChordError(first) + largestChordError(second) : 0);
  const double found = (isForBruteForce(first, second, oracle) ? bruteForceDistance(first, second, request)
                                                               : sweepDistance(first, second, request))
                           .distance();
  const double slop = distanceSlop(first, second) + clearanceRounding(first, second);
  const bool isReported = pair != nullptr && pair->tooNear.has_value();
  // Exact shapes may keep a clearance that their triangles do not, and the other way round.
  const double chordErrors = isExact ? largestChordError(first) + largestChordError(second) : 0;
  const char* problem = nullptr;
  if (isReported && found > clearance + slop + chordErrors)
    problem = "reported as nearer than its rule allows, and is not";
  else if (!isReported && found < clearance - slop - chordErrors)
    problem = "nearer than its rule allows, and not reported";
  else if (isReported && !pair->is(Verdict::clash) &&
           std::abs(pair->tooNear->distance - found) > slop + chordErrors)
    problem = "nearer than its rule allows by another distance than reported";
  if (problem != nullptr) differ(a, b, step, "clearance", {problem, {}}, notCutDown);
}

void Verifier::State::verifyVerdictOf(const PlacedInstance& a, const PlacedInstance& b,
                                      const VerdictOptions& asked, const Rule* rule,
                                      const PairInterference* pair, const OracleOptions& oracle,
                                      std::optional<std::size_t> step) {
  if (pair != nullptr && pair->isOpen()) return;
  VerdictRequest request;
  const PosedSolid first = posedSolid(a), second = posedSolid(b);
  QueryContext context;
  request.tolerance = toleranceOfPair(asked, a.node, b.node, rule, first, second, {}, context);
  request.regions = asked.regions;
  request.overlaps = asked.overlaps;
  request.measureDistance = asked.clearPairs;
  VerdictReport answer;
  if (pair != nullptr)
    answer = *pair->verdict;
  else  // a pair that is not listed is clear
    answer.tolerance = effectiveTolerance(request.tolerance, first, second);
  if (pair != nullptr && pair->areCopies &&
      !distanceOfCopies(first.solid->partModel()->mesh(), first.worldFromPart,
                        second.solid->partModel()->mesh(), second.worldFromPart,
                        std::max(answer.tolerance, minimumTolerance(first, second))))
    return differ(a, b, step, "verdict", {"reported as copies in one place, and are not", {}}, notCutDown);
  // Copies that are open or too thin for a depth clash because they are copies.
  if (pair != nullptr && pair->areCopies && !answer.depth) return;
  // What chord errors leave open is open for any tessellation that the oracle could be asked about.
  if (asked.judgesExactShapes() && answer.verdict == Verdict::undecided && answer.chordError > 0) return;
  JudgedSolids judged{first, second};
  if (asked.judgesExactShapes()) {
    (void)detail::judgeShapes(scene, a.node, first, b.node, second, request, asked, context, progress,
                              &judged);
  }
  VerdictCheck check = verifyVerdict(judged.first, judged.second, request, answer, oracle);
  report.samples += check.samples;
  if (!check.discrepancy) return;
  const PairCheck again = [&](const PosedModel& p, const PosedModel& q) {
    const PosedSolid posedP{SolidModel::build(p.model), p.worldFromPart},
        posedQ{SolidModel::build(q.model), q.worldFromPart};
    return verifyVerdict(posedP, posedQ, request, verdict(posedP, posedQ, request), oracle).discrepancy;
  };
  differ(a, b, step, "verdict", std::move(*check.discrepancy), again);
}

void Verifier::interference(std::span<const PlacedInstance> placed, std::span<const CandidatePair> candidates,
                            const InterferenceOptions& asked, const InterferenceReport& answer,
                            std::optional<std::size_t> step) {
  State& state = *state_;
  std::map<std::pair<NodeId, NodeId>, const PairInterference*> listed;
  for (const PairInterference& p : answer.pairs) listed[{p.a, p.b}] = &p;
  std::vector<std::string> paths;
  if (!asked.rules.empty()) paths = state.scene.paths();
  const auto growth = [&](const PlacedInstance& p) {
    if (!asked.verdict) return 0.0;
    return asked.verdict->tolerance
               ? *asked.verdict->tolerance
               : 2 * deflectionInWorld(state.scene.modelOf(p.node).mesh(), p.worldFromPart);
  };
  std::size_t done = 0;
  for (auto [i, j] : candidates) {
    if (ended()) return;
    if (!step)
      state.progress.report("verifying",
                            static_cast<double>(done++) / static_cast<double>(candidates.size()));
    if (placed[j].node < placed[i].node) std::swap(i, j);
    const PlacedInstance &a = placed[i], &b = placed[j];
    const auto at = listed.find({a.node, b.node});
    const PairInterference* pair = at == listed.end() ? nullptr : at->second;
    const Rule* rule = nullptr;
    if (!paths.empty()) {
      rule = asked.rules.find(paths[i], paths[j]);
      if (!asked.rules.selects(paths[i], paths[j]) ||
          (rule != nullptr && rule->action == RuleAction::ignore)) {
        if (pair != nullptr)
          state.differ(a, b, step, "intersection", {"reported, though the rules leave the pair out", {}},
                       notCutDown);
        continue;
      }
    }
    if (pair == nullptr) {
      // Missing pairs have a meaning only if the check is complete.
      if (answer.status != ReportStatus::complete || (asked.stopAtFirstPair && !answer.pairs.empty()))
        continue;
      const Box &boxA = state.boxOf(a), &boxB = state.boxOf(b);
      if (boxA.empty() || boxB.empty() ||
          apart(boxA, boxB) > std::max(growth(a) + growth(b), rule != nullptr ? rule->distance : 0.0)) {
        ++state.report.separatedPairs;
        continue;
      }
    }
    state.verifyPair(a, b, asked, pair, rule, step);
  }
}

VerificationReport verifyAllPairs(const Scene& scene, const Poses& poses, const InterferenceOptions& asked,
                                  const InterferenceReport& answer, const VerifyOptions& options,
                                  const Progress& progress) {
  scene.requireInstances(poses);
  Verifier verifier(scene, options, progress);
  const WorkMeter meter(progress);
  try {
    std::vector<PlacedInstance> placed;
    for (const NodeId node : scene.instances())
      placed.push_back(placedInstance(scene.assembly(), node, scene.worldFromPart(node, poses)));
    CandidateList all(meter);
    for (std::uint32_t i = 0; i < placed.size(); ++i)
      for (std::uint32_t j = i + 1; j < placed.size(); ++j)
        if (asked.selection.selects(i, j))
          all.add({i, j});
        else
          all.look();
    verifier.interference(placed, all.take(), asked, answer);
  } catch (const CancelledError&) {  // the report says so
  }
  return verifier.finish();
}

/// Compares a list of distances pair by pair.
class ClearanceVerifier {
 public:
  ClearanceVerifier(Verifier& verifier, const Poses& poses, const ClearanceQuestion& asked,
                    const ClearanceReport& answer)
      : state_(*verifier.state_), poses_(poses), asked_(asked), answer_(answer) {
    for (const InstanceDistance& p : answer.pairs) listed_[{p.a, p.b}].push_back(p.nearest);
  }

  void pair(NodeId nodeA, NodeId nodeB) {
    if (state_.ended()) return;
    if (listed_.contains({nodeB, nodeA})) std::swap(nodeA, nodeB);
    const PlacedInstance a = placed(nodeA), b = placed(nodeB);
    const auto at = listed_.find({nodeA, nodeB});
    const bool isListed = at != listed_.end();
    if (!isListed && answer_.status != ReportStatus::complete) return;

    DistanceRequest request;
    std::optional<double> most = asked_.listWithin;
    if (!most) {
      // For a least distance, every other pair must be farther apart. A pair that is near enough ends the
      // search.
      if (!isListed && !answer_.pairs.empty() &&
          (asked_.request.within || answer_.pairs.front().nearest.distance == 0))
        return;
      if (isListed)
        request.within = asked_.request.within;
      else if (!answer_.pairs.empty())
        most = answer_.pairs.front().nearest.distance;
      for (const auto& limit : {asked_.request.within, asked_.request.ignoreBeyond})
        if (limit) most = std::min(most.value_or(*limit), *limit);
    }
    const Box &boxA = state_.boxOf(a), &boxB = state_.boxOf(b);
    if (!isListed && (boxA.empty() || boxB.empty() || (most && apart(boxA, boxB) > *most))) {
      ++state_.report.separatedPairs;
      return;
    }
    request.ignoreBeyond = most;
    compare(a, b, request, isListed ? at->second : std::vector<NearestPair>{});
  }

 private:
  void compare(const PlacedInstance& a, const PlacedInstance& b, const DistanceRequest& request,
               const std::vector<NearestPair>& reported) {
    const PosedModel first = state_.posed(a), second = state_.posed(b);
    const OracleOptions oracle = state_.oracleFor(first, second);
    if (asked_.listWithin && asked_.detail == ClearanceDetail::surfaces) {
      const double clearance = *asked_.listWithin;
      if (auto found = verifySurfaceDistances(first, second, clearance, request,
                                              {reported, answer_.status, {}}, oracle))
        state_.differ(a, b, {}, "distance", std::move(*found), [&](const PosedModel& p, const PosedModel& q) {
          QueryContext context;
          return verifySurfaceDistances(p, q, clearance, {}, surfacePairsWithin(p, q, clearance, {}, context),
                                        oracle);
        });
      return;
    }
    DistanceReport answer;
    if (!reported.empty()) answer.nearest = reported.front();
    answer.status = answer_.status;
    if (auto found = verifyDistance(first, second, request, answer, oracle))
      state_.differ(a, b, {}, "distance", std::move(*found), [&](const PosedModel& p, const PosedModel& q) {
        return verifyDistance(p, q, request, distance(p, q, request), oracle);
      });
  }

  [[nodiscard]] PlacedInstance placed(NodeId node) const {
    return placedInstance(state_.scene.assembly(), node, state_.scene.worldFromPart(node, poses_));
  }

  Verifier::State& state_;
  const Poses& poses_;
  const ClearanceQuestion& asked_;
  const ClearanceReport& answer_;
  std::map<std::pair<NodeId, NodeId>, std::vector<NearestPair>> listed_;
};

VerificationReport verifyClearance(const Scene& scene, const Poses& poses, const ClearanceQuestion& asked,
                                   const ClearanceReport& answer, const VerifyOptions& options,
                                   const Progress& progress) {
  scene.requireInstances(poses);
  Verifier verifier(scene, options, progress);
  ClearanceVerifier pairs(verifier, poses, asked, answer);
  const WorkMeter meter(progress);
  std::vector<std::pair<NodeId, NodeId>> all;
  try {
    PairList<std::pair<NodeId, NodeId>> list(meter);
    if (asked.first.empty() && asked.second.empty()) {
      const std::span<const NodeId> instances = scene.instances();
      for (std::size_t i = 0; i < instances.size(); ++i)
        for (std::size_t j = i + 1; j < instances.size(); ++j) list.add({instances[i], instances[j]});
    } else {
      for (const NodeId a : asked.first)
        for (const NodeId b : asked.second) list.add({a, b});
    }
    all = list.take();
  } catch (const CancelledError&) {  // the report says so
    return verifier.finish();
  }
  for (std::size_t k = 0; k < all.size() && !verifier.ended(); ++k) {
    progress.report("verifying", static_cast<double>(k) / static_cast<double>(all.size()));
    pairs.pair(all[k].first, all[k].second);
  }
  return verifier.finish();
}

}  // namespace fitup
