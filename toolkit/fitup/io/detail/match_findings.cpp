#include <fitup/io/detail/match_findings.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/io/detail/gathered_findings.h>

namespace fitup::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distance of two fingerprints in terms of `CompareOptions::tolerance`; infinite for different kinds.
double mismatch(const SurfaceFingerprint& a, const SurfaceFingerprint& b) {
  if (a.kind != b.kind) return infinity;
  const double area = std::max(a.area, b.area);
  if (!(area > 0)) return a.centroid == b.centroid ? 0 : infinity;
  return std::max(std::abs(a.area - b.area) / area, norm(a.centroid - b.centroid) / std::sqrt(area));
}

/// The compared properties of a finding's surfaces; the surface of the old pair's first instance comes first.
struct Look {
  SurfaceFingerprint a, b;
  bool isWhole = false;

  Look(const ReportedFinding& finding, bool swapped)
      : a((swapped ? finding.b : finding.a).fingerprint),
        b((swapped ? finding.a : finding.b).fingerprint),
        isWhole(isBetweenWholeParts(finding)) {}
  /// Coordinates of the centroids.
  [[nodiscard]] double coordinate(int k) const { return k < 3 ? a.centroid[k] : b.centroid[k - 3]; }
  [[nodiscard]] double area(int k) const { return k < 3 ? a.area : b.area; }
  [[nodiscard]] auto key() const {
    const auto of = [](const SurfaceFingerprint& f) {
      return std::tuple(f.kind, f.area, f.centroid.x, f.centroid.y, f.centroid.z);
    };
    return std::tuple(isWhole, of(a), of(b));
  }
};
double mismatch(const Look& old, const Look& now) {
  return old.isWhole == now.isWhole ? std::max(mismatch(old.a, now.a), mismatch(old.b, now.b)) : infinity;
}

using Ordinals = std::pair<std::uint32_t, std::uint32_t>;
Ordinals ordinalsOf(const ReportedFinding& finding, bool swapped) {
  return swapped ? Ordinals(finding.b.ordinal, finding.a.ordinal)
                 : Ordinals(finding.a.ordinal, finding.b.ordinal);
}

/// The new findings that are not matched yet; equal ones are compared once.
class OpenFindings {
 public:
  /// A match; the smallest is the best.
  struct Match {
    double mismatch;
    bool renumbered;
    std::size_t newOne;
    auto operator<=>(const Match&) const = default;
  };

  OpenFindings(const ReportedPair& pair, const std::vector<char>& taken, bool swapped, double tolerance,
               std::uint64_t mostComparisons)
      : pair_(pair), tolerance_(tolerance), most_(mostComparisons) {
    std::map<decltype(std::declval<Look>().key()), std::size_t> groupOf;
    for (std::size_t j = 0; j < pair.findings.size(); ++j) {
      if (taken[j]) continue;
      const Look look(pair.findings[j], swapped);
      const auto [found, isNew] = groupOf.try_emplace(look.key(), groups_.size());
      if (isNew) groups_.push_back({look, {}, {}});
      Group& group = groups_[found->second];
      group.members.insert(j);
      group.byOrdinals[ordinalsOf(pair.findings[j], swapped)].insert(j);
    }
    groupOf_.resize(pair.findings.size());
    sortGroups();
  }

  /// The best match of an old finding; empty if none is near enough.
  std::optional<Match> best(const Look& old, const Ordinals& ordinals) {
    std::optional<Match> found;
    const double center = old.coordinate(axis_), reach = reachOf(old);
    auto group = std::lower_bound(groups_.begin(), groups_.end(), center - reach,
                                  [&](const Group& g, double at) { return g.look.coordinate(axis_) < at; });
    for (; group != groups_.end() && group->look.coordinate(axis_) <= center + reach; ++group) {
      if (++comparisons_ > most_)
        throw InputError("diff", "'" + pair_.a + "' and '" + pair_.b + "'",
                         "too many findings of surfaces that are nearly alike");
      if (group->members.empty()) continue;
      const double m = mismatch(old, group->look);
      if (!(m <= tolerance_)) continue;
      const auto same = group->byOrdinals.find(ordinals);
      const bool renumbered = same == group->byOrdinals.end() || same->second.empty();
      const Match match{m, renumbered, renumbered ? *group->members.begin() : *same->second.begin()};
      if (!found || match < *found) found = match;
    }
    return found;
  }

