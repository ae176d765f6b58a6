#include <fitup/scene/live_interference.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/scene/detail/instance_sweep.h>
#include <fitup/scene/detail/open_parts.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

bool byNodes(const PairInterference& p, const PairInterference& q) {
  return std::pair(p.a, p.b) < std::pair(q.a, q.b);
}

bool hasChordErrors(const TriangleMesh& mesh) {
  for (std::uint32_t i = 0; i < mesh.surfaces().size(); ++i)
    if (mesh.chordErrorOf(SurfaceId(i)).value_or(0) > 0) return true;
  return false;
}

/// The options of a check that judges the triangles where these judge exact shapes, at the tolerances of
/// whole parts where these have those of the faces at hand.
InterferenceOptions ofTriangles(InterferenceOptions options) {
  options.verdict->exactShapes = false;
  options.verdict->tolerancesOfFaces = false;
  return options;
}

/// The options of what catches up: it is no part of the time of a call, and takes its pairs from elsewhere.
InterferenceOptions forCatchUp(InterferenceOptions options) {
  options.request.limits.timeBudget.reset();
  options.request.coherence = Coherence::off;  // the contexts are those of the triangles
  return options;
}

}  // namespace

class LiveInterference::Impl {
 public:
  Impl(const Scene& scene, const Poses& poses, const InterferenceOptions& options, const Progress& progress,
       JudgeExactShapes when);
  Impl(const Impl& former, const Scene& scene, const Poses& poses,
       std::span<const std::optional<NodeId>> formerly, const PairSelection& selection,
       const Progress& progress);

  const InterferenceReport& move(const Poses& moves, const Progress& progress);
  const InterferenceReport& moveTo(const Poses& poses, const Progress& progress);
  const InterferenceReport& catchUp(const Progress& progress,
                                    const std::optional<std::chrono::nanoseconds>& within);
  [[nodiscard]] const InterferenceReport& report() const noexcept { return report_; }
  [[nodiscard]] std::size_t openPairs() const noexcept { return open_.size() + moved_.size(); }
  [[nodiscard]] std::size_t pairsOfTriangles() const noexcept { return ofTriangles_.size(); }
  [[nodiscard]] const Transform& worldFromPart(NodeId instance) const;

 private:
  void place(const Poses& poses);
  void adopt(const Impl& former, std::span<const std::optional<NodeId>> formerly);
  [[nodiscard]] CandidatePair positionsOf(const PairInterference& pair) const;
  [[nodiscard]] bool needsExactShapes(const CandidatePair& pair) const {
    return exact_ && (hasChordErrors_[pair.first] || hasChordErrors_[pair.second]);
  }
  void recheck(const Progress& progress);
  void findPairs(const WorkMeter& meter);
  void checkOpen(const Progress& progress);
  ReportStatus checkInTurn(const Progress& progress);
  bool checkSome(std::span<const CandidatePair> pairs, const InterferenceOptions& options,
                 const Progress& progress, ReportStatus& status);
  void replace(std::span<const CandidatePair> pairs, InterferenceReport found);
  void takeStatusOfPairs();

  Scene scene_;
  InterferenceOptions options_;
  /// Those of `catchUp`, if there is something to catch up with; `options_` then judge the triangles.
  std::optional<InterferenceOptions> exact_;
  std::vector<PlacedInstance> placed_;
  InstanceSweep sweep_;                        ///< of `placed_`
  std::set<std::uint32_t> displaced_;          ///< instances that are not at their design placements
  std::map<CandidatePair, PairKind> meeting_;  ///< pairs whose boxes meet, the lower position first
  std::set<std::uint32_t> moved_;              ///< instances whose pairs are still to be searched
  std::set<CandidatePair> open_;               ///< pairs of `meeting_` whose check is not complete
  CandidatePair resume_{};                     ///< where a check that was cut short continues
  std::vector<bool> hasChordErrors_;           ///< of the parts of instances; empty without `exact_`
  std::set<CandidatePair> ofTriangles_;        ///< pairs of `meeting_` that `catchUp` still has to judge
  CheckContexts contexts_, exactContexts_;
  InterferenceReport report_;
};

