#include <fitup/io/detail/former_pairs.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/match_findings.h>

namespace fitup::detail {
namespace {

constexpr std::string_view onlySolid = "/SOLID";

/// The path of the parent; empty at the root.
std::string above(const std::string& path) {
  const std::size_t end = path.rfind('/');
  return end == std::string::npos ? std::string() : path.substr(0, end);
}

/// The former parts of the current instances.
class FormerPaths {
 public:
  explicit FormerPaths(const std::vector<std::string>& instances)
      : instances_(instances.begin(), instances.end()) {
    for (const std::string& path : instances)
      if (const std::string product = above(path); !product.empty()) {
        const auto [at, isNew] = bodies_.try_emplace(product, Bodies{path, 0});
        ++at->second.count;
      }
  }

  [[nodiscard]] bool isThere(const std::string& path) const { return instances_.contains(path); }

  /// The number of parts that a path stands for, and the first of them.
  [[nodiscard]] std::pair<std::size_t, std::string> partsOf(const std::string& path) const {
    if (isThere(path)) return {1, path};
    if (const auto found = bodies_.find(path); found != bodies_.end())
      return {found->second.count, found->second.first};
    if (path.ends_with(onlySolid))
      if (std::string product = path.substr(0, path.size() - onlySolid.size()); isThere(product))
        return {1, std::move(product)};
    return {0, {}};
  }

  /// True if the instance `path` was the part `former`, or was in it.
  static bool isOf(const std::string& path, const std::string& former) {
    return path == former || above(path) == former || path + std::string(onlySolid) == former;
  }

 private:
  struct Bodies {
    std::string first;
    std::size_t count;
  };
  std::unordered_set<std::string> instances_;
  std::unordered_map<std::string, Bodies> bodies_;
};

/// The listed pairs of bodies, by the id of the pair of their products.
std::unordered_map<std::string, std::vector<const ReportedPair*>> byProducts(
    const std::vector<ReportedPair>& news) {
  std::unordered_map<std::string, std::vector<const ReportedPair*>> pairs;
  for (const ReportedPair& pair : news) {
    const std::string a = above(pair.a), b = above(pair.b);
    if (!a.empty()) pairs[pairId(a, pair.b)].push_back(&pair);
    if (!b.empty()) pairs[pairId(pair.a, b)].push_back(&pair);
    if (!a.empty() && !b.empty()) pairs[pairId(a, b)].push_back(&pair);
  }
  return pairs;
}

/// Leaves in `pair` the findings that `now` has too, and returns the others.
std::vector<ReportedFinding> takeOthers(ReportedPair& pair, const ReportedPair& now, double tolerance) {
  std::vector<ReportedFinding> found, others;
  const std::vector<std::size_t> match = matchFindings(pair, now, tolerance).newOf;
  for (std::size_t i = 0; i < match.size(); ++i)
    (match[i] != FindingMatches::none && !isBetweenWholeParts(pair.findings[i]) ? found : others)
        .push_back(std::move(pair.findings[i]));
  pair.findings = std::move(found);
  return others;
}

}  // namespace

std::vector<FollowedPair> followFormerPairs(std::vector<ReportedPair>& olds,
                                            const std::vector<ReportedPair>& news,
                                            const std::vector<std::string>& instances, double tolerance) {
  std::vector<FollowedPair> followed;
  const FormerPaths paths(instances);
  std::optional<decltype(byProducts(news))> pairsOf;  // few reports come from former versions
  std::vector<ReportedPair> result;
  for (ReportedPair& old : olds) {
    if (paths.isThere(old.a) && paths.isThere(old.b)) {
      result.push_back(std::move(old));
      continue;
    }
    const auto [ofA, a] = paths.partsOf(old.a);
    const auto [ofB, b] = paths.partsOf(old.b);
    const std::string id = pairId(ofA == 1 ? a : old.a, ofB == 1 ? b : old.b);
    if (ofA == 1 && ofB == 1) {
      followed.push_back({std::exchange(old.id, id), id});
      old.a = a;
      old.b = b;
      result.push_back(std::move(old));
      continue;
    }
    if (!pairsOf) pairsOf = byProducts(news);
    for (const ReportedPair* now : (*pairsOf)[id]) {
      std::vector<ReportedFinding> findings = std::exchange(old.findings, {});
      ReportedPair pair = old;
      const bool isSwapped = !FormerPaths::isOf(now->a, old.a) || !FormerPaths::isOf(now->b, old.b);
      pair.id = now->id;
      pair.a = isSwapped ? now->b : now->a;
      pair.b = isSwapped ? now->a : now->b;
      pair.findings = std::move(findings);
      old.findings = takeOthers(pair, *now, tolerance);
      followed.push_back({old.id, pair.id, true});
      result.push_back(std::move(pair));
    }
    result.push_back(std::move(old));
  }
  olds = std::move(result);
  return followed;
}

}  // namespace fitup::detail
