#include <fitup/io/detail/match_findings.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/io/report_diff.h>

#include "support/placements.h"
#include "support/sample_report.h"
#include "support/temporary_folder.h"

namespace match_findings_tests {

using namespace fitup;
using namespace fitup::test;
using fitup::detail::FindingMatches;
using fitup::detail::matchFindings;

namespace {

constexpr double tolerance = 0.01;

double mismatchOf(const SurfaceFingerprint& a, const SurfaceFingerprint& b) {
  if (a.kind != b.kind) return std::numeric_limits<double>::infinity();
  const double area = std::max(a.area, b.area);
  if (!(area > 0)) return a.centroid == b.centroid ? 0 : std::numeric_limits<double>::infinity();
  return std::max(std::abs(a.area - b.area) / area, norm(a.centroid - b.centroid) / std::sqrt(area));
}

/// Matches by the definition: all pairs that are near enough, the best first.
std::vector<std::size_t> allMatched(const ReportedPair& oldPair, const ReportedPair& newPair) {
  const bool swapped = oldPair.a != newPair.a;
  std::vector<std::size_t> result(oldPair.findings.size(), FindingMatches::none);
  std::vector<char> taken(newPair.findings.size(), 0);
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t j = 0; j < taken.size(); ++j)
      if (oldPair.findings[i].id == newPair.findings[j].id) {
        result[i] = j;
        taken[j] = 1;
      }
  std::vector<std::tuple<double, bool, std::size_t, std::size_t>> candidates;
  for (std::size_t i = 0; i < result.size(); ++i)
    for (std::size_t j = 0; result[i] == FindingMatches::none && j < taken.size(); ++j) {
      const ReportedFinding &before = oldPair.findings[i], &now = newPair.findings[j];
      const ReportedSurface &a = swapped ? now.b : now.a, &b = swapped ? now.a : now.b;
      if (taken[j] || (before.a.ordinal == wholePart) != (a.ordinal == wholePart)) continue;
      const double m = std::max(mismatchOf(before.a.fingerprint, a.fingerprint),
                                mismatchOf(before.b.fingerprint, b.fingerprint));
      if (m <= tolerance)
        candidates.emplace_back(m, before.a.ordinal != a.ordinal || before.b.ordinal != b.ordinal, i, j);
    }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [m, renumbered, i, j] : candidates)
    if (result[i] == FindingMatches::none && !taken[j]) {
      result[i] = j;
      taken[j] = 1;
    }
  return result;
}

ReportedFinding findingOf(std::string id, const ReportedSurface& a, const ReportedSurface& b) {
  ReportedFinding finding;
  finding.id = std::move(id);
  finding.a = a;
  finding.b = b;
  return finding;
}

/// Makes surfaces in a row, the n-th at `place(n)`; the old and the new ones have no number in common.
template <typename Place>
std::pair<ReportedPair, ReportedPair> rows(std::uint32_t count, const Place& place) {
  std::pair<ReportedPair, ReportedPair> both;
  for (ReportedPair* pair : {&both.first, &both.second}) {
    const bool isNew = pair == &both.second;
    pair->a = "a";
    pair->b = "b";
    for (std::uint32_t n = 0; n < count; ++n) {
      ReportedSurface surface;
      surface.ordinal = isNew ? count + n : n;
      surface.fingerprint = {SurfaceKind::plane, 1.0, place(n, isNew)};
      pair->findings.push_back(findingOf((isNew ? "new" : "old") + std::to_string(n), surface, surface));
    }
  }
  return both;
}

}  // namespace

TEST_CASE("findings are matched as if all of them were compared", "[io][report][diff]") {
  Random random(31);
  std::size_t matched = 0, contested = 0;
  for (int round = 0; round < 3000; ++round) {
    ReportedPair before, now;
    before.a = now.b = "a";
    before.b = now.a = "b";
    if (round % 2 == 0) std::swap(now.a, now.b);
    for (ReportedPair* pair : {&before, &now})
      for (std::uint32_t n = random.below(9); n > 0; --n) {
        const auto surface = [&] {
          ReportedSurface s;
          s.ordinal = random.below(3);
          // Often within the tolerance, often equal, sometimes without an area.
          const double area = random.below(8) == 0 ? 0.0 : 1 + 0.004 * random.below(4);
          const auto kind = random.below(9) == 0 ? SurfaceKind::cylinder : SurfaceKind::plane;
          const auto at = [&] { return 0.003 * random.below(5) + (random.below(5) == 0 ? 7.0 : 0.0); };
          s.fingerprint = {kind, area, {at(), at(), at()}};
          return s;
        };
        ReportedFinding finding = findingOf(std::to_string(random.below(40)), surface(), surface());
        if (random.below(10) == 0) finding.a.ordinal = finding.b.ordinal = wholePart;
        if (std::none_of(pair->findings.begin(), pair->findings.end(),
                         [&](const auto& f) { return f.id == finding.id; }))
          pair->findings.push_back(finding);
      }
    INFO("round " << round);
    const std::vector<std::size_t> expected = allMatched(before, now);
    REQUIRE(matchFindings(before, now, tolerance).newOf == expected);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      matched += expected[i] != FindingMatches::none;
      contested += expected[i] != FindingMatches::none && expected[i] != i;
    }
  }
  CHECK(matched > 1000);
  CHECK(contested > 300);
}

TEST_CASE("ten thousands of findings of one pair are matched one by one", "[io][report][diff]") {
  constexpr std::uint32_t count = 40'000;
  SECTION("of surfaces that all look the same") {
    const auto [before, now] = rows(count, [](std::uint32_t, bool) { return Vec3{1, 2, 3}; });
    const FindingMatches found = matchFindings(before, now, tolerance);
    CHECK(std::count(found.newOf.begin(), found.newOf.end(), FindingMatches::none) == 0);
    CHECK(found.comparisons <= 2 * count);
  }
  SECTION("of surfaces in a row that moved a little") {
    const auto [before, now] = rows(count, [](std::uint32_t n, bool isNew) {
      return Vec3{5, 0.1 * n + (isNew ? 0.001 : 0.0), 0};
    });
    const FindingMatches found = matchFindings(before, now, tolerance);
    for (std::uint32_t i = 0; i < count; ++i)
      if (found.newOf[i] != i) FAIL("finding " << i);
    CHECK(found.comparisons <= 2 * count);
  }
  SECTION("as a comparison of reports") {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> faces;
    for (std::uint32_t n = 0; n < count; ++n) faces.emplace_back(n, n);
    ReportDocument before = checkWith("a", "b", faces), after = before;
    for (ReportedFinding& finding : after.runs[0].pairs[0].findings) {
      finding.a.ordinal += count;
      finding.id = findingId("a", finding.a, "b", finding.b);
    }
    CHECK(compareReports(before, after).unchanged == count);
  }
}

TEST_CASE("findings that are all nearly alike end in an error, not in a night of work",
          "[io][report][diff]") {
  const auto [before, now] = rows(1000, [](std::uint32_t n, bool) { return Vec3{1e-9 * n, 0, 0}; });
  CHECK(matchFindings(before, now, tolerance).newOf[17] == 17);
  CHECK(messageOf<InputError>([&, &b = before, &n = now] {
          (void)matchFindings(b, n, tolerance, 900'000);
        }) == "diff: 'a' and 'b': too many findings of surfaces that are nearly alike");
}

}  // namespace match_findings_tests