LiveInterference::Impl::Impl(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                             const Progress& progress, JudgeExactShapes when)
    : scene_(scene), options_(options) {
  if (when == JudgeExactShapes::onCatchUp && options.verdict && options.verdict->catchesUp()) {
    exact_ = forCatchUp(options);
    options_ = ofTriangles(options);
  }
  if (options_.stopAtFirstPair || options_.request.limits.maxPairs)
    throw InputError("live check", "limits", "a limit of pairs does not apply here");
  place(poses);
  recheck(progress);
}

LiveInterference::Impl::Impl(const Impl& former, const Scene& scene, const Poses& poses,
                             std::span<const std::optional<NodeId>> formerly, const PairSelection& selection,
                             const Progress& progress)
    : scene_(scene), options_(former.options_), exact_(former.exact_) {
  options_.selection = selection;
  place(poses);
  if (formerly.size() != placed_.size())
    throw InputError("live check", "former instances",
                     std::to_string(formerly.size()) + " for " + std::to_string(placed_.size()));
  adopt(former, formerly);
  recheck(progress);
}

void LiveInterference::Impl::place(const Poses& poses) {
  placed_ = placedForCheck(scene_, poses, options_);
  report_.consideredPairs = countConsideredPairs(scene_, options_);
  for (std::uint32_t position = 0; position < placed_.size(); ++position) moved_.insert(position);
  for (const auto& [instance, worldFromPart] : poses) displaced_.insert(scene_.positionOf(instance));
  if (!exact_) return;
  std::map<PartId, bool> ofPart;
  for (const PlacedInstance& instance : placed_) {
    const PartId part = scene_.assembly().partOf(instance.node);
    const auto [known, isNew] = ofPart.try_emplace(part, false);
    if (isNew) known->second = hasChordErrors(scene_.assembly().part(part));
    hasChordErrors_.push_back(known->second);
  }
}

/// Takes over the results of pairs that have not changed.
void LiveInterference::Impl::adopt(const Impl& former, std::span<const std::optional<NodeId>> formerly) {
  const PairSelection &selection = options_.selection, &formerSelection = former.options_.selection;
  if (selection.all() != formerSelection.all()) return;
  std::map<std::uint32_t, std::uint32_t> hereOf;
  for (std::uint32_t k = 0; k < placed_.size(); ++k) {
    if (!formerly[k]) continue;
    const std::uint32_t f = former.scene_.positionOf(*formerly[k]);
    if (former.moved_.contains(f)) continue;
    const bool sameSets = selection.all() || (selection.first[k] == formerSelection.first[f] &&
                                              selection.second[k] == formerSelection.second[f]);
    if (!sameSets || placed_[k].worldFromPart != former.placed_[f].worldFromPart ||
        &scene_.modelOf(placed_[k].node) != &former.scene_.modelOf(former.placed_[f].node) ||
        (!options_.rules.empty() && scene_.paths()[k] != former.scene_.paths()[f]))
      continue;
    hereOf[f] = k;
    moved_.erase(k);
  }
  for (const auto& [pair, kind] : former.meeting_) {
    const auto first = hereOf.find(pair.first), second = hereOf.find(pair.second);
    if (first == hereOf.end() || second == hereOf.end()) continue;
    const CandidatePair here = std::minmax(first->second, second->second);
    meeting_[here] = kind;
    // Results are stored with the lower node first.
    if (kind == PairKind::narrow && (former.open_.contains(pair) || here.first != first->second))
      open_.insert(here);
    if (former.ofTriangles_.contains(pair) || (open_.contains(here) && needsExactShapes(here)))
      ofTriangles_.insert(here);
  }
  for (const PairInterference& found : former.report_.pairs) {
    const CandidatePair pair = former.positionsOf(found);
    const auto first = hereOf.find(pair.first), second = hereOf.find(pair.second);
    if (first == hereOf.end() || second == hereOf.end()) continue;
    if (open_.contains(std::minmax(first->second, second->second))) continue;
    PairInterference& here = report_.pairs.emplace_back(found);
    here.a = placed_[first->second].node;
    here.b = placed_[second->second].node;
  }
  std::sort(report_.pairs.begin(), report_.pairs.end(), byNodes);
}