  void take(std::size_t newOne, const Ordinals& ordinals) {
    Group& group = groups_[groupOf_[newOne]];
    group.members.erase(newOne);
    group.byOrdinals.at(ordinals).erase(newOne);
  }

  [[nodiscard]] std::uint64_t comparisons() const noexcept { return comparisons_; }

 private:
  struct Group {
    Look look;
    std::set<std::size_t> members;  ///< positions of findings
    std::map<Ordinals, std::set<std::size_t>> byOrdinals;
  };

  /// Sorts groups by the coordinate of the centroids with the largest spread.
  void sortGroups() {
    double widest = -1;
    for (int k = 0; k < 6; ++k) {
      double least = infinity, most = -infinity;
      for (const Group& g : groups_) {
        least = std::min(least, g.look.coordinate(k));
        most = std::max(most, g.look.coordinate(k));
      }
      if (most - least > widest) {
        widest = most - least;
        axis_ = k;
      }
    }
    std::sort(groups_.begin(), groups_.end(), [&](const Group& g, const Group& h) {
      return g.look.coordinate(axis_) < h.look.coordinate(axis_);
    });
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const std::size_t j : groups_[g].members) groupOf_[j] = g;
  }

  /// Bound along an axis on the distance of centroids within the tolerance: the tolerance times the square
  /// root of the larger area, which is at most area / (1 - tolerance). The factor covers rounding.
  [[nodiscard]] double reachOf(const Look& old) const {
    if (!(tolerance_ < 1)) return infinity;
    const double area = std::max(old.area(axis_), 0.0) / (1 - tolerance_);
    return tolerance_ * std::sqrt(area) * (1 + 1e-9) + std::abs(old.coordinate(axis_)) * 1e-12;
  }

  const ReportedPair& pair_;
  double tolerance_;
  std::uint64_t most_, comparisons_ = 0;
  std::vector<Group> groups_;
  std::vector<std::size_t> groupOf_;  ///< by position of the finding
  int axis_ = 0;
};

}  // namespace

FindingMatches matchFindings(const ReportedPair& oldPair, const ReportedPair& newPair, double tolerance,
                             std::uint64_t mostComparisons) {
  const auto &olds = oldPair.findings, &news = newPair.findings;
  const bool swapped = oldPair.a != newPair.a;
  FindingMatches result;
  result.newOf.assign(olds.size(), FindingMatches::none);
  std::vector<char> taken(news.size(), 0);
  std::unordered_map<std::string_view, std::size_t> byId;
  for (std::size_t j = 0; j < news.size(); ++j) byId.emplace(news[j].id, j);
  for (std::size_t i = 0; i < olds.size(); ++i)
    if (const auto found = byId.find(olds[i].id); found != byId.end()) {
      result.newOf[i] = found->second;
      taken[found->second] = 1;
    }
  OpenFindings open(newPair, taken, swapped, tolerance, mostComparisons);
  // The queue holds each old finding with its best match and, if that is taken meanwhile, with its next one.
  // So its head is the best of all remaining matches, and it is no longer than the number of old findings.
  using Waiting = std::tuple<double, bool, std::size_t, std::size_t>;  // mismatch, renumbered, old, new
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
  const auto wait = [&](std::size_t i) {
    const ReportedFinding& old = olds[i];
    if (const auto match = open.best(Look(old, false), ordinalsOf(old, false)))
      waiting.emplace(match->mismatch, match->renumbered, i, match->newOne);
  };
  for (std::size_t i = 0; i < olds.size(); ++i)
    if (result.newOf[i] == FindingMatches::none) wait(i);
  while (!waiting.empty()) {
    const auto [m, renumbered, i, j] = waiting.top();
    waiting.pop();
    if (taken[j]) {
      wait(i);
      continue;
    }
    result.newOf[i] = j;
    taken[j] = 1;
    open.take(j, ordinalsOf(news[j], swapped));
  }
  result.comparisons = open.comparisons();
  return result;
}

}  // namespace fitup::detail
