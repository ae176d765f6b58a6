#pragma once

#include <cstddef>

#include <fitup/scene/copies.h>

namespace FITUP_EXPORT fitup {

/// The numbers of what a check found, as the console, reports, the report page and the viewer state them. A
/// set of copies is one finding: it counts once in `copySets` and in the counts of verdicts, and not among
/// the pairs that intersect.
struct FindingCounts {
  std::size_t pairsOfParts = 0;      ///< pairs of instances that intersect
  std::size_t pairsOfFaces = 0;      ///< pairs of surfaces that intersect
  std::size_t pairsOfTriangles = 0;  ///< or witnesses, unless all pairs of triangles were requested
  std::size_t copySets = 0;
  std::size_t clashes = 0, undecided = 0, contacts = 0, clear = 0;  ///< by verdict
  std::size_t tooNear = 0;  ///< nearer than a rule allows, whatever the verdict

  /// Adds a pair with this number of intersecting surfaces and triangles, or a set of copies.
  void add(const Assessment& assessment, std::size_t faces, std::size_t triangles, bool isCopySet) noexcept;
  friend bool operator==(const FindingCounts&, const FindingCounts&) = default;
};

FindingCounts countFindings(const InterferenceReport& report);

}  // namespace fitup