CandidatePair LiveInterference::Impl::positionsOf(const PairInterference& pair) const {
  return std::minmax(scene_.positionOf(pair.a), scene_.positionOf(pair.b));
}

const Transform& LiveInterference::Impl::worldFromPart(NodeId instance) const {
  return placed_[scene_.positionOf(instance)].worldFromPart;
}

const InterferenceReport& LiveInterference::Impl::move(const Poses& moves, const Progress& progress) {
  std::vector<std::pair<std::uint32_t, PlacedInstance>> moved;
  for (const auto& [instance, worldFromPart] : moves)
    moved.emplace_back(scene_.positionOf(instance),
                       placedForCheck(scene_.assembly(), instance, worldFromPart, options_));
  for (auto& [position, instance] : moved) {
    placed_[position] = std::move(instance);
    moved_.insert(position);
    displaced_.insert(position);
  }
  recheck(progress);
  return report_;
}

const InterferenceReport& LiveInterference::Impl::moveTo(const Poses& poses, const Progress& progress) {
  Poses moves;
  for (const auto& [instance, placement] : poses)
    if (worldFromPart(instance) != placement) moves.set(instance, placement);
  std::vector<std::uint32_t> back;
  for (const std::uint32_t position : displaced_)
    if (const NodeId instance = placed_[position].node; poses.find(instance) == nullptr) {
      moves.set(instance, scene_.designPlacement(instance));
      back.push_back(position);
    }
  const InterferenceReport& report = move(moves, progress);
  for (const std::uint32_t position : back) displaced_.erase(position);
  return report;
}

