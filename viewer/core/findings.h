#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <fitup/scene/interference_report.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// A finding: a pair of surfaces, a pair of instances with a finding but without
/// intersecting surfaces (in contact, one inside the other, nearer than a rule allows), or a set of copies.
struct Finding {
  NodeId a{}, b{};
  std::optional<SurfacePair> surfaces;
  std::optional<TrianglePair> witness;  ///< triangles that intersect, of these surfaces if there are any
  /// Of the surfaces, as in reports (`faceAssessment`); of the pair of instances if there are none.
  Assessment found;
  std::string undecidedBecause;  ///< for people; empty unless the verdict is undecided
  Severity severity = Severity::undecided;
  Severity ofPair = Severity::undecided;  ///< of the pair of instances
  bool intersects = false;                ///< surfaces of the two instances intersect
  /// See `needsDepth`: the depth of the pair is not known yet, nor which of its surfaces clash. Surfaces then
  /// have no verdict.
  bool depthIsOpen = false;
  std::optional<double> clearance;  ///< required by a rule, if the pair is nearer
  std::optional<std::size_t> rule;  ///< the position of the rule that applies, in those of the report
  Review byRule;                    ///< until somebody reviews it
  /// All instances of a set of copies in one place, of which `a` and `b` are the first; otherwise empty.
  std::vector<NodeId> copies{};
  /// The instances of the finding: the copies, or both parts.
  [[nodiscard]] std::set<NodeId> instances() const {
    if (copies.empty()) return {a, b};
    return {copies.begin(), copies.end()};
  }
};

/// A clash without intersecting surfaces: one part lies inside the other.
struct ContainedPart {
  NodeId inner{}, outer{};
};
/// Empty for any other pair. The part with the smaller box counts as the inner one.
std::optional<ContainedPart> containedPart(const Assembly& assembly, const PairInterference& pair);
std::optional<ContainedPart> containedPart(const Assembly& assembly, const Finding& finding);

/// The findings of a pair of instances, or a set of copies.
struct PairFindings {
  Finding pair;  ///< the result for both as a whole, without surfaces
  /// True if `pair` is a finding, because none of the surfaces has its verdict.
  bool isFinding = false;
  std::vector<Finding> faces;    ///< the findings of its pairs of surfaces
  std::size_t pairsOfFaces = 0;  ///< also of those that are not in `faces`, if a list was cut
  [[nodiscard]] std::size_t count() const noexcept { return faces.size() + (isFinding ? 1 : 0); }
};

/// The position of a finding in lists, by descending severity: clashes come first, then what is too near,
/// undecided, and in contact. Intersections without a verdict count as clashes.
int rankOf(Severity severity) noexcept;

/// Numbers of pairs of surfaces by their verdicts, by the rule of reports (`faceAssessment`). Sets of copies
/// are left out, as in `FindingCounts`.
struct FaceCounts {
  std::size_t all = 0, clashes = 0, undecided = 0, contacts = 0;
  std::size_t open = 0;  ///< of clashes, of which it is not known yet (`Finding::depthIsOpen`)
  friend bool operator==(const FaceCounts&, const FaceCounts&) = default;
};
FaceCounts countFaces(const InterferenceReport& report);

/// Returns true if both are about the same instances and surfaces.
bool isSameFinding(const Finding& a, const Finding& b) noexcept;
/// True for a pair that has a finding. One that was cut short, or is clear, may have none.
bool isListed(const PairInterference& pair) noexcept;
/// Lists the pairs that have findings, in the report's order. `rules` are those of the report.
std::vector<PairFindings> listPairs(const Assembly& assembly, const InterferenceReport& report,
                                    const Rules& rules = {});
/// Lists all findings of these pairs, by instances, then by surfaces.
std::vector<Finding> listFindings(const Assembly& assembly, const InterferenceReport& report,
                                  const Rules& rules = {});
/// Returns the same id as `findingId` and `pairId` of reports, so that reviews apply to both.
std::string idOf(const Assembly& assembly, const Finding& finding);

/// Rows that are added or removed between two lists in that order.
struct FindingsChange {
  /// Inserts `count` rows of the new list, from `newAt`, before `oldAt`; otherwise removes `count` rows from
  /// `oldAt`.
  bool inserts = false;
  std::size_t oldAt = 0, newAt = 0, count = 0;
  friend bool operator==(const FindingsChange&, const FindingsChange&) = default;
};
/// Returns the changes that turn the old list into the new one, in as few ranges as possible. Positions are
/// those of the given lists, ascending, so that the changes can be made from the last to the first. Linear.
std::vector<FindingsChange> changesBetween(std::span<const Finding> before, std::span<const Finding> after);
/// The same for pairs, whatever their surfaces are.
std::vector<FindingsChange> changesBetween(std::span<const PairFindings> before,
                                           std::span<const PairFindings> after);

}  // namespace fitup::viewer
