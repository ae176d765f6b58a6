#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fitup/io/report_document.h>

namespace fitup::detail {

/// Which findings of an old report are which of a new one, within a pair of instances.
struct FindingMatches {
  static constexpr std::size_t none = ~std::size_t{0};
  /// For each old finding the position of the new one that it is, or `none`.
  std::vector<std::size_t> newOf;
  std::uint64_t comparisons = 0;  ///< of fingerprints
};

/// Most comparisons of fingerprints; a minute or so. Only findings of surfaces that all differ, and by less
/// than the tolerance, need that many.
inline constexpr std::uint64_t mostFingerprintComparisons = 2'000'000'000;

/// By their ids, else by the fingerprints of their surfaces, the best match first, as `compareReports` says.
/// Memory is linear in the findings. Time is O(n log n) where each surface has few that are as near as the
/// tolerance, or the same fingerprint. Throws InputError that names the pair for more than `mostComparisons`.
FindingMatches matchFindings(const ReportedPair& oldPair, const ReportedPair& newPair, double tolerance,
                             std::uint64_t mostComparisons = mostFingerprintComparisons);

}  // namespace fitup::detail
