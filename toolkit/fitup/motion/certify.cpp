#include <fitup/motion/certify.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <fitup/base/error.h>
#include <fitup/motion/detail/motion_search.h>

namespace fitup {
namespace {

using detail::Certain;
using detail::MotionPair;

/// Gathers the intervals of each pair, by position.
class Intervals final : public detail::MotionObserver {
 public:
  void keeps(const MotionPair& pair, double from, double to, const Certain& certain) override {
    std::vector<CertifiedInterval>& list = ofPairs_[{pair.first, pair.second}];
    const CertifiedInterval next{from, to, certain.atLeast, certain.nearest};
    if (!list.empty() && isAlike(list.back(), next)) {
      list.back().to = to;
      list.back().atLeast = std::min(list.back().atLeast, next.atLeast);
    } else {
      list.push_back(next);
    }
  }

  /// The intervals of a pair up to a time.
  [[nodiscard]] std::vector<CertifiedInterval> upTo(double end, const MotionPair& pair) {
    std::vector<CertifiedInterval> list = std::move(ofPairs_[{pair.first, pair.second}]);
    std::erase_if(list, [&](const CertifiedInterval& i) { return i.from > 0 && i.from >= end; });
    if (!list.empty()) list.back().to = std::min(list.back().to, end);
    return list;
  }

 private:
  /// Of distant parts, one bound says enough about a long stretch.
  static bool isAlike(const CertifiedInterval& a, const CertifiedInterval& b) {
    constexpr double factor = 2;
    return a.nearest == b.nearest && a.atLeast <= factor * b.atLeast && b.atLeast <= factor * a.atLeast;
  }

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<CertifiedInterval>> ofPairs_;
};

std::optional<ContactLimit> limitOf(const MotionPair& pair) {
  if (!pair.limit) return std::nullopt;
  ContactLimit limit{pair.limit->tolerance, pair.limit->depth, 0, {}, pair.limit->keepsApart};
  if (limit.depth > limit.tolerance) {
    limit.overlap = pair.limit->overlap;
    if (limit.overlap > 0) limit.deepest = pair.limit->deepest;
  }
  return limit;
}

FirstContactOptions searchOptions(const CertifyOptions& options) {
  FirstContactOptions search;
  search.clearance = options.clearance;
  search.resolution = options.resolution;
  search.initialContacts = InitialContacts::keepLimits;
  search.tolerance = options.tolerance;
  search.rules = options.rules;
  search.limits = options.limits;
  search.maxQueries = options.maxQueries;
  search.force = options.force;
  return search;
}

}  // namespace

std::string_view name(CertifyAnswer answer) noexcept {
  switch (answer) {
    case CertifyAnswer::certain:
      return "certain";
    case CertifyAnswer::violated:
      return "violated";
    case CertifyAnswer::undecided:
      return "undecided";
  }
  return "unknown";
}

CertifyReport certify(const Scene& scene, const Poses& poses, const Track& track,
                      const CertifyOptions& options, const Progress& progress) {
  CertifyReport report;
  Certificate& certificate = report.certificate;
  certificate.modelHash = scene.assembly().contentHash();
  certificate.rest = poses;
  certificate.track = track;
  certificate.clearance = options.clearance;
  certificate.tolerance = options.tolerance;
  certificate.exactShapes = options.exactShapes;
  Intervals intervals;
  try {
    const auto shapes =
        options.exactShapes ? detail::MotionShapes::withinChordErrors : detail::MotionShapes::triangles;
    detail::MotionSearch search(scene, poses, track, searchOptions(options), progress, {shapes, &intervals});
    FirstContactReport found = search.run();
    report.violation = std::move(found.contact);
    report.resolution = found.resolution;
    report.consideredPairs = found.consideredPairs;
    report.status = found.status;
    report.queries = found.queries;
    report.milliseconds = found.milliseconds;
    certificate.certainUntil = found.clearUntil;
    certificate.unknown = std::move(found.unknownContacts);
    for (const auto& [a, b] : search.excluded())
      certificate.excluded.emplace_back(search.nodeOf(a), search.nodeOf(b));
    for (const MotionPair& pair : search.pairs()) {
      const std::pair nodes{search.nodeOf(pair.first), search.nodeOf(pair.second)};
      if (std::ranges::find(certificate.unknown, nodes) != certificate.unknown.end()) continue;
      if (pair.limit || !options.exactShapes)
        report.chordErrors = std::max(report.chordErrors, pair.chordErrors);
      certificate.pairs.push_back({nodes.first, nodes.second, pair.clearance, limitOf(pair),
                                   intervals.upTo(certificate.certainUntil, pair)});
    }
  } catch (const CancelledError&) {  // before any query
    report.status = ReportStatus::cancelled;
  }
  for (auto* list : {&certificate.unknown, &certificate.excluded}) std::ranges::sort(*list);
  std::ranges::sort(certificate.pairs, {},
                    [](const CertifiedPair& pair) { return std::pair(pair.a, pair.b); });
  return report;
}

}  // namespace fitup
