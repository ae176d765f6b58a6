#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/scene/interference_report.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// A row of the interference table: a pair of surfaces, or a pair of instances that has something to say
/// without surfaces that intersect (in contact, one inside the other, nearer than a rule allows).
struct Finding {
  NodeId a{}, b{};
  std::optional<SurfacePair> surfaces;
  std::optional<TrianglePair> witness;  ///< triangles of these surfaces that intersect
  Assessment found;                     ///< of the pair of instances
  Severity severity = Severity::undecided;
  bool depthIsOpen = false;         ///< see `needsDepth`
  std::optional<double> clearance;  ///< that a rule asks for, where the pair is nearer
  Review byRule;                    ///< as long as nobody has reviewed it
};

/// A clash without surfaces that intersect: one part lies inside the other.
struct ContainedPart {
  NodeId inner{}, outer{};
};
/// Nothing for any other pair. The part with the smaller box counts as the inner one.
std::optional<ContainedPart> containedPart(const Assembly& assembly, const PairInterference& pair);
std::optional<ContainedPart> containedPart(const Assembly& assembly, const Finding& finding);

/// True if both are about the same instances and surfaces.
bool isSameFinding(const Finding& a, const Finding& b) noexcept;
/// In the report's order: by instances, then by surfaces. `rules` are those that it was made with.
std::vector<Finding> listFindings(const Assembly& assembly, const InterferenceReport& report,
                                  const Rules& rules = {});
/// As `findingId` and `pairId` of reports, so that reviews hold for both.
std::string idOf(const Assembly& assembly, const Finding& finding);
/// What to look at: what the boxes of the witness' triangles have in common, else the point, else both
/// instances. In the world, for the placements of the session with `moved` elsewhere.
Box boundsOf(const Session& session, const Finding& finding, const Poses& moved = {});

/// Rows that come or go between two lists in that order.
struct FindingsChange {
  bool inserts =
      false;  ///< `count` of the new list from `newAt` before `oldAt`; else `count` go from `oldAt`
  std::size_t oldAt = 0, newAt = 0, count = 0;
  friend bool operator==(const FindingsChange&, const FindingsChange&) = default;
};
/// What makes the new list of the old one, as few stretches as there are: positions are those of the lists as
/// given, ascending, so that the changes can be made from the last to the first one. Linear.
std::vector<FindingsChange> changesBetween(std::span<const Finding> before, std::span<const Finding> after);

}  // namespace fitup::viewer
