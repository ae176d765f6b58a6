#pragma once

#include <functional>
#include <span>
#include <string>

#include <fitup/scene/interference.h>

namespace fitup::test {

/// The oracle of a check: `bruteForce` for every pair of instances that `wanted` accepts (positions in
/// `assembly.instances()`, i < j), each instance placed by `worldFromPart`. It uses no boxes and no broad
/// phase.
InterferenceReport loopOverPairs(const Assembly& assembly, const CollisionModels& models,
                                 std::span<const Transform> worldFromPart,
                                 const std::function<bool(std::size_t, std::size_t)>& wanted,
                                 const IntersectionRequest& request = {});

/// The design placements of `assembly.instances()`.
std::vector<Transform> designPlacements(const Assembly& assembly);

/// Returns the first difference: other pairs, order, answers or status; statistics and times may differ.
/// Empty if there is none.
std::string difference(const InterferenceReport& found, const InterferenceReport& expected);

/// Compares whole reports: also counts, rules and the assessment of each pair.
std::string differenceOfWhole(const InterferenceReport& found, const InterferenceReport& expected);

/// Checks a report that was cut short: everything in it is in `all`, a complete report in the mode
/// `allTrianglePairs`.
std::string problemOfPart(const InterferenceReport& report, const InterferenceReport& all);

}  // namespace fitup::test
