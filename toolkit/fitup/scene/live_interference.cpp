#include <fitup/scene/live_interference.h>

#include <algorithm>
#include <chrono>

#include <fitup/base/error.h>

namespace fitup {

LiveInterference::LiveInterference(const Assembly& assembly, const CollisionModels& models,
                                   const InterferenceOptions& options, const Progress& progress)
    : matched_(assembly, models), options_(options) {
  if (options_.stopAtFirstPair || options_.request.limits.maxPairs)
    throw InputError("live check", "limits", "a limit of pairs has no meaning here");
  if (options_.verdict && options_.verdict->bodies == nullptr) {
    ownBodies_ = buildBodyModels(models, progress, options_.threads);
    if (!ownBodies_.empty()) options_.verdict->bodies = &ownBodies_;
  }
  for (NodeId node : assembly.instances()) {
    const auto position = static_cast<std::uint32_t>(placed_.size());
    positions_[node] = position;
    pending_.insert(position);
    placed_.push_back(placedForCheck(assembly, node, assembly.worldFromNode(node), options_));
    if (!options_.rules.empty()) paths_.push_back(assembly.path(node));
  }
  sweep_ = InstanceSweep(placed_);
  recheck(progress);
  report_.consideredPairs = placed_.size() * (placed_.size() - std::min<std::size_t>(placed_.size(), 1)) / 2;
  if (options_.rules.check) {
    SelectedPairs selected(options_.rules);
    for (const std::string& path : paths_) selected.add(path);
    report_.consideredPairs = selected.within();
  }
}

std::uint32_t LiveInterference::positionOf(NodeId instance) const {
  const auto found = positions_.find(instance);
  if (found == positions_.end())
    throw InputError("live check", "node " + std::to_string(index(instance)), "is no instance");
  return found->second;
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
  sweep_.move(std::vector<std::uint32_t>(positions.begin(), positions.end()), placed_);
  pending_.merge(positions);
  recheck(progress);
  return report_;
}

LiveInterference::Met LiveInterference::met(std::uint32_t i, std::uint32_t j) const {
  if (options_.rules.empty()) return Met::narrow;
  if (!options_.rules.selects(paths_[i], paths_[j])) return Met::unselected;
  const Rule* rule = options_.rules.find(paths_[i], paths_[j]);
  return rule != nullptr && rule->action == RuleAction::ignore ? Met::excluded : Met::narrow;
}

void LiveInterference::recheck(const Progress& progress) {
  const auto begin = std::chrono::steady_clock::now();
  const auto isPending = [&](std::uint32_t i) { return pending_.contains(i); };
  std::erase_if(meeting_, [&](const auto& entry) {
    return isPending(entry.first.first) || isPending(entry.first.second);
  });
  std::erase_if(report_.pairs, [&](const PairInterference& p) {
    return isPending(positions_.at(p.a)) || isPending(positions_.at(p.b));
  });

  std::vector<CandidatePair> candidates;
  const auto consider = [&](std::uint32_t i, std::uint32_t j) {
    // Of two moved instances the pair is formed once.
    if (isPending(j) && j < i) return;
    const CandidatePair pair = std::minmax(i, j);
    if (!mayMeet(placed_[pair.first], placed_[pair.second])) return;
    const Met kind = met(pair.first, pair.second);
    meeting_[pair] = kind;
    if (kind == Met::narrow) candidates.push_back(pair);
  };
  for (const std::uint32_t i : pending_)
    for (const std::uint32_t j : sweep_.partners(i)) consider(i, j);

  InterferenceReport changed =
      checkPairs(matched_, placed_, candidates, paths_, options_, contexts_, progress);
  const auto byNodes = [](const PairInterference& p, const PairInterference& q) {
    return std::pair(p.a, p.b) < std::pair(q.a, q.b);
  };
  const auto middle = static_cast<std::ptrdiff_t>(report_.pairs.size());
  report_.pairs.insert(report_.pairs.end(), std::make_move_iterator(changed.pairs.begin()),
                       std::make_move_iterator(changed.pairs.end()));
  std::inplace_merge(report_.pairs.begin(), report_.pairs.begin() + middle, report_.pairs.end(), byNodes);
  report_.narrowPairs = report_.excludedPairs = report_.unselectedPairs = 0;
  for (const auto& [pair, kind] : meeting_)
    ++(kind == Met::narrow     ? report_.narrowPairs
       : kind == Met::excluded ? report_.excludedPairs
                               : report_.unselectedPairs);
  report_.status = changed.status;
  report_.stats = changed.stats;
  if (changed.status == ReportStatus::complete) pending_.clear();
  report_.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace fitup
