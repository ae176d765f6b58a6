#include <fitup/scene/live_interference.h>

#include <algorithm>
#include <chrono>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/scene/detail/open_parts.h>

namespace fitup {
namespace {

using Clock = std::chrono::steady_clock;

bool byNodes(const PairInterference& p, const PairInterference& q) {
  return std::pair(p.a, p.b) < std::pair(q.a, q.b);
}

/// Those that the former check has built are taken over.
BodyModels bodiesOf(const CollisionModels& models, const CollisionModels& formerModels,
                    const BodyModels& formerBodies, const Progress& progress, unsigned threads) {
  std::map<const CollisionModel*, std::shared_ptr<const BodyModel>> known;
  for (std::size_t i = 0; i < formerBodies.size(); ++i) known[formerModels[i].get()] = formerBodies[i];
  CollisionModels missing;
  for (const auto& model : models)
    if (!known.contains(model.get())) missing.push_back(model);
  const BodyModels built = buildBodyModels(missing, progress, threads);
  if (built.size() != missing.size()) return {};
  for (std::size_t i = 0; i < missing.size(); ++i) known[missing[i].get()] = built[i];
  BodyModels bodies;
  for (const auto& model : models) bodies.push_back(known.at(model.get()));
  return bodies;
}

}  // namespace

LiveInterference::LiveInterference(const Assembly& assembly, const CollisionModels& models,
                                   const InterferenceOptions& options, const Progress& progress,
                                   PairSelection selection)
    : matched_(assembly, models), options_(options), selection_(std::move(selection)) {
  if (options_.stopAtFirstPair || options_.request.limits.maxPairs)
    throw InputError("live check", "limits", "a limit of pairs has no meaning here");
  place(assembly);
  recheck(progress);
}

LiveInterference::LiveInterference(const LiveInterference& former, const Assembly& assembly,
                                   const CollisionModels& models,
                                   std::span<const std::optional<NodeId>> formerly, const Progress& progress,
                                   PairSelection selection)
    : matched_(assembly, models), options_(former.options_), selection_(std::move(selection)) {
  if (options_.verdict && options_.verdict->bodies == &former.ownBodies_) {
    ownBodies_ = bodiesOf(models, former.matched_.models(), former.ownBodies_, progress, options_.threads);
    options_.verdict->bodies = ownBodies_.empty() ? nullptr : &ownBodies_;
  }
  place(assembly);
  if (formerly.size() != placed_.size())
    throw InputError("live check", "former instances",
                     std::to_string(formerly.size()) + " for " + std::to_string(placed_.size()));
  adopt(former, formerly);
  recheck(progress);
}

void LiveInterference::place(const Assembly& assembly) {
  for (NodeId node : assembly.instances()) {
    const auto position = static_cast<std::uint32_t>(placed_.size());
    positions_[node] = position;
    moved_.insert(position);
    placed_.push_back(placedForCheck(assembly, node, assembly.worldFromNode(node), options_));
    if (!options_.rules.empty()) paths_.push_back(assembly.path(node));
  }
  if (!selection_.all() &&
      (selection_.first.size() != placed_.size() || selection_.second.size() != placed_.size()))
    throw InputError("live check", "selection", "is of another number of instances");
  report_.consideredPairs = selection_.count(placed_.size());
  if (options_.rules.check && selection_.all()) {
    SelectedPairs selected(options_.rules);
    for (const std::string& path : paths_) selected.add(path);
    report_.consideredPairs = selected.within();
  }
}

/// Takes over what is known of pairs of which nothing has changed.
void LiveInterference::adopt(const LiveInterference& former,
                             std::span<const std::optional<NodeId>> formerly) {
  if (selection_.all() != former.selection_.all()) return;
  std::map<std::uint32_t, std::uint32_t> hereOf;
  for (std::uint32_t k = 0; k < placed_.size(); ++k) {
    const auto was = formerly[k] ? former.positions_.find(*formerly[k]) : former.positions_.end();
    if (was == former.positions_.end() || former.moved_.contains(was->second)) continue;
    const std::uint32_t f = was->second;
    const bool sameSets = selection_.all() || (selection_.first[k] == former.selection_.first[f] &&
                                               selection_.second[k] == former.selection_.second[f]);
    if (!sameSets || placed_[k].worldFromPart != former.placed_[f].worldFromPart ||
        &matched_.of(placed_[k].node) != &former.matched_.of(former.placed_[f].node) ||
        (!paths_.empty() && paths_[k] != former.paths_[f]))
      continue;
    hereOf[f] = k;
    moved_.erase(k);
  }
  for (const auto& [pair, kind] : former.meeting_) {
    const auto first = hereOf.find(pair.first), second = hereOf.find(pair.second);
    if (first == hereOf.end() || second == hereOf.end()) continue;
    const CandidatePair here = std::minmax(first->second, second->second);
    meeting_[here] = kind;
    // Answers are kept with the lower node first.
    if (kind == PairKind::narrow && (former.open_.contains(pair) || here.first != first->second))
      open_.insert(here);
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

std::uint32_t LiveInterference::positionOf(NodeId instance) const {
  const auto found = positions_.find(instance);
  if (found == positions_.end())
    throw InputError("live check", "node " + std::to_string(index(instance)), "is no instance");
  return found->second;
}

CandidatePair LiveInterference::positionsOf(const PairInterference& pair) const {
  return std::minmax(positions_.at(pair.a), positions_.at(pair.b));
}

const Transform& LiveInterference::worldFromPart(NodeId instance) const {
  return placed_[positionOf(instance)].worldFromPart;
}

const InterferenceReport& LiveInterference::move(std::span<const InstanceMove> moves,
                                                 const Progress& progress) {
  std::vector<std::pair<std::uint32_t, PlacedInstance>> moved;
  for (const InstanceMove& m : moves) {
    const std::uint32_t position = positionOf(m.instance);
    moved.emplace_back(position, placedForCheck(matched_.assembly(), m.instance, m.worldFromPart, options_));
  }
  std::set<std::uint32_t> positions;
  for (auto& [position, instance] : moved) {
    placed_[position] = std::move(instance);
    positions.insert(position);
  }
  moved_.merge(positions);
  recheck(progress);
  return report_;
}

void LiveInterference::recheck(const Progress& progress) {
  const auto begin = Clock::now();
  bool areKnown = true;
  try {
    if (!moved_.empty()) findPairs(WorkMeter(progress));
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
  if (options_.verdict) {
    detail::OpenParts open(options_.verdict->bodies);
    for (const auto& [pair, kind] : meeting_)
      if (kind == PairKind::narrow)
        for (const std::uint32_t i : {pair.first, pair.second})
          open.add(matched_.assembly().partOf(placed_[i].node));
    report_.openParts = open.list();
  }
  report_.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Forgets what was known of moved instances and finds the pairs that they are in now. Where it does not come
/// to its end they stay moved, so that the next call does the same.
void LiveInterference::findPairs(const WorkMeter& meter) {
  const auto isMoved = [&](const CandidatePair& pair) {
    return moved_.contains(pair.first) || moved_.contains(pair.second);
  };
  std::erase_if(meeting_, [&](const auto& entry) { return isMoved(entry.first); });
  std::erase_if(open_, isMoved);
  std::erase_if(report_.pairs, [&](const PairInterference& p) { return isMoved(positionsOf(p)); });
  sweep_.move(std::vector<std::uint32_t>(moved_.begin(), moved_.end()), placed_, meter);
  const auto pathOf = [&](std::uint32_t i) { return paths_.empty() ? std::string_view() : paths_[i]; };
  for (const std::uint32_t i : moved_)
    for (const std::uint32_t j : sweep_.partners(i)) {
      // Of two moved instances the pair is formed once.
      if (j < i && moved_.contains(j)) continue;
      meter.poll();  // each time: rules may be many
      if (!selection_.selects(i, j)) continue;
      const CandidatePair pair = std::minmax(i, j);
      const PairKind kind = kindOfPair(placed_[pair.first], placed_[pair.second], options_.rules,
                                       pathOf(pair.first), pathOf(pair.second));
      if (kind == PairKind::apart) continue;
      meeting_[pair] = kind;
      if (kind == PairKind::narrow) open_.insert(pair);
    }
  moved_.clear();
}

/// Checks some of the open pairs; false if that was cut short, and then they all stay open.
bool LiveInterference::checkSome(std::span<const CandidatePair> pairs, const InterferenceOptions& options,
                                 const Progress& progress, ReportStatus& status) {
  InterferenceReport found = checkPairs(matched_, placed_, pairs, paths_, options, contexts_, progress);
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

void LiveInterference::checkOpen(const Progress& progress) {
  report_.status = open_.empty() ? ReportStatus::complete : ReportStatus::truncated;  // until it is done
  std::erase_if(report_.pairs, [&](const PairInterference& p) { return open_.contains(positionsOf(p)); });
  if (open_.empty()) return;
  if (options_.verdict && options_.verdict->bodies == nullptr) {
    ownBodies_ = buildBodyModels(matched_.models(), progress, options_.threads);
    if (!ownBodies_.empty()) options_.verdict->bodies = &ownBodies_;
  }
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

ReportStatus LiveInterference::checkInTurn(const Progress& progress) {
  // Beginning behind the pair that cut the last call short, which else might keep all others from their turn.
  std::vector<CandidatePair> pairs(open_.begin(), open_.end());
  std::rotate(pairs.begin(), std::lower_bound(pairs.begin(), pairs.end(), resume_), pairs.end());
  ReportStatus status = ReportStatus::complete;
  const auto& budget = options_.request.limits.timeBudget;
  if (!budget) {
    checkSome(pairs, options_, progress, status);
  } else {
    // Only of a batch of one is it known which pairs were answered before time was up.
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

}  // namespace fitup