void LiveInterference::Impl::recheck(const Progress& progress) {
  const auto begin = Clock::now();
  bool areKnown = true;
  try {
    if (!moved_.empty()) findPairs(WorkMeter(progress));
    if (options_.verdict) {
      std::set<PartId> parts;
      for (const auto& [pair, kind] : meeting_)
        if (kind == PairKind::narrow)
          for (const std::uint32_t i : {pair.first, pair.second})
            parts.insert(scene_.assembly().partOf(placed_[i].node));
      const std::vector<PartId> asked(parts.begin(), parts.end());
      scene_.prepareSolids(asked, progress, options_.threads);
      report_.openParts = detail::openParts(scene_, asked);
    }
  } catch (const CancelledError&) {
    areKnown = false;
  }
  report_.stats = {};
  report_.narrowPairs = report_.excludedPairs = report_.unselectedPairs = 0;
  for (const auto& [pair, kind] : meeting_)
    ++(kind == PairKind::narrow     ? report_.narrowPairs
       : kind == PairKind::excluded ? report_.excludedPairs
                                    : report_.unselectedPairs);
  if (areKnown)
    checkOpen(progress);
  else
    report_.status = ReportStatus::cancelled;
  takeStatusOfPairs();
  report_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Forgets the results of moved instances and finds their current pairs. If it is cut short, they stay moved,
/// so that the next call repeats it.
void LiveInterference::Impl::findPairs(const WorkMeter& meter) {
  const auto isMoved = [&](const CandidatePair& pair) {
    return moved_.contains(pair.first) || moved_.contains(pair.second);
  };
  std::erase_if(meeting_, [&](const auto& entry) { return isMoved(entry.first); });
  std::erase_if(open_, isMoved);
  std::erase_if(ofTriangles_, isMoved);
  std::erase_if(report_.pairs, [&](const PairInterference& p) { return isMoved(positionsOf(p)); });
  sweep_.move(std::vector<std::uint32_t>(moved_.begin(), moved_.end()), placed_, meter);
  const auto pathOf = [&](std::uint32_t i) {
    return options_.rules.empty() ? std::string_view() : std::string_view(scene_.paths()[i]);
  };
  for (const std::uint32_t i : moved_)
    for (const std::uint32_t j : sweep_.partners(i)) {
      // A pair of two moved instances is formed once.
      if (j < i && moved_.contains(j)) continue;
      meter.poll();  // each time: there may be many rules
      if (!options_.selection.selects(i, j)) continue;
      const CandidatePair pair = std::minmax(i, j);
      const PairKind kind = kindOfPair(placed_[pair.first], placed_[pair.second], options_.rules,
                                       pathOf(pair.first), pathOf(pair.second));
      if (kind == PairKind::apart) continue;
      meeting_[pair] = kind;
      if (kind != PairKind::narrow) continue;
      open_.insert(pair);
      if (needsExactShapes(pair)) ofTriangles_.insert(pair);
    }
  moved_.clear();
}

/// Checks some of the open pairs. Returns false if that was cut short; all of them then stay open.
bool LiveInterference::Impl::checkSome(std::span<const CandidatePair> pairs,
                                       const InterferenceOptions& options, const Progress& progress,
                                       ReportStatus& status) {
  InterferenceReport found = checkPairs(scene_, placed_, pairs, options, contexts_, progress);
  report_.stats += found.stats;
  report_.pairs.insert(report_.pairs.end(), std::make_move_iterator(found.pairs.begin()),
                       std::make_move_iterator(found.pairs.end()));
  if (found.status != ReportStatus::complete) {
    status = std::max(status, found.status);
    return false;
  }
  for (const CandidatePair& pair : pairs) open_.erase(pair);
  return true;
}

void LiveInterference::Impl::checkOpen(const Progress& progress) {
  report_.status = open_.empty() ? ReportStatus::complete : ReportStatus::truncated;  // for the moment
  std::erase_if(report_.pairs, [&](const PairInterference& p) { return open_.contains(positionsOf(p)); });
  if (open_.empty()) return;
  const auto known = static_cast<std::ptrdiff_t>(report_.pairs.size());
  const auto sortIn = [&] {
    const auto middle = report_.pairs.begin() + known;
    std::sort(middle, report_.pairs.end(), byNodes);
    std::inplace_merge(report_.pairs.begin(), middle, report_.pairs.end(), byNodes);
  };
  try {
    report_.status = checkInTurn(progress);
  } catch (...) {
    sortIn();
    throw;
  }
  sortIn();
}

ReportStatus LiveInterference::Impl::checkInTurn(const Progress& progress) {
  // Starts behind the pair that cut the last call short, because it could otherwise block all others forever.
  std::vector<CandidatePair> pairs(open_.begin(), open_.end());
  std::rotate(pairs.begin(), std::lower_bound(pairs.begin(), pairs.end(), resume_), pairs.end());
  ReportStatus status = ReportStatus::complete;
  const auto& budget = options_.request.limits.timeBudget;
  if (!budget) {
    checkSome(pairs, options_, progress, status);
  } else {
    // Only in a batch of one is it known which pairs were checked before time ran out.
    const auto begin = Clock::now();
    InterferenceOptions options = options_;
    const unsigned workers = workerCount(options_.threads, pairs.size());
    const std::size_t batch = workers == 1 ? 1 : std::size_t{8} * workers;
    for (std::size_t i = 0; i < pairs.size(); i += batch) {
      options.request.limits.timeBudget = *budget - (Clock::now() - begin);
      const auto some = std::span(pairs).subspan(i, std::min(batch, pairs.size() - i));
      if (*options.request.limits.timeBudget <= std::chrono::nanoseconds{0}) {
        status = std::max(status, ReportStatus::truncated);
        resume_ = some.front();
        break;
      }
      if (checkSome(some, options, progress, status)) continue;
      resume_ = i + some.size() < pairs.size() ? pairs[i + some.size()] : CandidatePair{};
      break;
    }
  }
  return status;
}

const InterferenceReport& LiveInterference::Impl::catchUp(
    const Progress& progress, const std::optional<std::chrono::nanoseconds>& within) {
  const auto begin = Clock::now();
  std::vector<CandidatePair> pairs;
  for (const CandidatePair& pair : ofTriangles_)
    if (!open_.contains(pair) && !moved_.contains(pair.first) && !moved_.contains(pair.second))
      pairs.push_back(pair);
  // In small batches, because a cancel undoes a whole one.
  const std::size_t batch = workerCount(options_.threads, std::max<std::size_t>(pairs.size(), 1));
  for (std::size_t i = 0; i < pairs.size(); i += batch) {
    if (progress.cancelled() || (i > 0 && within && Clock::now() - begin >= *within)) break;
    progress.report("exact shapes", static_cast<double>(i) / static_cast<double>(pairs.size()));
    const auto some = std::span(pairs).subspan(i, std::min(batch, pairs.size() - i));
    InterferenceReport found = checkPairs(scene_, placed_, some, *exact_, exactContexts_, progress);
    if (found.status == ReportStatus::cancelled) break;
    replace(some, std::move(found));
  }
  takeStatusOfPairs();
  return report_;
}

/// Replaces the results of these pairs.
void LiveInterference::Impl::replace(std::span<const CandidatePair> pairs, InterferenceReport found) {
  for (const CandidatePair& pair : pairs) {
    ofTriangles_.erase(pair);
    const auto [a, b] = std::minmax(placed_[pair.first].node, placed_[pair.second].node);
    PairInterference key;
    key.a = a;
    key.b = b;
    const auto [first, last] = std::equal_range(report_.pairs.begin(), report_.pairs.end(), key, byNodes);
    report_.pairs.erase(first, last);
  }
  for (PairInterference& pair : found.pairs)
    report_.pairs.insert(std::lower_bound(report_.pairs.begin(), report_.pairs.end(), pair, byNodes),
                         std::move(pair));
}

/// A search on exact shapes that came to a limit of its own is kept, and the report is then incomplete.
void LiveInterference::Impl::takeStatusOfPairs() {
  if (!exact_) return;
  for (const PairInterference& pair : report_.pairs)
    report_.status = std::max(report_.status, pair.report.status);
}

LiveInterference::LiveInterference(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                                   const Progress& progress, JudgeExactShapes when)
    : impl_(std::make_unique<Impl>(scene, poses, options, progress, when)) {}

LiveInterference::LiveInterference(const LiveInterference& former, const Scene& scene, const Poses& poses,
                                   std::span<const std::optional<NodeId>> formerly,
                                   const PairSelection& selection, const Progress& progress)
    : impl_(std::make_unique<Impl>(*former.impl_, scene, poses, formerly, selection, progress)) {}

LiveInterference::~LiveInterference() = default;

const InterferenceReport& LiveInterference::move(const Poses& moves, const Progress& progress) {
  return impl_->move(moves, progress);
}

const InterferenceReport& LiveInterference::moveTo(const Poses& poses, const Progress& progress) {
  return impl_->moveTo(poses, progress);
}

const InterferenceReport& LiveInterference::catchUp(const Progress& progress,
                                                    const std::optional<std::chrono::nanoseconds>& within) {
  return impl_->catchUp(progress, within);
}

const InterferenceReport& LiveInterference::report() const noexcept { return impl_->report(); }

std::size_t LiveInterference::openPairs() const noexcept { return impl_->openPairs(); }

std::size_t LiveInterference::pairsOfTriangles() const noexcept { return impl_->pairsOfTriangles(); }

const Transform& LiveInterference::worldFromPart(NodeId instance) const {
  return impl_->worldFromPart(instance);
}

}  // namespace fitup
