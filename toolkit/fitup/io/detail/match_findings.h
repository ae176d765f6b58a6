#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// The correspondence of the findings of an old and a new report, within a pair of instances.
struct FindingMatches {
  static constexpr std::size_t none = ~std::size_t{0};
  /// For each old finding, the position of the corresponding new one, or `none`.
  std::vector<std::size_t> newOf;
  std::uint64_t comparisons = 0;  ///< comparisons of fingerprints
};

/// Maximum number of comparisons of fingerprints, about a minute. Only findings of surfaces that all differ,
/// by less than the tolerance, need that many.
inline constexpr std::uint64_t mostFingerprintComparisons = 2'000'000'000;

/// Matches findings by id, otherwise by the fingerprints of their surfaces, best match first, as in
/// `compareReports`. Memory is linear in the number of findings. Time is O(n log n) if each surface has few
/// others that are within the tolerance or have the same fingerprint. Throws InputError, which names the
/// pair, for more than `mostComparisons`.
FindingMatches matchFindings(const ReportedPair& oldPair, const ReportedPair& newPair, double tolerance,
                             std::uint64_t mostComparisons = mostFingerprintComparisons);

}  // namespace fitup::detail
